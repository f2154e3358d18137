// The life of a replay job: each row of protocol 7.6, and its effect on the task's value.

import {
  ACTION_OPEN_CHALLENGE,
  CHALLENGE_FAILED,
  CHALLENGE_OPEN,
  CHALLENGE_SUCCEEDED,
  COMPARED_DIFFERS,
  COMPARED_EQUAL,
  EVENT_CHALLENGE_OPENED,
  EVENT_REPLAY_CLOSED,
  EVENT_REPLAY_CREATED,
  GENERATION_DENIED,
  GENERATION_RECOGNIZED,
  INVALID_REQUEST,
  JOB_COMPLETED,
  JOB_FAILED,
  JOB_NOT_FOUND,
  JOB_PENDING,
  NOT_ASSIGNED,
  OK,
  OP_REPLAY_SUBMIT,
  OUTCOME_MATCH,
  OUTCOME_MISMATCH,
  OUTCOME_PARTIAL_MATCH,
  POOL_REPLAY_GENERAL,
  REPLAY_COMPLETE,
  REPLAY_DISPUTED,
  REPLAY_OUTCOME_FAILED,
  TASK_STATE,
  USE_REPLAY_SUBMIT,
} from '../../../assembly/abi';
import { submitReplay } from '../../../assembly/assurance/replay-results';
import { challengeAt, challengeIdOf } from '../../../assembly/cases/challenges';
import { writeChallengeId } from '../../../assembly/cases/ids';
import { executorOf, executorsOf, jobIdOf } from '../../../assembly/cases/jobs';
import { setOutputBytes } from '../../../assembly/io/output';
import { eventIdOf } from '../../../assembly/io/system-event';
import { agentAt } from '../../../assembly/ledger/agents';
import { poolBalance, SUPPLY } from '../../../assembly/ledger/money';
import { fullSupply } from '../../../assembly/run/audit';
import { fireTimers } from '../../../assembly/run/timers';
import { CHALLENGES, capacity, header } from '../../../assembly/state/header';
import { calibrationAt } from '../../../assembly/validators/calibration';
import { validatorAt } from '../../../assembly/validators/validators';
import { NOW, operator, replayedTask, VERIFIERS } from '../support/cases';
import { jobOf, newestOf, report, submit, submitBy, vote } from '../support/challenges';
import { beginRecord, eventCount, lastEvent, result, run } from '../support/command';
import { newAgent, setNow, TOKEN } from '../support/state';

const VALUE: u64 = 180 * TOKEN;
const REWARD: u64 = 5 * TOKEN;
const SUBMISSION: u64 = 7200;

/** Moves time to a second and fires due timers. */
function passTo(secs: u64): void {
  setNow(secs);
  setOutputBytes(0);
  fireTimers(secs);
}

describe('a match', () => {
  it('pays the executor, completes the replay and recognises the value', () => {
    const task = replayedTask();
    const job = jobOf(task);
    const executor = executorOf(job);
    expect(submit(job, 9, COMPARED_EQUAL)).toBe(OK);
    expect(result(1)).toBe(executor);
    expect(result(2)).toBe(JOB_COMPLETED);
    expect(result(3)).toBe(OUTCOME_MATCH);
    expect(result(7)).toBe(REWARD);
    expect(operator(executor).balance).toBe(REWARD);
    expect(validatorAt(executor).lastDutySecs).toBe(NOW);
    expect(header().replayEscrow).toBe(0);
    expect<i32>(task.replay).toBe(REPLAY_COMPLETE);
    expect<i32>(task.generation).toBe(GENERATION_RECOGNIZED);
    expect(task.recognizedSecs).toBe(NOW);
    expect(header().generated).toBe(VALUE);
    expect(task.openCases).toBe(0);
    expect(eventCount()).toBe(1);
    expect(load<u64>(lastEvent(EVENT_REPLAY_CLOSED), 136)).toBe(REWARD);
    expect(submit(job, 9, COMPARED_EQUAL)).toBe(TASK_STATE);
    expect(fullSupply()).toBe(SUPPLY);
  });

  it('may be reported outside the code and data groups, as may a flagged partial match', () => {
    const task = replayedTask();
    expect(report(jobOf(task), OUTCOME_PARTIAL_MATCH, true)).toBe(USE_REPLAY_SUBMIT);
    expect(report(jobOf(task), OUTCOME_PARTIAL_MATCH)).toBe(OK);
    expect<i32>(task.replay).toBe(REPLAY_COMPLETE);
    expect(header().generated).toBe(VALUE);
    expect(task.challengeHead).toBe(0);
  });
});

describe('a report is refused', () => {
  it('from anybody but the executor, for an unknown job or another task, and without a baseline', () => {
    const task = replayedTask();
    const job = jobOf(task);
    expect(submitBy(operator(0), job, 9, COMPARED_EQUAL)).toBe(NOT_ASSIGNED);
    expect(submitBy(agentAt(task.poster), job, 9, COMPARED_EQUAL)).toBe(NOT_ASSIGNED);
    expect(submit(job, 0, COMPARED_EQUAL)).toBe(JOB_NOT_FOUND);
    expect(result(0)).toBe(1);
    const record = beginRecord(OP_REPLAY_SUBMIT, operator(executorOf(job)));
    store<u32>(record, 1, 144);
    expect(run(submitReplay)).toBe(JOB_NOT_FOUND);
    expect(result(0)).toBe(0);
    memory.copy(record + 96, jobIdOf(job), 32);
    store<u64>(record, 77, 128);
    expect(run(submitReplay)).toBe(INVALID_REQUEST);
    store<u64>(record, task.id0, 128);
    store<u64>(record, task.id1, 136);
    expect(run(submitReplay)).toBe(OK);
  });
});

describe('a failed attempt', () => {
  it('that is reported costs nothing, and another executor is drawn', () => {
    const task = replayedTask();
    const job = jobOf(task);
    const first = executorOf(job);
    setNow(NOW + 50);
    expect(report(job, REPLAY_OUTCOME_FAILED, true)).toBe(OK);
    expect(result(1)).toBe(first);
    expect(result(2)).toBe(JOB_PENDING);
    expect(job.attempt).toBe(2);
    expect(executorOf(job)).not.toBe(first);
    expect(executorOf(job)).toBeGreaterThanOrEqual(VERIFIERS);
    expect(job.deadlineSecs).toBe(NOW + 50 + SUBMISSION);
    expect(load<u32>(lastEvent(EVENT_REPLAY_CREATED), 120)).toBe(2);
    expect(header().calibrationCount).toBe(0);
    expect(submitBy(operator(first), job, 9, COMPARED_EQUAL)).toBe(NOT_ASSIGNED);
    expect(submit(job, 9, COMPARED_EQUAL)).toBe(OK);
  });

  it('that missed its deadline is a calibration miss', () => {
    const task = replayedTask();
    const job = jobOf(task);
    const first = executorOf(job);
    passTo(NOW + SUBMISSION - 1);
    expect(job.attempt).toBe(1);
    passTo(NOW + SUBMISSION);
    expect(job.attempt).toBe(2);
    expect(header().calibrationCount).toBe(1);
    expect(calibrationAt(0).validator).toBe(first);
    expect(calibrationAt(0).signals).toBe(1);
    expect(calibrationAt(0).correct).toBe(0);
    expect(validatorAt(first).votesDecided).toBe(0);
  });

  it('closes the job if it is the third: the reward goes to the reserve, the value is recognised', () => {
    const task = replayedTask();
    const job = jobOf(task);
    const reserve = poolBalance(POOL_REPLAY_GENERAL);
    for (let i: u64 = 1; i <= 3; i++) passTo(NOW + i * SUBMISSION);
    expect(job.status).toBe(JOB_FAILED);
    expect(job.attempt).toBe(3);
    const executors = executorsOf(job);
    expect(load<u16>(executors)).not.toBe(load<u16>(executors, 2));
    expect(load<u16>(executors)).not.toBe(load<u16>(executors, 4));
    expect(load<u16>(executors, 2)).not.toBe(load<u16>(executors, 4));
    expect(poolBalance(POOL_REPLAY_GENERAL) - reserve).toBe(REWARD);
    expect(load<u64>(lastEvent(EVENT_REPLAY_CLOSED), 144)).toBe(REWARD);
    expect<i32>(task.replay).toBe(REPLAY_COMPLETE);
    expect(header().generated).toBe(VALUE);
    expect(task.openCases).toBe(0);
    expect(fullSupply()).toBe(SUPPLY);
  });

  it('closes the job at once when nobody else can execute it', () => {
    const task = replayedTask();
    for (let i: u32 = VERIFIERS; i < 6; i++) validatorAt(i).cluster = 1;
    expect(report(jobOf(task), REPLAY_OUTCOME_FAILED)).toBe(OK);
    expect(jobOf(task).status).toBe(JOB_FAILED);
    expect(result(2)).toBe(JOB_FAILED);
    expect(result(7)).toBe(0);
  });
});

describe('a mismatch', () => {
  it('denies the value and challenges each verifier, with the executor as challenger and no bond', () => {
    const task = replayedTask();
    const job = jobOf(task);
    expect(submit(job, 9, COMPARED_DIFFERS)).toBe(OK);
    expect(result(3)).toBe(OUTCOME_MISMATCH);
    expect(result(4)).toBe(ACTION_OPEN_CHALLENGE);
    expect(result(5)).toBe(8000);
    expect(result(6)).toBe(9);
    expect<i32>(task.replay).toBe(REPLAY_DISPUTED);
    expect<i32>(task.generation).toBe(GENERATION_DENIED);
    expect(header().challengesLive).toBe(VERIFIERS);
    expect(task.openCases).toBe(VERIFIERS);
    expect(eventCount()).toBe(1 + VERIFIERS);
    let target: u32 = 0;
    for (let link = task.challengeHead; link != 0; link = challengeAt(link - 1).next) {
      const challenge = challengeAt(link - 1);
      expect(challenge.target).toBe(target++);
      expect(challenge.challenger).toBe(validatorAt(executorOf(job)).agent);
      expect(challenge.bond).toBe(0);
      expect(challenge.isProtocol).toBe(1);
      expect(challenge.deadlineSecs).toBe(NOW + 259200);
    }
  });

  it('names a challenge after the event that opened it', () => {
    const task = replayedTask();
    const id = memory.data(16, 8);
    submit(jobOf(task), 9, COMPARED_DIFFERS);
    writeChallengeId(id, eventIdOf(lastEvent(EVENT_CHALLENGE_OPENED)));
    expect(load<u64>(id)).toBe(load<u64>(challengeIdOf(newestOf(task))));
    expect(load<u64>(lastEvent(EVENT_CHALLENGE_OPENED), 64)).toBe(load<u64>(id));
  });

  it('opens no challenge when the table is full, nor twice for one target', () => {
    const task = replayedTask();
    header().challengesLive = capacity(CHALLENGES);
    report(jobOf(task), OUTCOME_MISMATCH);
    expect<i32>(task.replay).toBe(REPLAY_DISPUTED);
    expect(task.challengeHead).toBe(0);
    expect(task.openCases).toBe(0);
    expect(eventCount()).toBe(1);
  });

  it('leads to a challenge that recognises the value if it fails and withdraws it if it succeeds', () => {
    const task = replayedTask();
    newAgent(1, 0, 0);
    submit(jobOf(task), 9, COMPARED_DIFFERS);
    const first = challengeAt(task.challengeHead - 1);
    const second = challengeAt(first.next - 1);
    // Of six, the target, its cluster and the executor may not vote.
    for (let i: u32 = 2; i < 6; i++) vote(i, first, CHALLENGE_FAILED);
    expect(first.status).toBe(CHALLENGE_FAILED);
    expect<i32>(task.generation).toBe(GENERATION_RECOGNIZED);
    expect(header().generated).toBe(VALUE);
    expect(agentAt(task.claimer - 1).generated).toBe(VALUE);
    for (let i: u32 = 2; i < 6; i++) vote(i, second, CHALLENGE_SUCCEEDED);
    expect(second.status).toBe(CHALLENGE_SUCCEEDED);
    expect<i32>(task.generation).toBe(GENERATION_DENIED);
    expect(header().generated).toBe(0);
    expect(agentAt(task.claimer - 1).generated).toBe(0);
    const third = challengeAt(second.next - 1);
    expect(third.status).toBe(CHALLENGE_OPEN);
    for (let i: u32 = 3; i < 6; i++) vote(i, third, CHALLENGE_FAILED);
    vote(0, third, CHALLENGE_FAILED);
    expect(third.status).toBe(CHALLENGE_FAILED);
    expect<i32>(task.generation).toBe(GENERATION_DENIED);
    expect(fullSupply()).toBe(SUPPLY);
  });

  it('a pending replay does not recognise a value that was denied in the meantime', () => {
    const task = replayedTask();
    task.generation = <u8>GENERATION_DENIED;
    submit(jobOf(task), 9, COMPARED_EQUAL);
    expect<i32>(task.replay).toBe(REPLAY_COMPLETE);
    expect(header().generated).toBe(0);
  });
});
