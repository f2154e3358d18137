// Images of challenges and replay jobs: fixed fields for the end of a block and for queries (abi.ts, CHALLENGE_*, JOB_*).
// Keeps: fields without a value are 0, so that equal rows have equal images.

import {
  CHALLENGE_BOND,
  CHALLENGE_BOUNTY,
  CHALLENGE_BYTES,
  CHALLENGE_CHALLENGER,
  CHALLENGE_CREATED_AT,
  CHALLENGE_DEADLINE,
  CHALLENGE_EVENT,
  CHALLENGE_FOR_FAILED,
  CHALLENGE_FOR_PARTIAL,
  CHALLENGE_FOR_SUCCEEDED,
  CHALLENGE_FORFEIT,
  CHALLENGE_OFFENSE,
  CHALLENGE_PARTICIPANTS,
  CHALLENGE_REFUNDED,
  CHALLENGE_RESOLVED_AT,
  CHALLENGE_SLASH,
  CHALLENGE_STATUS,
  CHALLENGE_TARGET,
  CHALLENGE_TASK,
  CHALLENGE_TOTAL_WEIGHT,
  JOB_ACTION,
  JOB_ATTEMPT,
  JOB_BYTES,
  JOB_CLOSED_AT,
  JOB_CREATED_AT,
  JOB_DEADLINE,
  JOB_EXECUTOR,
  JOB_MISMATCHES,
  JOB_OUTCOME,
  JOB_REASON,
  JOB_REWARD,
  JOB_SEVERITY,
  JOB_STATUS,
  JOB_TASK,
  OUT_CHALLENGE_CHALLENGER,
  OUT_CHALLENGE_ID,
  OUT_CHALLENGE_OFFENSE,
  OUT_CHALLENGE_TARGET,
  OUT_CHALLENGE_TASK,
} from '../abi';
import { Challenge, challengeAt, challengeEventOf, challengeIdOf, findChallenge } from '../cases/challenges';
import { executorOf, findJob, Job, jobAt, jobIdOf } from '../cases/jobs';
import { copy32 } from '../lib/bytes';
import { nowSecs } from '../state/header';
import { root } from '../state/root';
import { taskAt, taskIdOf } from '../tasks/rows';
import { count, countChallenge } from './challenge-quorum';

function putFigures(to: usize, challenge: Challenge): void {
  store<u64>(to + CHALLENGE_BOND, challenge.bond);
  store<u64>(to + CHALLENGE_CREATED_AT, challenge.createdSecs);
  store<u64>(to + CHALLENGE_DEADLINE, challenge.deadlineSecs);
  store<u64>(to + CHALLENGE_RESOLVED_AT, challenge.resolvedSecs);
  store<u64>(to + CHALLENGE_REFUNDED, challenge.refunded);
  store<u64>(to + CHALLENGE_FORFEIT, challenge.forfeit);
  store<u64>(to + CHALLENGE_SLASH, challenge.slash);
  store<u64>(to + CHALLENGE_BOUNTY, challenge.bounty);
}

/** Writes the fields that both challenge events begin with. */
export function writeChallengeHead(record: usize, challenge: Challenge): void {
  memory.copy(record + OUT_CHALLENGE_ID, challengeIdOf(challenge), 16);
  memory.copy(record + OUT_CHALLENGE_TASK, taskIdOf(taskAt(challenge.task - 1)), 16);
  store<u32>(record, challenge.target, OUT_CHALLENGE_TARGET);
  store<u32>(record, challenge.offense, OUT_CHALLENGE_OFFENSE);
  store<u32>(record, challenge.challenger, OUT_CHALLENGE_CHALLENGER);
}

/** Writes CHALLENGE_BYTES at the address; weights of an open one are those of `nowSecs`. */
export function writeChallenge(to: usize, challenge: Challenge, nowSecs: u64): void {
  memory.fill(to, 0, CHALLENGE_BYTES);
  memory.copy(to, challengeIdOf(challenge), 16);
  memory.copy(to + CHALLENGE_TASK, taskIdOf(taskAt(challenge.task - 1)), 16);
  copy32(to + CHALLENGE_EVENT, challengeEventOf(challenge));
  store<u32>(to + CHALLENGE_STATUS, challenge.status);
  store<u32>(to + CHALLENGE_OFFENSE, challenge.offense);
  store<u32>(to + CHALLENGE_CHALLENGER, challenge.challenger);
  store<u32>(to + CHALLENGE_TARGET, challenge.target);
  putFigures(to, challenge);
  countChallenge(challenge, nowSecs);
  const c = count();
  store<u64>(to + CHALLENGE_FOR_SUCCEEDED, c.succeeded);
  store<u64>(to + CHALLENGE_FOR_FAILED, c.failed);
  store<u64>(to + CHALLENGE_FOR_PARTIAL, c.partial);
  store<u64>(to + CHALLENGE_TOTAL_WEIGHT, c.total);
  store<u64>(to + CHALLENGE_PARTICIPANTS, c.participants);
}

/** Writes JOB_BYTES at the address. */
export function writeJob(to: usize, job: Job): void {
  memory.fill(to, 0, JOB_BYTES);
  copy32(to, jobIdOf(job));
  memory.copy(to + JOB_TASK, taskIdOf(taskAt(job.task - 1)), 16);
  store<u32>(to + JOB_STATUS, job.status);
  store<u32>(to + JOB_REASON, job.reason);
  store<u32>(to + JOB_ATTEMPT, job.attempt);
  store<u32>(to + JOB_EXECUTOR, executorOf(job));
  store<u32>(to + JOB_OUTCOME, job.outcome);
  store<u32>(to + JOB_ACTION, job.action);
  store<u32>(to + JOB_SEVERITY, job.severityBp);
  store<u32>(to + JOB_MISMATCHES, job.mismatches);
  store<u64>(to + JOB_REWARD, job.reward);
  store<u64>(to + JOB_CREATED_AT, job.createdSecs);
  store<u64>(to + JOB_DEADLINE, job.deadlineSecs);
  store<u64>(to + JOB_CLOSED_AT, job.closedSecs);
}

/** QUERY_CHALLENGE; the argument is the address of its 16-byte id field. */
export function answerChallenge(id: usize): i32 {
  const row = findChallenge(id);
  if (row < 0) return -1;
  writeChallenge(root().output, challengeAt(<u32>row), nowSecs());
  return CHALLENGE_BYTES;
}

/** QUERY_JOB; the argument is the address of its 32-byte id. */
export function answerJob(id: usize): i32 {
  const row = findJob(id);
  if (row < 0) return -1;
  writeJob(root().output, jobAt(<u32>row));
  return JOB_BYTES;
}
