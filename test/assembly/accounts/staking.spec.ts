// How much can be unstaked (protocol 4.2, 6.7).

import { releasableStake } from '../../../assembly/accounts/staking';
import { isStakeLocked } from '../../../assembly/validators/lock';
import { noteDuty, operatorOf } from '../../../assembly/validators/validators';
import { freshState, LAUNCH, newAgent, newValidator, TOKEN } from '../support/state';

const DAY: u64 = 86400;

describe('releasable stake', () => {
  it('leaves what pending transfers need, rounded up', () => {
    expect(releasableStake(100, 0, 1, 0)).toBe(100);
    expect(releasableStake(100, 80, 1, 0)).toBe(20);
    expect(releasableStake(100, 81, 4, 1000)).toBe(79);
    expect(releasableStake(100, 80, 4, 1000)).toBe(80);
  });

  it('leaves what standing does not carry, although the multiplier would', () => {
    expect(releasableStake(100, 81, 4, 30)).toBe(49);
    expect(releasableStake(100, 81, 4, 0)).toBe(19);
    expect(releasableStake(100, 81, 1, 30)).toBe(19);
    expect(releasableStake(100, 20, 4, 30)).toBe(95);
  });

  it('is 0 when exposure is already above the limit', () => {
    expect(releasableStake(100, 101, 1, 0)).toBe(0);
  });
});

describe('validator lock', () => {
  it('holds for 10 days from the last duty', () => {
    freshState();
    const validator = newValidator(0, 25000 * TOKEN, 5000);
    const operator = operatorOf(validator);
    expect(isStakeLocked(operator, LAUNCH)).toBe(false);
    noteDuty(validator, LAUNCH);
    expect(isStakeLocked(operator, LAUNCH + 10 * DAY - 1)).toBe(true);
    expect(isStakeLocked(operator, LAUNCH + 10 * DAY)).toBe(false);
    expect(isStakeLocked(newAgent(1, 0, 5), LAUNCH)).toBe(false);
  });
});
