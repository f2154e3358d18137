// Bonds with the examples of protocol 15.4 and 15.6: what they are, who pays the judges, what goes back.

import {
  CONFIG_PARAMS,
  NO_QUORUM_SPLIT,
  PARAM_ROW_DEPOSIT,
  POOL_TREASURY,
  RESOLUTION_CONCEDED,
  RESOLUTION_DISPUTE_DEADLINE,
  RESOLUTION_DISPUTE_QUORUM,
  SHARES,
} from '../../../assembly/abi';
import { posterRecordOf } from '../../../assembly/credit/workers';
import { Agent, agentAt } from '../../../assembly/ledger/agents';
import { poolBalance, SUPPLY } from '../../../assembly/ledger/money';
import { findRecord, recordAt, recordFailed } from '../../../assembly/reputation/records';
import { fullSupply } from '../../../assembly/run/audit';
import { itemAt } from '../../../assembly/settlement/items';
import { addVote } from '../../../assembly/settlement/votes';
import { root } from '../../../assembly/state/root';
import { endUncontested } from '../../../assembly/tasks/answers';
import { disputeBond, judgesFee, notePosterDispute, paidJudges } from '../../../assembly/tasks/bonds';
import { expireClaim } from '../../../assembly/tasks/claims';
import { decideDispute, openDispute } from '../../../assembly/tasks/disputes';
import { deliveryOf, judgingOf, Task } from '../../../assembly/tasks/rows';
import { validatorAt } from '../../../assembly/validators/validators';
import { freshState, LAUNCH, newAgent, newValidator, setNow, TOKEN } from '../support/state';
import { claimBy, deliver, postTask } from '../support/tasks';

const EVENT: usize = memory.data(32, 8);
const NOW: u64 = LAUNCH + 100;
const BUDGET: u64 = 100 * TOKEN;
const BOND: u64 = 25 * TOKEN;
const FUNDS: u64 = 1000 * TOKEN;
/** A category that is not the task's. */
const OTHER: u32 = 3;

/** A disputed task of 100 tokens; `bond` is the worker's. */
function disputed(bond: u64, byPoster: bool = true): Task {
  freshState();
  setNow(NOW);
  for (let i: u64 = 0; i < 7; i++) newValidator(i, 25000 * TOKEN, 5000);
  const task = postTask(1, newAgent(101, FUNDS, 0), BUDGET);
  judgingOf(task).workerBond = bond;
  judgingOf(task).noQuorum = <u8>NO_QUORUM_SPLIT;
  claimBy(task, newAgent(102, FUNDS, 0));
  deliver(task, 5000);
  if (byPoster) notePosterDispute(task);
  openDispute(task, EVENT, NOW);
  return task;
}

function vote(task: Task, count: u32): void {
  const item = itemAt(deliveryOf(task).disputeItem - 1);
  for (let i: u32 = 0; i < count; i++) addVote(item, i, i % 2 == 0, 0, NOW);
}

function poster(task: Task): Agent {
  return agentAt(task.poster);
}

function worker(task: Task): Agent {
  return agentAt(task.claimer - 1);
}

function judge(index: u32): u64 {
  return agentAt(validatorAt(index).agent).balance;
}

function assertEmpty(task: Task): void {
  expect(poster(task).reserved).toBe(0);
  expect(worker(task).reserved).toBe(0);
  expect(fullSupply()).toBe(SUPPLY);
}

describe('the bond of a dispute', () => {
  it('is the budget up to 10 tokens, and a quarter of it from 40 tokens on', () => {
    expect(disputeBond(TOKEN / 10)).toBe(TOKEN / 10);
    expect(disputeBond(10 * TOKEN - 1)).toBe(9999999);
    expect(disputeBond(10 * TOKEN)).toBe(10 * TOKEN);
    expect(disputeBond(40 * TOKEN)).toBe(10 * TOKEN);
    expect(disputeBond(BUDGET)).toBe(BOND);
    expect(disputeBond(40000 * TOKEN)).toBe(10000 * TOKEN);
  });

  it('has the fee of the judges in it: a tenth of the budget, at most 50 tokens', () => {
    expect(judgesFee(TOKEN / 10)).toBe(10000);
    expect(judgesFee(BUDGET)).toBe(10 * TOKEN);
    expect(judgesFee(40000 * TOKEN)).toBe(50 * TOKEN);
  });

  it('asks one judge below 10 tokens, and five from there on', () => {
    expect(paidJudges(10 * TOKEN - 1)).toBe(1);
    expect(paidJudges(10 * TOKEN)).toBe(5);
  });

  it('is reserved of the worker at the claim and of the poster at the dispute', () => {
    const task = disputed(BOND);
    expect(worker(task).reserved).toBe(BOND);
    expect(worker(task).balance).toBe(FUNDS - BOND);
    expect(poster(task).reserved).toBe(BUDGET + BOND);
    expect(fullSupply()).toBe(SUPPLY);
  });
});

describe('the judges', () => {
  it('are paid by the poster that lost, and the rest of its bond goes to the treasury', () => {
    const task = disputed(BOND);
    vote(task, 3);
    const before = judge(1);
    const treasury = poolBalance(POOL_TREASURY);
    decideDispute(task, SHARES, RESOLUTION_DISPUTE_QUORUM, NOW);
    // Besides, the second one voted against the worker and has nothing of the base fee.
    expect(judge(1) - before).toBe(2000000);
    expect(poolBalance(POOL_TREASURY) - treasury).toBeGreaterThanOrEqual(BOND - 6000000);
    expect<u32>(posterRecordOf(task.poster).disputes).toBe(1);
    expect<u32>(posterRecordOf(task.poster).lost).toBe(1);
    expect<u32>(posterRecordOf(task.poster).won).toBe(0);
    expect<u32>(posterRecordOf(task.poster).paid).toBe(1);
    expect(poster(task).balance).toBe(FUNDS - BUDGET - BOND);
    expect(worker(task).balance).toBe(FUNDS + BUDGET - BUDGET / 1000);
    assertEmpty(task);
  });

  it('are paid by the worker that lost, with its whole bond where judges said so', () => {
    for (let quorum = 0; quorum < 2; quorum++) {
      const task = disputed(BOND);
      vote(task, 3);
      const treasury = poolBalance(POOL_TREASURY);
      const resolution = quorum == 1 ? RESOLUTION_DISPUTE_QUORUM : RESOLUTION_DISPUTE_DEADLINE;
      decideDispute(task, 0, resolution, NOW);
      const lost: u64 = quorum == 1 ? BOND : 6000000;
      expect(poster(task).balance).toBe(FUNDS);
      expect(worker(task).balance).toBe(FUNDS - lost);
      expect(poolBalance(POOL_TREASURY) - treasury).toBe(lost - 6000000);
      assertEmpty(task);
    }
  });

  it('are paid by both after a split that judges decided, and nothing goes to the treasury', () => {
    const task = disputed(BOND);
    vote(task, 5);
    const before = judge(1);
    decideDispute(task, 1, RESOLUTION_DISPUTE_QUORUM, NOW);
    expect(judge(1) - before).toBe(2000000);
    expect(poster(task).balance).toBe(FUNDS - BUDGET / 10 - TOKEN);
    expect(worker(task).balance).toBe(FUNDS + BUDGET / 10 - BUDGET / 10000 - 9 * TOKEN);
    assertEmpty(task);
  });

  it('are paid by both in a split, and whoever did not vote is not paid', () => {
    const task = disputed(BOND);
    vote(task, 1);
    const before = judge(2);
    decideDispute(task, 5, RESOLUTION_DISPUTE_DEADLINE, NOW);
    expect(judge(2)).toBe(before);
    expect(poster(task).balance).toBe(FUNDS - BUDGET / 2 - TOKEN);
    expect(worker(task).balance).toBe(FUNDS + BUDGET / 2 - BUDGET / 2000 - TOKEN);
    assertEmpty(task);
  });

  it('are paid by the poster where it asked for no bond of the worker', () => {
    const task = disputed(0);
    vote(task, 7);
    const before = judge(6);
    decideDispute(task, 0, RESOLUTION_DISPUTE_DEADLINE, NOW);
    expect(judge(6) - before).toBe(1428571);
    expect(poster(task).balance).toBe(FUNDS - 9999997);
    expect(worker(task).balance).toBe(FUNDS);
    assertEmpty(task);
  });

  it('share what there is in a dispute by the system, and take nothing of a worker that won', () => {
    const task = disputed(TOKEN + 1, false);
    vote(task, 2);
    const before = judge(0);
    decideDispute(task, 0, RESOLUTION_DISPUTE_DEADLINE, NOW);
    expect(judge(0) - before).toBe(500000);
    expect(worker(task).balance).toBe(FUNDS - TOKEN - 1);
    expect(poster(task).balance).toBe(FUNDS + 1);
    assertEmpty(task);
    const won = disputed(BOND, false);
    vote(won, 2);
    decideDispute(won, SHARES, RESOLUTION_DISPUTE_DEADLINE, NOW);
    expect(worker(won).balance).toBe(FUNDS + BUDGET - BUDGET / 1000);
    assertEmpty(won);
  });
});

describe('a dispute that is not contested', () => {
  it('costs three quarters of the bond when the worker says so, all of it when it is silent, and no stake', () => {
    for (let answered: u32 = 0; answered < 2; answered++) {
      const task = disputed(BOND + 3);
      const treasury = poolBalance(POOL_TREASURY);
      endUncontested(task, answered == 1, NOW);
      const lost: u64 = answered == 1 ? BOND + 3 - BOND / 4 : BOND + 3;
      expect<i32>(task.resolution).toBe(RESOLUTION_CONCEDED);
      expect(poolBalance(POOL_TREASURY) - treasury).toBe(lost);
      expect(worker(task).balance).toBe(FUNDS - lost);
      expect(poster(task).balance).toBe(FUNDS);
      assertEmpty(task);
    }
  });
});

describe('a claim that expires', () => {
  it('gives the bond back before the failure is recorded, so that it pays for the row of the record', () => {
    freshState();
    setNow(NOW);
    store<u64>(root().base + <usize>CONFIG_PARAMS + ((<usize>PARAM_ROW_DEPOSIT) << 3), TOKEN);
    const lazy = newAgent(102, BOND, 0);
    const task = postTask(1, newAgent(101, FUNDS, 0), BUDGET);
    judgingOf(task).workerBond = BOND;
    recordFailed(lazy, OTHER, NOW);
    claimBy(task, lazy);
    expect(lazy.balance).toBe(0);
    expireClaim(task, NOW);
    expect(lazy.reserved).toBe(0);
    const link = findRecord(lazy, task.category);
    expect(link).not.toBe(0);
    expect<u32>(recordAt(link - 1).failed).toBe(1);
    expect(lazy.balance).toBeLessThan(BOND);
    expect(fullSupply()).toBe(SUPPLY);
  });
});
