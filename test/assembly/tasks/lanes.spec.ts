// Lanes with the examples of protocol 6.3: fees, availability, downgrade.

import {
  LANE_ENTERPRISE,
  LANE_HIGH,
  LANE_NONE,
  LANE_STANDARD,
  POOL_REPLAY_CODE,
  POOL_REPLAY_GENERAL,
  VALIDATOR_PROBATION,
} from '../../../assembly/abi';
import { internCategory } from '../../../assembly/reputation/categories';
import {
  assuranceFee,
  availableLane,
  countServing,
  panelSize,
  securityFloor,
} from '../../../assembly/tasks/lanes';
import { isStructured, reserveOfCategory } from '../../../assembly/tasks/reserves';
import { setValidatorCategory } from '../../../assembly/validators/validators';
import { freshState, newValidator, TOKEN } from '../support/state';

const FORM: usize = memory.data(56, 8);

function form(name: string): usize {
  memory.fill(FORM, 0, 56);
  store<u32>(FORM, <u32>name.length);
  for (let i = 0; i < name.length; i++) store<u8>(FORM + 4 + i, <u8>name.charCodeAt(i));
  return FORM;
}

describe('assurance fee', () => {
  it('is the rate of the budget, or the floor', () => {
    expect(assuranceFee(LANE_STANDARD, 200 * TOKEN)).toBe(6000000);
    expect(assuranceFee(LANE_STANDARD, 25 * TOKEN)).toBe(2000000);
    expect(assuranceFee(LANE_STANDARD, 66 * TOKEN)).toBe(2000000);
    expect(assuranceFee(LANE_STANDARD, 67 * TOKEN)).toBe(2010000);
    expect(assuranceFee(LANE_HIGH, 25 * TOKEN)).toBe(4000000);
    expect(assuranceFee(LANE_HIGH, 90 * TOKEN)).toBe(5400000);
    expect(assuranceFee(LANE_ENTERPRISE, 90 * TOKEN)).toBe(8000000);
    expect(assuranceFee(LANE_ENTERPRISE, 200 * TOKEN)).toBe(16000000);
    expect(assuranceFee(LANE_NONE, 200 * TOKEN)).toBe(0);
  });

  it('never exceeds the minimum budget', () => {
    for (let lane: u32 = LANE_STANDARD; lane <= <u32>LANE_ENTERPRISE; lane++) {
      expect(assuranceFee(lane, 25 * TOKEN)).toBeLessThan(25 * TOKEN);
    }
  });
});

describe('availability', () => {
  it('has floors of 3, 5, 10 and panels of 3, 5, 7', () => {
    expect(securityFloor(LANE_STANDARD)).toBe(3);
    expect(securityFloor(LANE_HIGH)).toBe(5);
    expect(securityFloor(LANE_ENTERPRISE)).toBe(10);
    expect(panelSize(LANE_STANDARD)).toBe(3);
    expect(panelSize(LANE_HIGH)).toBe(5);
    expect(panelSize(LANE_ENTERPRISE)).toBe(7);
  });

  it('falls back to the lane that enough validators serve', () => {
    expect(availableLane(LANE_ENTERPRISE, POOL_REPLAY_CODE, 10)).toBe(LANE_ENTERPRISE);
    expect(availableLane(LANE_ENTERPRISE, POOL_REPLAY_CODE, 9)).toBe(LANE_HIGH);
    expect(availableLane(LANE_ENTERPRISE, POOL_REPLAY_CODE, 4)).toBe(LANE_STANDARD);
    expect(availableLane(LANE_ENTERPRISE, POOL_REPLAY_CODE, 2)).toBe(LANE_NONE);
    expect(availableLane(LANE_STANDARD, POOL_REPLAY_CODE, 100)).toBe(LANE_STANDARD);
  });

  it('above standard needs a structured category by its exact name', () => {
    expect(availableLane(LANE_ENTERPRISE, POOL_REPLAY_GENERAL, 100)).toBe(LANE_STANDARD);
    expect(isStructured(reserveOfCategory(form('code')))).toBe(true);
    expect(isStructured(reserveOfCategory(form('data')))).toBe(true);
    expect(isStructured(reserveOfCategory(form('analysis')))).toBe(true);
    expect(isStructured(reserveOfCategory(form('content')))).toBe(true);
    expect(isStructured(reserveOfCategory(form('code-review')))).toBe(false);
    expect(isStructured(reserveOfCategory(form('cod')))).toBe(false);
  });

  it('counts active validators that list the category or none', () => {
    freshState();
    newValidator(0, 25000 * TOKEN, 5000);
    newValidator(1, 25000 * TOKEN, 5000, VALIDATOR_PROBATION);
    const code = newValidator(2, 25000 * TOKEN, 5000);
    code.categoryCount = 1;
    setValidatorCategory(code, 0, <u16>internCategory(form('code')));
    expect(countServing(form('code'))).toBe(2);
    expect(countServing(form('data'))).toBe(1);
  });
});
