// Direct hire: who may claim, and what follows when nothing comes of it (protocol 7.1.1, the worked example).

import {
  RESOLUTION_EXPIRED,
  TASK_CANCELLED,
  TASK_OPEN,
  TASK_RESERVED,
  TASK_RESERVED_OR_REFUND,
} from '../../../assembly/abi';
import { Agent, agentIndex } from '../../../assembly/ledger/agents';
import { SUPPLY } from '../../../assembly/ledger/money';
import { fullSupply } from '../../../assembly/run/audit';
import { header } from '../../../assembly/state/header';
import { nextDeadlineSecs } from '../../../assembly/state/timers';
import { isClaimBarred, isRouteBarred } from '../../../assembly/tasks/bars';
import { expireClaim } from '../../../assembly/tasks/claims';
import { fireTask } from '../../../assembly/tasks/deadlines';
import { clearNotice, noteOpened, openNotice } from '../../../assembly/tasks/open-set';
import { isReserved } from '../../../assembly/tasks/reservation';
import { isKeptForOther, keepFor } from '../../../assembly/tasks/routing';
import { Task, taskRow } from '../../../assembly/tasks/rows';
import { freshState, LAUNCH, newAgent, TOKEN } from '../support/state';
import { claimBy, postTask } from '../support/tasks';

const DAY: u64 = 86400;

function hire(poster: Agent, worker: Agent, flags: u32, secs: u64 = DAY): Task {
  const task = postTask(1, poster, 2 * TOKEN);
  task.flags |= flags;
  keepFor(task, agentIndex(worker), LAUNCH + secs);
  return task;
}

describe('a reserved task', () => {
  it('is kept for its agent, and opens to all at the end if its poster wants that', () => {
    freshState();
    const bob = newAgent(2, 0, 0);
    const task = hire(newAgent(1, 300 * TOKEN, 0), bob, TASK_RESERVED);
    expect(isKeptForOther(task, agentIndex(bob), LAUNCH)).toBe(false);
    expect(isKeptForOther(task, 9, LAUNCH + DAY - 1)).toBe(true);
    expect(nextDeadlineSecs()).toBe(LAUNCH + DAY);
    fireTask(task, LAUNCH + DAY);
    expect<i32>(task.status).toBe(TASK_OPEN);
    expect(isReserved(task)).toBe(false);
    expect(task.routedTo).toBe(0);
    expect(isRouteBarred(task, agentIndex(bob))).toBe(true);
    expect(isClaimBarred(task, agentIndex(bob))).toBe(false);
    expect(nextDeadlineSecs()).toBe(LAUNCH + 30 * DAY);
  });

  it('is refunded at the end otherwise', () => {
    freshState();
    const alice = newAgent(1, 300 * TOKEN, 0);
    const task = hire(alice, newAgent(2, 0, 0), TASK_RESERVED | TASK_RESERVED_OR_REFUND);
    expect(alice.balance).toBe(298 * TOKEN);
    fireTask(task, LAUNCH + DAY);
    expect<i32>(task.status).toBe(TASK_CANCELLED);
    expect<i32>(task.resolution).toBe(RESOLUTION_EXPIRED);
    expect(alice.balance).toBe(300 * TOKEN);
    expect(fullSupply()).toBe(SUPPLY);
  });

  it('never outlives the task', () => {
    freshState();
    const task = hire(newAgent(1, 300 * TOKEN, 0), newAgent(2, 0, 0), TASK_RESERVED, 31 * DAY);
    expect(nextDeadlineSecs()).toBe(LAUNCH + 30 * DAY);
    fireTask(task, LAUNCH + 30 * DAY);
    expect<i32>(task.status).toBe(TASK_CANCELLED);
  });

  it('is not announced to the router before it is open to all', () => {
    freshState();
    const task = hire(newAgent(1, 300 * TOKEN, 0), newAgent(2, 0, 0), TASK_RESERVED);
    clearNotice();
    noteOpened(task);
    expect(openNotice().opened).toBe(0);
    fireTask(task, LAUNCH + DAY);
    expect(openNotice().opened).toBe(taskRow(task) + 1);
  });

  it("is refunded or open when its agent's claim expires, and that is a failure", () => {
    for (let refunds = 0; refunds < 2; refunds++) {
      freshState();
      const alice = newAgent(1, 300 * TOKEN, 0);
      const bob = newAgent(2, 0, 0);
      const flags = refunds == 1 ? TASK_RESERVED | TASK_RESERVED_OR_REFUND : TASK_RESERVED;
      const task = hire(alice, bob, flags);
      claimBy(task, bob);
      expireClaim(task, LAUNCH + 610);
      expect<i32>(task.status).toBe(refunds == 1 ? TASK_CANCELLED : TASK_OPEN);
      expect(alice.balance).toBe((refunds == 1 ? 300 : 298) * TOKEN);
      expect(bob.failed).toBe(1);
      expect(header().itemsReserved).toBe(0);
      expect(fullSupply()).toBe(SUPPLY);
      if (refunds == 0) expect(isClaimBarred(task, agentIndex(bob))).toBe(true);
    }
  });
});
