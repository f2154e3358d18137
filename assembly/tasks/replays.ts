// The start of a replay: the draw at a task's completion, its first executor, its reward
// (protocol 6.4, 6.9, 6.12, 7.6).
// Keeps: without an executor, or a row for the job, there is no replay; the reward is in escrow while the job
// is pending.

import {
  EVENT_REPLAY_CREATED,
  JOB_PENDING,
  OUT_JOB_EXECUTOR,
  OUT_JOB_ID,
  OUT_JOB_TASK,
  OUT_REPLAY_CREATED_ATTEMPT,
  OUT_REPLAY_CREATED_BYTES,
  OUT_REPLAY_CREATED_DEADLINE,
  OUT_REPLAY_CREATED_REASON,
  OUT_REPLAY_CREATED_REWARD,
  PARAM_REPLAY_SUBMISSION_SECS,
  REPLAY_PENDING,
  TASK_GENERATION_ELIGIBLE,
} from '../abi';
import { writeJobId } from '../cases/ids';
import {
  addJob,
  executorOf,
  executorsOf,
  hasJobRow,
  Job,
  jobAt,
  jobIdOf,
  jobRow,
  touchJob,
} from '../cases/jobs';
import { isReplayDrawn, ReplayCase, replayRateBp, replayReason } from '../cases/replay-draw';
import { backedTasks } from '../credit/standing';
import { beginJobEvent } from '../io/system-event';
import { agentAt } from '../ledger/agents';
import { payPart, replayEscrow } from '../ledger/money';
import { BP, TOKEN } from '../ledger/rates';
import { copy32 } from '../lib/bytes';
import { mulDiv } from '../lib/u128';
import { param } from '../state/header';
import { startTimer, TIMER_JOB, timerOf } from '../state/timers';
import { drawExecutor } from '../validators/assignment';
import { excludeValidator } from '../validators/candidates';
import { coverOfTask } from './lanes';
import { drawFromReserve } from './reserves';
import { openCase } from './retention';
import { Task, taskAt, taskIdOf, taskRow } from './rows';
import { excludeJudges, hasClusteredVerifier, hasProbationMember } from './verifiers';

/** protocol 6.4: the executor's part of the assurance fee, and the minimum to which the reserve tops it up. */
const EXECUTOR_BP: u64 = 4500;
const MIN_REWARD: u64 = 5 * TOKEN;

const JOB_ID: usize = memory.data(32, 8);
const CASE: usize = memory.data(8, 8);

// The facts of a task that is being completed; its worker's record does not contain it yet.
function factsOf(task: Task): ReplayCase {
  const facts = changetype<ReplayCase>(CASE);
  facts.isEligible = (task.flags & TASK_GENERATION_ELIGIBLE) != 0;
  const worker = agentAt(task.claimer - 1);
  facts.completed = backedTasks(worker, worker.completed);
  facts.hasProbation = hasProbationMember(task);
  facts.hasCluster = hasClusteredVerifier(task);
  return facts;
}

/** Draws the executor of an attempt (1..3) among those who are not involved in the task; validator index, or -1. */
export function drawForAttempt(task: Task, jobId: usize, attempt: u32, before: usize): i32 {
  excludeJudges(task);
  for (let i: usize = 0; i < attempt - 1; i++) excludeValidator(load<u16>(before + (i << 1)));
  return drawExecutor(jobId, task.category, attempt, coverOfTask(task));
}

/** Gives a pending job to the executor of an attempt: deadline, timer. The caller emits it. */
export function assignJob(job: Job, executor: u32, attempt: u32, nowSecs: u64): void {
  job.attempt = attempt;
  store<u16>(executorsOf(job) + ((<usize>(attempt - 1)) << 1), <u16>executor);
  job.deadlineSecs = nowSecs + param(PARAM_REPLAY_SUBMISSION_SECS);
  startTimer(timerOf(TIMER_JOB, jobRow(job)), job.deadlineSecs);
  touchJob(job);
}

/** An event about a job, with the fields that all of them have; the caller adds the others. Returns the record. */
export function beginReplayEvent(type: u32, name: string, job: Job, bytes: u32): usize {
  const record = beginJobEvent(type, name, jobIdOf(job), bytes);
  copy32(record + OUT_JOB_ID, jobIdOf(job));
  memory.copy(record + OUT_JOB_TASK, taskIdOf(taskAt(job.task - 1)), 16);
  store<u32>(record, executorOf(job), OUT_JOB_EXECUTOR);
  return record;
}

/** Emits replay_created for the current attempt of a job. */
export function emitReplayCreated(job: Job): void {
  const record = beginReplayEvent(EVENT_REPLAY_CREATED, 'replay_created', job, OUT_REPLAY_CREATED_BYTES);
  store<u32>(record, job.reason, OUT_REPLAY_CREATED_REASON);
  store<u32>(record, job.attempt, OUT_REPLAY_CREATED_ATTEMPT);
  store<u64>(record, job.reward, OUT_REPLAY_CREATED_REWARD);
  store<u64>(record, job.deadlineSecs, OUT_REPLAY_CREATED_DEADLINE);
}

/**
 * Begins the replay of an assured task that is being completed, if it is drawn and somebody can execute it; the
 * caller funds and emits it. The task still has its votes.
 */
export function beginReplay(task: Task, nowSecs: u64): void {
  const facts = factsOf(task);
  if (!hasJobRow() || !isReplayDrawn(taskIdOf(task), replayRateBp(facts))) return;
  const reason = replayReason(facts);
  writeJobId(JOB_ID, taskIdOf(task));
  const executor = drawForAttempt(task, JOB_ID, 1, 0);
  if (executor < 0) return;
  const job = addJob(JOB_ID);
  job.status = JOB_PENDING;
  job.task = taskRow(task) + 1;
  job.reason = reason;
  job.reserve = task.reserve;
  job.createdSecs = nowSecs;
  assignJob(job, <u32>executor, 1, nowSecs);
  task.job = jobRow(job) + 1;
  task.replay = <u8>REPLAY_PENDING;
  openCase(task);
}

/** True when an assurance fee pays for a replay without the reserve. */
export function paysForReplay(fee: u64): bool {
  return mulDiv(fee, EXECUTOR_BP, BP) >= MIN_REWARD;
}

/**
 * Puts the reward into escrow: the executor's part of the assurance fee, out of the open split, topped up from the
 * reserve. 6,000,000: 2,700,000, and 2,300,000 from the reserve.
 */
export function fundReplay(task: Task, fee: u64, nowSecs: u64): void {
  const part = mulDiv(fee, EXECUTOR_BP, BP);
  let reward = part;
  payPart(replayEscrow(), part);
  if (part < MIN_REWARD) {
    reward += drawFromReserve(task.reserve, task.poster, replayEscrow(), MIN_REWARD - part, nowSecs);
  }
  jobAt(task.job - 1).reward = reward;
}
