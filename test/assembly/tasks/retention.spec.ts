// How long final tasks stay in the core, with their votes and cases (protocol 4.7, 7.7).

import {
  CHALLENGE_PARTIAL,
  COMPARED_EQUAL,
  OUT_CHALLENGE,
  OUT_JOB,
  OUT_TASK,
  PARAM_CANARY_RATE_BP,
  RESOLUTION_APPROVED,
  RESOLUTION_DISPUTE_QUORUM,
} from '../../../assembly/abi';
import { releaseCases, writeChangedCases } from '../../../assembly/assurance/block-end';
import { outputBytes, setOutputBytes } from '../../../assembly/io/output';
import { agentAt } from '../../../assembly/ledger/agents';
import { SUPPLY } from '../../../assembly/ledger/money';
import { rebuildTables } from '../../../assembly/run/attach';
import { fullSupply } from '../../../assembly/run/audit';
import { hasSaneCases } from '../../../assembly/run/audit-cases';
import { hasSaneSums } from '../../../assembly/run/audit-sums';
import { hasSaneTasks } from '../../../assembly/run/audit-tasks';
import { fireTimers } from '../../../assembly/run/timers';
import { chainVote } from '../../../assembly/settlement/votes';
import { capacity, header, JOBS } from '../../../assembly/state/header';
import { root } from '../../../assembly/state/root';
import { nextDeadlineSecs } from '../../../assembly/state/timers';
import { releaseTasks, writeChangedTasks } from '../../../assembly/tasks/block-end';
import { cancelByDispute, completeTask } from '../../../assembly/tasks/completion';
import { deliveryOf, findTask, taskIdOf, taskRow } from '../../../assembly/tasks/rows';
import { linkChild } from '../../../assembly/tasks/subtasks';
import { isStakeLocked } from '../../../assembly/validators/lock';
import {
  approvedTask,
  complete,
  DAY,
  NOW,
  operator,
  plainTask,
  replayedTask,
  withValidators,
} from '../support/cases';
import { jobOf, opened, submit } from '../support/challenges';
import { freshState, LAUNCH, newAgent, setNow, TOKEN } from '../support/state';
import { claimBy, deliver, panelVote, postTask } from '../support/tasks';

const ID: usize = memory.data(16, 8);

/** The end of a block: everything is written, then leaving tasks leave. */
function endBlock(): void {
  setOutputBytes(0);
  assert(writeChangedTasks() && writeChangedCases(), 'it did not fit');
  releaseCases();
  releaseTasks();
}

/** Moves time, fires due timers and ends a block. */
function blockAt(secs: u64): void {
  setNow(secs);
  setOutputBytes(0);
  fireTimers(secs);
  endBlock();
}

/** Number of records of a kind with a code in the out buffer. */
function written(kind: u32, code: u32): u32 {
  let count: u32 = 0;
  for (let at: usize = 0; at < outputBytes(); at += load<u32>(root().output + at, 4)) {
    const record = root().output + at;
    if (load<u16>(record) == <u16>kind && load<u16>(record, 2) == <u16>code) count++;
  }
  return count;
}

/** True when the rows pass the checks of an import. */
function isSane(): bool {
  return hasSaneTasks() && hasSaneCases() && hasSaneSums() && fullSupply() == SUPPLY;
}

describe('an assured task that was completed', () => {
  it('stays 7 days, then leaves with its votes', () => {
    withValidators();
    const task = approvedTask(1);
    header().jobsLive = 50;
    task.voteHead = chainVote(0, 4, true, 5, NOW);
    completeTask(task, RESOLUTION_DISPUTE_QUORUM, NOW);
    header().jobsLive = 0;
    endBlock();
    expect(written(OUT_TASK, 0)).toBe(1);
    expect(header().tasksLive).toBe(1);
    expect(header().votesLive).toBe(1);
    expect(nextDeadlineSecs()).toBe(NOW + 7 * DAY);
    expect(isSane()).toBe(true);
    blockAt(NOW + 7 * DAY - 1);
    expect(written(OUT_TASK, 0)).toBe(0);
    blockAt(NOW + 7 * DAY);
    expect(written(OUT_TASK, 1)).toBe(1);
    expect(header().tasksLive).toBe(0);
    expect(header().votesLive).toBe(0);
    expect(nextDeadlineSecs()).toBe(0);
    expect(isSane()).toBe(true);
  });

  it('locks the stakes of those who approved on its panel while it stays', () => {
    withValidators();
    const task = approvedTask(1);
    panelVote(task, 3, false);
    expect(isSane()).toBe(true);
    // The review and a dispute take longer than the lock that follows a verdict.
    const late = NOW + 14 * DAY;
    setNow(late);
    expect(isStakeLocked(operator(0), late)).toBe(true);
    header().jobsLive = capacity(JOBS);
    completeTask(task, RESOLUTION_APPROVED, late);
    header().jobsLive = 0;
    endBlock();
    expect(isStakeLocked(operator(2), late + 7 * DAY - 1)).toBe(true);
    expect(isStakeLocked(operator(3), late)).toBe(false);
    blockAt(late + 7 * DAY);
    expect(header().tasksLive).toBe(0);
    for (let i: u32 = 0; i < 4; i++) expect(isStakeLocked(operator(i), late + 7 * DAY)).toBe(false);
    expect(isSane()).toBe(true);
  });

  it('leaves with a challenge that was resolved before, whose last image is written', () => {
    const task = plainTask();
    const challenge = opened(newAgent(1, 10 * TOKEN, 0), task, 0);
    endBlock();
    expect(written(OUT_CHALLENGE, 0)).toBe(1);
    expect(isSane()).toBe(true);
    blockAt(challenge.deadlineSecs);
    expect(challenge.status).toBe(CHALLENGE_PARTIAL);
    expect(written(OUT_CHALLENGE, 0)).toBe(1);
    blockAt(NOW + 7 * DAY);
    expect(written(OUT_CHALLENGE, 1)).toBe(1);
    expect(written(OUT_TASK, 1)).toBe(1);
    expect(header().challengesLive).toBe(0);
    expect(isSane()).toBe(true);
  });

  it('stays while a challenge of it is open, also after an import', () => {
    const task = plainTask();
    setNow(NOW + 7 * DAY - 10);
    const challenge = opened(newAgent(1, 10 * TOKEN, 0), task, 0);
    endBlock();
    blockAt(NOW + 7 * DAY);
    expect(written(OUT_TASK, 0)).toBe(1);
    expect(task.isReleased).toBe(1);
    rebuildTables();
    expect(nextDeadlineSecs()).toBe(challenge.deadlineSecs);
    expect(isSane()).toBe(true);
    blockAt(challenge.deadlineSecs);
    expect(written(OUT_TASK, 1)).toBe(1);
    expect(written(OUT_CHALLENGE, 1)).toBe(1);
    expect(header().tasksLive + header().challengesLive).toBe(0);
    expect(nextDeadlineSecs()).toBe(0);
    expect(isSane()).toBe(true);
  });

  it('leaves with its replay job', () => {
    const task = replayedTask();
    memory.copy(ID, taskIdOf(task), 16);
    endBlock();
    expect(written(OUT_JOB, 0)).toBe(1);
    expect(isSane()).toBe(true);
    submit(jobOf(task), 9, COMPARED_EQUAL);
    endBlock();
    expect(written(OUT_JOB, 0)).toBe(1);
    expect(findTask(ID)).toBe(taskRow(task));
    blockAt(NOW + 7 * DAY);
    expect(written(OUT_JOB, 1)).toBe(1);
    expect(header().jobsLive).toBe(0);
    expect(findTask(ID)).toBe(-1);
    expect(isSane()).toBe(true);
  });

  it('does not keep its subtasks', () => {
    withValidators();
    const task = approvedTask(1);
    const child = postTask(7, agentAt(task.poster), TOKEN);
    child.parent = taskRow(task) + 1;
    linkChild(task, child);
    claimBy(child, newAgent(2, 0, 0));
    deliver(child, 9000);
    completeTask(child, RESOLUTION_APPROVED, NOW);
    endBlock();
    expect(header().tasksLive).toBe(2);
    complete(task);
    expect(task.childHead).toBe(0);
    expect(task.childTail).toBe(0);
    endBlock();
    expect(written(OUT_TASK, 1)).toBe(1);
    expect(header().tasksLive).toBe(1);
    expect(isSane()).toBe(true);
  });
});

describe('a cancelled task', () => {
  it('stays like a completed one if it was delivered and there are canaries, otherwise it leaves', () => {
    for (let rate: u64 = 0; rate < 2; rate++) {
      withValidators();
      store<u64>(root().base + 80 + (PARAM_CANARY_RATE_BP << 3), rate);
      const task = approvedTask(1);
      cancelByDispute(task, RESOLUTION_DISPUTE_QUORUM, true, NOW);
      endBlock();
      expect(header().tasksLive).toBe(<u32>rate);
      expect(isSane()).toBe(true);
      blockAt(NOW + 7 * DAY);
      expect(header().tasksLive).toBe(0);
      expect(isSane()).toBe(true);
    }
  });
});

describe('an unassured task', () => {
  it('leaves at the end of its block', () => {
    freshState();
    const task = postTask(1, newAgent(1, 100 * TOKEN, 0), TOKEN);
    claimBy(task, newAgent(2, 0, 0));
    deliver(task, 9000);
    panelVote(task, 0, false);
    deliveryOf(task).panelCount = 0;
    completeTask(task, RESOLUTION_APPROVED, LAUNCH + 100);
    endBlock();
    expect(written(OUT_TASK, 1)).toBe(1);
    expect(nextDeadlineSecs()).toBe(0);
  });
});
