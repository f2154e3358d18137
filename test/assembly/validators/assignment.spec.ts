// The panel draw: distinct, deterministic, without parties and the unfit, roughly by weight.

import { VALIDATOR_EXCLUDED, VALIDATOR_PROBATION } from '../../../assembly/abi';
import { drawNames, drawPanel, exclude, excludeNobody } from '../../../assembly/validators/assignment';
import { seatsTodayOf, seatsTodayOfAll } from '../../../assembly/validators/day-seats';
import { validatorInOrder } from '../../../assembly/validators/validators';
import { freshState, LAUNCH, newValidator, TOKEN } from '../support/state';

const EVENT: usize = memory.data(32, 8);
const PANEL: usize = memory.data(16, 8);

function drawn(place: usize): u32 {
  return load<u16>(PANEL + (place << 1));
}

function setUpSeven(): void {
  freshState();
  excludeNobody();
  for (let i: u64 = 0; i < 7; i++) newValidator(i, 25000 * TOKEN, 5000);
}

describe('panel draw', () => {
  it('gives nobody without candidates and the only candidate otherwise', () => {
    freshState();
    excludeNobody();
    expect(drawNames(EVENT, 0, 3, PANEL)).toBe(0);
    const only = newValidator(0, 25000 * TOKEN, 5000);
    expect(drawNames(EVENT, 0, 3, PANEL)).toBe(1);
    expect(drawn(0)).toBe(0);
    exclude(999);
    expect(drawNames(EVENT, 0, 3, PANEL)).toBe(1);
    exclude(only.agent);
    expect(drawNames(EVENT, 0, 3, PANEL)).toBe(0);
    excludeNobody();
    expect(drawNames(EVENT, 0, 3, PANEL)).toBe(1);
  });

  it('passes over the excluded and those below 25,000 tokens on the testnet', () => {
    freshState();
    excludeNobody();
    newValidator(0, 25000 * TOKEN - 1, 5000);
    newValidator(1, 25000 * TOKEN, 5000, VALIDATOR_EXCLUDED);
    newValidator(2, 25000 * TOKEN, 5000);
    expect(drawNames(EVENT, 0, 3, PANEL)).toBe(1);
    expect(drawn(0)).toBe(2);
  });

  it('draws three distinct ones, the same each time', () => {
    freshState();
    excludeNobody();
    for (let i: u64 = 0; i < 7; i++) newValidator(i, 25000 * TOKEN, 5000);
    for (let event: u64 = 0; event < 200; event++) {
      store<u64>(EVENT, event);
      expect(drawNames(EVENT, 1, 3, PANEL)).toBe(3);
      const first = load<u64>(PANEL);
      expect(drawn(0)).not.toBe(drawn(1));
      expect(drawn(0)).not.toBe(drawn(2));
      expect(drawn(1)).not.toBe(drawn(2));
      drawNames(EVENT, 1, 3, PANEL);
      expect(load<u64>(PANEL)).toBe(first);
    }
  });

  it('draws the probationary three times in ten against a full one', () => {
    freshState();
    excludeNobody();
    newValidator(0, 25000 * TOKEN, 5000);
    newValidator(1, 25000 * TOKEN, 5000, VALIDATOR_PROBATION);
    let second: u32 = 0;
    for (let event: u64 = 0; event < 2600; event++) {
      store<u64>(EVENT, event);
      drawNames(EVENT, 0, 1, PANEL);
      second += drawn(0);
    }
    // 3,000 of 13,000: 600 expected of 2,600, standard deviation 21.
    expect(second).toBeGreaterThan(500);
    expect(second).toBeLessThan(700);
  });

  it('orders candidates by id, whenever they came', () => {
    freshState();
    excludeNobody();
    newValidator(5, TOKEN, 5000);
    newValidator(30, TOKEN, 5000);
    newValidator(1, TOKEN, 5000);
    expect(validatorInOrder(0)).toBe(2);
    expect(validatorInOrder(1)).toBe(0);
    expect(validatorInOrder(2)).toBe(1);
  });
});

describe('caps', () => {
  it('nobody passes a fifth of a day once twenty seats are out, with seven validators', () => {
    setUpSeven();
    for (let event: u64 = 0; event < 400; event++) {
      store<u64>(EVENT, event);
      expect(drawPanel(EVENT, 2, 3, PANEL, LAUNCH)).toBe(3);
      if (seatsTodayOfAll(LAUNCH) < 40) continue;
      for (let i: u32 = 0; i < 7; i++) {
        expect(seatsTodayOf(i, LAUNCH) * 10000 <= seatsTodayOfAll(LAUNCH) * 2000).toBe(true);
      }
    }
    expect(seatsTodayOfAll(LAUNCH)).toBe(1200);
  });

  it('yields where the panel could not be filled: three of four validators hold more', () => {
    freshState();
    excludeNobody();
    for (let i: u64 = 0; i < 4; i++) newValidator(i, 25000 * TOKEN, 5000);
    for (let event: u64 = 0; event < 50; event++) {
      store<u64>(EVENT, event);
      expect(drawPanel(EVENT, 2, 3, PANEL, LAUNCH)).toBe(3);
    }
  });

  it('fills a panel of seven from seven although all are over', () => {
    setUpSeven();
    for (let event: u64 = 0; event < 10; event++) {
      store<u64>(EVENT, event);
      expect(drawPanel(EVENT, 2, 7, PANEL, LAUNCH)).toBe(7);
      for (let a: usize = 0; a < 7; a++)
        for (let b: usize = 0; b < a; b++) expect(drawn(a)).not.toBe(drawn(b));
    }
  });

  it('a new day starts from none', () => {
    setUpSeven();
    drawPanel(EVENT, 2, 3, PANEL, LAUNCH);
    expect(seatsTodayOfAll(LAUNCH)).toBe(3);
    expect(seatsTodayOfAll(LAUNCH + 86400)).toBe(0);
    expect(seatsTodayOf(drawn(0), LAUNCH + 86400)).toBe(0);
    drawPanel(EVENT, 2, 3, PANEL, LAUNCH + 86400);
    expect(seatsTodayOfAll(LAUNCH + 86400)).toBe(3);
  });
});
