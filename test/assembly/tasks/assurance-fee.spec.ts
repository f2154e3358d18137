// The assurance fee with a replay: the example of protocol 6.4, and the share of the reserve.

import {
  GENERATION_HELD,
  POOL_CANARY,
  POOL_DISPUTE,
  POOL_REPLAY_GENERAL,
  POOL_TREASURY,
  REPLAY_CLUSTER,
  REPLAY_PENDING,
} from '../../../assembly/abi';
import { executorOf, jobAt } from '../../../assembly/cases/jobs';
import { beginSplit, endSplit, move, poolBalance, poolOf, SUPPLY } from '../../../assembly/ledger/money';
import { fullSupply } from '../../../assembly/run/audit';
import { header, nowSecs } from '../../../assembly/state/header';
import { nextDeadlineSecs } from '../../../assembly/state/timers';
import { beginReplay, fundReplay } from '../../../assembly/tasks/replays';
import { validatorAt } from '../../../assembly/validators/validators';
import {
  approvedTask,
  clusterVerifiers,
  complete,
  NOW,
  operator,
  plainTask,
  replayedTask,
  VALIDATORS,
  VERIFIERS,
  withValidators,
} from '../support/cases';
import { TOKEN } from '../support/state';

describe('F = 6,000,000 with a replay', () => {
  it('2,400,000 to the verifiers, 5,000,000 in escrow, 180,000, 117,000 and 603,000', () => {
    withValidators();
    clusterVerifiers();
    const treasury = poolBalance(POOL_TREASURY);
    const task = complete(approvedTask(1));
    const job = jobAt(task.job - 1);
    expect(job.reward).toBe(5000000);
    expect(header().replayEscrow).toBe(5000000);
    expect(poolBalance(POOL_REPLAY_GENERAL)).toBe(50 * TOKEN - 2300000);
    expect(poolBalance(POOL_DISPUTE)).toBe(180000);
    expect(poolBalance(POOL_CANARY)).toBe(117000);
    // Plus 40,000 and a remainder of 1 of the base fee.
    expect(poolBalance(POOL_TREASURY) - treasury).toBe(603000 + 40001);
    // 800,000 of the fee, 53,333 of the base fee, 333,333 of the reward.
    for (let i: u32 = 0; i < VERIFIERS; i++) expect(operator(i).balance).toBe(800000 + 53333 + 333333);
    expect(fullSupply()).toBe(SUPPLY);
  });

  it('creates a pending job with an executor who did not judge the task, and holds the value', () => {
    const task = replayedTask();
    const job = jobAt(task.job - 1);
    expect<i32>(task.replay).toBe(REPLAY_PENDING);
    expect<i32>(task.generation).toBe(GENERATION_HELD);
    expect(header().generated).toBe(0);
    expect(job.reason).toBe(REPLAY_CLUSTER);
    expect(job.attempt).toBe(1);
    expect(executorOf(job)).toBeGreaterThanOrEqual(VERIFIERS);
    expect(executorOf(job)).toBeLessThan(VALIDATORS);
    expect(job.deadlineSecs).toBe(NOW + 7200);
    expect(nextDeadlineSecs()).toBe(NOW + 7200);
    expect(task.openCases).toBe(1);
  });

  it('without a row for a job there is no replay, and the fee is split accordingly', () => {
    const task = plainTask();
    expect(task.job).toBe(0);
    expect(poolBalance(POOL_REPLAY_GENERAL)).toBe(50 * TOKEN + 1500000);
    expect(header().generated).toBe(180 * TOKEN);
  });

  it('without an executor outside of the verifiers and their cluster there is no replay', () => {
    withValidators();
    clusterVerifiers();
    for (let i: u32 = VERIFIERS; i < VALIDATORS; i++) validatorAt(i).cluster = 1;
    const task = complete(approvedTask(1));
    expect(task.job).toBe(0);
    expect(header().jobsLive).toBe(0);
    expect(poolBalance(POOL_REPLAY_GENERAL)).toBe(50 * TOKEN + 1500000);
    expect(fullSupply()).toBe(SUPPLY);
  });
});

/** Reward for an executor's part of 45 % of `fee`, with `held` in the reserve. */
function reward(fee: u64, held: u64): u64 {
  withValidators();
  clusterVerifiers();
  const task = approvedTask(1);
  move(poolOf(POOL_REPLAY_GENERAL), poolOf(POOL_TREASURY), poolBalance(POOL_REPLAY_GENERAL) - held);
  beginReplay(task, nowSecs());
  beginSplit(poolOf(POOL_TREASURY), fee);
  fundReplay(task, fee, nowSecs());
  endSplit(poolOf(POOL_TREASURY));
  expect(header().replayEscrow).toBe(jobAt(task.job - 1).reward);
  return jobAt(task.job - 1).reward;
}

describe('the reward of an executor', () => {
  it('is topped up to 5 tokens, or higher without the reserve', () => {
    expect(reward(2000000, 50 * TOKEN)).toBe(5000000);
    expect(poolBalance(POOL_REPLAY_GENERAL)).toBe(50 * TOKEN - 4100000);
    expect(reward(20000000, 50 * TOKEN)).toBe(9000000);
    expect(poolBalance(POOL_REPLAY_GENERAL)).toBe(50 * TOKEN);
  });

  it('is less when less than that may be drawn, down to nothing', () => {
    expect(reward(2000000, 26500000)).toBe(900000 + 1500000);
    expect(poolBalance(POOL_REPLAY_GENERAL)).toBe(25 * TOKEN);
    expect(reward(0, 25 * TOKEN)).toBe(0);
  });
});
