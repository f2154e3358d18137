// The rows that a status reserves, what it counts, and its timer.

import {
  LANE_STANDARD,
  RESOLUTION_EXPIRED,
  RESOLUTION_NOTHING_DELIVERED,
  RESOLUTION_POSTER_CANCELLED,
  SETTLED_REJECTED,
  TASK_CANCELLED,
  TASK_COMPLETED,
  TASK_DISPUTED,
  TASK_EXCLUSIVE,
  TASK_FACTS_HOLD,
  TASK_OPEN,
} from '../../../assembly/abi';
import { workerOf } from '../../../assembly/credit/workers';
import { agentIndex } from '../../../assembly/ledger/agents';
import { SUPPLY } from '../../../assembly/ledger/money';
import { fullSupply } from '../../../assembly/run/audit';
import { fireTimers } from '../../../assembly/run/timers';
import { itemAt } from '../../../assembly/settlement/items';
import { header } from '../../../assembly/state/header';
import { nextDeadlineSecs, timerCount } from '../../../assembly/state/timers';
import { isClaimBarred, isRouteBarred } from '../../../assembly/tasks/bars';
import { fireTask } from '../../../assembly/tasks/deadlines';
import { cancelTask } from '../../../assembly/tasks/refund';
import { assignTask, isKeptForOther } from '../../../assembly/tasks/routing';
import { deliveryOf } from '../../../assembly/tasks/rows';
import { freshState, LAUNCH, newAgent, TOKEN } from '../support/state';
import { claimBy, deliver, postTask } from '../support/tasks';

describe('reserved rows', () => {
  it('are one item and one bar for the claim of an unassured task, two items for an assured one', () => {
    freshState();
    const poster = newAgent(1, 300 * TOKEN, 0);
    const worker = newAgent(2, 0, 0);
    const plain = postTask(1, poster, TOKEN);
    const assured = postTask(2, poster, 100 * TOKEN, LANE_STANDARD);
    expect(header().itemsReserved).toBe(0);
    claimBy(plain, worker);
    expect(header().itemsReserved).toBe(1);
    claimBy(assured, worker);
    expect(header().itemsReserved).toBe(3);
    expect(workerOf(agentIndex(worker)).claimed).toBe(2);
    deliver(plain, 0);
    expect(workerOf(agentIndex(worker)).claimed).toBe(1);
    expect(header().itemsReserved).toBe(3);
    cancelTask(assured, RESOLUTION_POSTER_CANCELLED, LAUNCH);
    expect(header().itemsReserved).toBe(1);
    expect(timerCount()).toBe(1);
    expect(fullSupply()).toBe(SUPPLY);
  });
});

describe('time', () => {
  it('an open task ends after 30 days, not a second before', () => {
    freshState();
    const poster = newAgent(1, 300 * TOKEN, 0);
    const task = postTask(1, poster, TOKEN);
    expect(nextDeadlineSecs()).toBe(LAUNCH + 30 * 86400);
    fireTimers(LAUNCH + 30 * 86400 - 1);
    expect<i32>(task.status).toBe(TASK_OPEN);
    fireTimers(LAUNCH + 30 * 86400);
    expect<i32>(task.status).toBe(TASK_CANCELLED);
    expect<i32>(task.resolution).toBe(RESOLUTION_EXPIRED);
    expect(poster.balance).toBe(300 * TOKEN);
    expect(timerCount()).toBe(0);
  });

  it('an expired claim is a failure and bars the worker; the task opens again', () => {
    freshState();
    const worker = newAgent(2, 0, 0);
    const task = postTask(1, newAgent(1, 300 * TOKEN, 0), TOKEN);
    claimBy(task, worker);
    fireTimers(LAUNCH + 610);
    expect<i32>(task.status).toBe(TASK_OPEN);
    expect(task.claimer).toBe(0);
    expect(worker.failed).toBe(1);
    expect(isClaimBarred(task, agentIndex(worker))).toBe(true);
    expect(isRouteBarred(task, agentIndex(worker))).toBe(true);
    expect(task.expiresSecs).toBe(LAUNCH + 610 + 30 * 86400);
    expect(header().barsLive).toBe(1);
  });

  it('a rejecting panel at the end of the review opens a dispute in the reserved row', () => {
    freshState();
    const task = postTask(1, newAgent(1, 300 * TOKEN, 0), TOKEN);
    claimBy(task, newAgent(2, 0, 0));
    deliver(task, 100);
    deliveryOf(task).panelVerdict = <u8>SETTLED_REJECTED;
    expect(header().itemsReserved).toBe(1);
    fireTask(task, LAUNCH + 400);
    expect<i32>(task.status).toBe(TASK_DISPUTED);
    expect(header().itemsReserved).toBe(0);
    expect(header().itemsLive).toBe(1);
    expect(itemAt(deliveryOf(task).disputeItem - 1).thirdParty).toBe(task.claimer);
    expect(nextDeadlineSecs()).toBe(LAUNCH + 400 + 86400);
  });

  it('a score of 0 at the end of the review pays all the same, and what was not delivered is refunded', () => {
    freshState();
    const poster = newAgent(1, 300 * TOKEN, 0);
    const worker = newAgent(2, 0, 0);
    const paid = postTask(1, poster, TOKEN);
    claimBy(paid, worker);
    deliver(paid, 0);
    fireTask(paid, LAUNCH + 400);
    expect<i32>(paid.status).toBe(TASK_COMPLETED);
    expect(worker.balance).toBe(999000);
    const nothing = postTask(2, poster, TOKEN);
    claimBy(nothing, worker);
    deliver(nothing, 10000);
    nothing.flags &= ~TASK_FACTS_HOLD;
    fireTask(nothing, LAUNCH + 400);
    expect<i32>(nothing.status).toBe(TASK_CANCELLED);
    expect<i32>(nothing.resolution).toBe(RESOLUTION_NOTHING_DELIVERED);
    expect(poster.balance).toBe(299 * TOKEN);
    expect(fullSupply()).toBe(SUPPLY);
  });
});

describe('exclusive assignment', () => {
  it('excludes others until it lapses, after which the agent is not picked again', () => {
    freshState();
    const agent = agentIndex(newAgent(2, 0, 0));
    const task = postTask(1, newAgent(1, 300 * TOKEN, 0), TOKEN);
    task.flags |= TASK_EXCLUSIVE;
    assignTask(task, agent, LAUNCH);
    expect(isKeptForOther(task, agent, LAUNCH)).toBe(false);
    expect(isKeptForOther(task, 9, LAUNCH + 59)).toBe(true);
    expect(isKeptForOther(task, 9, LAUNCH + 60)).toBe(false);
    fireTask(task, LAUNCH + 60);
    expect(task.routedTo).toBe(0);
    expect(task.exclusiveUntilSecs).toBe(0);
    expect(isRouteBarred(task, agent)).toBe(true);
    expect(isClaimBarred(task, agent)).toBe(false);
    expect(nextDeadlineSecs()).toBe(LAUNCH + 30 * 86400);
  });

  it('excludes nobody if it is advisory', () => {
    freshState();
    const task = postTask(1, newAgent(1, 300 * TOKEN, 0), TOKEN);
    assignTask(task, 5, LAUNCH);
    expect(task.exclusiveUntilSecs).toBe(0);
    expect(isKeptForOther(task, 9, LAUNCH)).toBe(false);
  });

  it('is advisory without a row for the bar', () => {
    freshState();
    const task = postTask(1, newAgent(1, 300 * TOKEN, 0), TOKEN);
    task.flags |= TASK_EXCLUSIVE;
    header().barsLive = 50;
    assignTask(task, 5, LAUNCH);
    expect(task.routedTo).toBe(6);
    expect(task.exclusiveUntilSecs).toBe(0);
  });
});
