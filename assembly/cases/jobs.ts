// The table of replay jobs: completed assured tasks that are executed again (protocol 3.9, 7.6).
// Keeps: a row is in both the table and the index, or in neither; a pending one has a timer and its reward is in
// escrow (header.replayEscrow). Closed ones stay until their task leaves.

import { JOB_PENDING } from '../abi';
import { addRow, attachIndex, clearIndex, findRow, KeyIndex, removeRow, slotCount } from '../lib/key-index';
import { attachChanged, CHANGED_ROWS_BYTES, ChangedRows, noteChanged } from '../state/changed-rows';
import { capacity, Header, header, JOBS } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';
import { giveRow, hasRow, RowStore, takeRow } from '../state/row-store';
import { startTimer, TIMER_JOB, timerOf } from '../state/timers';

export const JOB_ROW_BYTES: u32 = 120;
/** Maximum of executors for a job, one after the other (protocol 7.6). */
export const MAX_ATTEMPTS: u32 = 3;
const BY_ID: usize = memory.data(64, 8);
const CHANGED: usize = memory.data(CHANGED_ROWS_BYTES, 8);

@unmanaged
export class Job {
  id0: u64;
  id1: u64;
  id2: u64;
  id3: u64;
  /** Micro-units, in escrow while pending. */
  reward: u64;
  createdSecs: u64;
  /** End of the current attempt. */
  deadlineSecs: u64;
  /** 0 while pending. */
  closedSecs: u64;
  /** Row + 1. */
  task: u32;
  /** JOB_*, 0 in a free row. */
  status: u32;
  /** REPLAY_SAMPLED, _PROBATION or _CLUSTER. */
  reason: u32;
  attempt: u32;
  /** OUTCOME_* and ACTION_*, 0 = none. */
  outcome: u32;
  action: u32;
  severityBp: u32;
  mismatches: u32;
  /** Pool POOL_REPLAY_* to which an unpaid reward returns. */
  reserve: u32;
  /** Links free rows. */
  next: u32;
  spare: u32;
  /** Validator indexes in order of attempts; that of the current attempt is the executor. */
  executor0: u16;
  executor1: u16;
  executor2: u16;
  spare2: u16;
}

function rows(): RowStore {
  return changetype<RowStore>(changetype<usize>(header()) + offsetof<Header>('jobsUsed'));
}

export function jobAt(row: u32): Job {
  return changetype<Job>(root().jobs + <usize>row * JOB_ROW_BYTES);
}

export function jobRow(job: Job): u32 {
  return <u32>((changetype<usize>(job) - root().jobs) / JOB_ROW_BYTES);
}

/** Address of the 32-byte id. */
export function jobIdOf(job: Job): usize {
  return changetype<usize>(job);
}

/** Address of the executors (u16, MAX_ATTEMPTS). */
export function executorsOf(job: Job): usize {
  return changetype<usize>(job) + offsetof<Job>('executor0');
}

/** Validator index of the executor of the current, or last, attempt. */
export function executorOf(job: Job): u32 {
  return load<u16>(executorsOf(job) + ((<usize>(job.attempt - 1)) << 1));
}

export function changedJobs(): ChangedRows {
  return changetype<ChangedRows>(CHANGED);
}

export function attachJobs(): void {
  const r = root();
  attachIndex(
    changetype<KeyIndex>(BY_ID),
    r.jobSlots,
    slotCount(capacity(JOBS)),
    r.jobs,
    JOB_ROW_BYTES,
    0,
    32,
  );
  attachChanged(changedJobs(), r.jobStamps, r.jobList);
}

/** Rows of the table that may hold a job. */
export function jobRowsUsed(): u32 {
  return rows().used;
}

/** Index and timers from the rows; the caller has cleared the timers. */
export function rebuildJobs(): void {
  clearIndex(changetype<KeyIndex>(BY_ID));
  for (let row: u32 = 0; row < rows().used; row++) {
    const job = jobAt(row);
    if (job.status == 0) continue;
    addRow(changetype<KeyIndex>(BY_ID), row);
    if (job.status == JOB_PENDING) startTimer(timerOf(TIMER_JOB, row), job.deadlineSecs);
  }
}

/** Row of the job with the 32-byte id at the address, or -1. */
export function findJob(id: usize): i32 {
  return findRow(changetype<KeyIndex>(BY_ID), id);
}

export function hasJobRow(): bool {
  return hasRow(rows(), capacity(JOBS));
}

/** A zeroed row with this id; the caller has checked hasJobRow, fills it and starts its timer. */
export function addJob(id: usize): Job {
  const row = takeRow(rows(), root().jobs, JOB_ROW_BYTES, <u32>offsetof<Job>('next'));
  const job = jobAt(row);
  memory.copy(changetype<usize>(job), id, 32);
  addRow(changetype<KeyIndex>(BY_ID), row);
  return job;
}

/** Frees the row of a closed job. */
export function removeJob(job: Job): void {
  const row = jobRow(job);
  removeRow(changetype<KeyIndex>(BY_ID), row);
  giveRow(rows(), root().jobs, JOB_ROW_BYTES, <u32>offsetof<Job>('next'), row);
}

/** Marks the row as changed: for the state hash, the snapshot, and the images at the end of the block. */
export function touchJob(job: Job): void {
  markBytes(changetype<usize>(job), JOB_ROW_BYTES);
  noteChanged(changedJobs(), jobRow(job));
}
