// The panel draw: distinct, deterministic, without parties and the unfit, roughly by weight.

import { VALIDATOR_EXCLUDED, VALIDATOR_PROBATION } from '../../../assembly/abi';
import { drawPanel } from '../../../assembly/validators/assignment';
import { validatorInOrder } from '../../../assembly/validators/validators';
import { freshState, newValidator, TOKEN } from '../support/state';

const EVENT: usize = memory.data(32, 8);
const PANEL: usize = memory.data(16, 8);
const NOBODY: u32 = 999;

function drawn(place: usize): u32 {
  return load<u16>(PANEL + (place << 1));
}

describe('panel draw', () => {
  it('gives nobody without candidates and the only candidate otherwise', () => {
    freshState();
    expect(drawPanel(EVENT, 0, NOBODY, NOBODY, 3, PANEL)).toBe(0);
    const only = newValidator(0, 25000 * TOKEN, 5000);
    expect(drawPanel(EVENT, 0, NOBODY, NOBODY, 3, PANEL)).toBe(1);
    expect(drawn(0)).toBe(0);
    expect(drawPanel(EVENT, 0, only.agent, NOBODY, 3, PANEL)).toBe(0);
    expect(drawPanel(EVENT, 0, NOBODY, only.agent, 3, PANEL)).toBe(0);
  });

  it('passes over the excluded and those below 25,000 tokens on the testnet', () => {
    freshState();
    newValidator(0, 25000 * TOKEN - 1, 5000);
    newValidator(1, 25000 * TOKEN, 5000, VALIDATOR_EXCLUDED);
    newValidator(2, 25000 * TOKEN, 5000);
    expect(drawPanel(EVENT, 0, NOBODY, NOBODY, 3, PANEL)).toBe(1);
    expect(drawn(0)).toBe(2);
  });

  it('draws three distinct ones, the same each time', () => {
    freshState();
    for (let i: u64 = 0; i < 7; i++) newValidator(i, 25000 * TOKEN, 5000);
    for (let event: u64 = 0; event < 200; event++) {
      store<u64>(EVENT, event);
      expect(drawPanel(EVENT, 1, NOBODY, NOBODY, 3, PANEL)).toBe(3);
      const first = load<u64>(PANEL);
      expect(drawn(0)).not.toBe(drawn(1));
      expect(drawn(0)).not.toBe(drawn(2));
      expect(drawn(1)).not.toBe(drawn(2));
      drawPanel(EVENT, 1, NOBODY, NOBODY, 3, PANEL);
      expect(load<u64>(PANEL)).toBe(first);
    }
  });

  it('draws the probationary three times in ten against a full one', () => {
    freshState();
    newValidator(0, 25000 * TOKEN, 5000);
    newValidator(1, 25000 * TOKEN, 5000, VALIDATOR_PROBATION);
    let second: u32 = 0;
    for (let event: u64 = 0; event < 2600; event++) {
      store<u64>(EVENT, event);
      drawPanel(EVENT, 0, NOBODY, NOBODY, 1, PANEL);
      second += drawn(0);
    }
    // 3,000 of 13,000: 600 expected of 2,600, standard deviation 21.
    expect(second).toBeGreaterThan(500);
    expect(second).toBeLessThan(700);
  });

  it('orders candidates by id, whenever they came', () => {
    freshState();
    newValidator(5, TOKEN, 5000);
    newValidator(30, TOKEN, 5000);
    newValidator(1, TOKEN, 5000);
    expect(validatorInOrder(0)).toBe(2);
    expect(validatorInOrder(1)).toBe(0);
    expect(validatorInOrder(2)).toBe(1);
  });
});
