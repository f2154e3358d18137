// An agent's activity in tasks: what it has claimed, the fees of what was settled, what its tasks drew from the replay
// reserves today, the KiB of its requests, the times of its last commits, its record as a poster.
// Keeps: one row for each agent, found by its index; number and budgets of claims match the task table; the last COMMITS
// times are enough to decide whether one more fits a window of WINDOW_SECS (protocol 4.4).

import { markBytes, warmMark } from '../state/marks';
import { root } from '../state/root';

export const WORKER_ROW_BYTES: u32 = 96;
/** Maximum of commits in a window. */
const COMMITS: u32 = 10;
const WINDOW_SECS: u32 = 60;
const TIMES: usize = 40;
const POSTER_RECORD: usize = 80;

@unmanaged
export class Worker {
  /** Tasks in status claimed. */
  claimed: u32;
  /** Position of the oldest time in the ring, which the next commit replaces. */
  commitPlace: u16;
  /** KiB that it wrote of what every agent has free once (credit/log-bytes.ts). */
  firstKib: u16;
  /** Sum of the budgets of those tasks, micro-units. */
  claimedBudget: u64;
  /** What the treasury got of the fees of settled tasks that the agent did or paid for, micro-units. */
  fees: u64;
  /** Number of a day, and what replays of its tasks drew from the replay reserves on it, micro-units. */
  drawDay: u32;
  drawn: u32;
  /** Number of a day, and the KiB that its holdings gave it free on it. */
  kibDay: u32;
  kibToday: u32;
}

/** What became of the tasks that an agent posted (protocol 15.2). */
@unmanaged
export class PosterRecord {
  /** Tasks of it whose worker was paid. */
  paid: u32;
  /** Disputes that it opened about something that was delivered, and those that gave it everything, or nothing, back. */
  disputes: u32;
  won: u32;
  lost: u32;
}

export function posterRecordOf(agent: u32): PosterRecord {
  return changetype<PosterRecord>(changetype<usize>(workerOf(agent)) + POSTER_RECORD);
}

export function workerOf(agent: u32): Worker {
  return changetype<Worker>(root().workers + <usize>agent * WORKER_ROW_BYTES);
}

/** Adds the treasury's part of the fees of a settled task to one of its parties. */
export function noteFees(agent: u32, amount: u64): void {
  if (amount == 0) return;
  workerOf(agent).fees += amount;
  markWorker(workerOf(agent));
}

/** Loads what a request changes in the row of an agent (lib/warm.ts). */
export function warmWorker(agent: u32): u64 {
  const worker = workerOf(agent);
  return worker.kibDay ^ warmMark(changetype<usize>(worker));
}

export function markWorker(worker: Worker): void {
  markBytes(changetype<usize>(worker), WORKER_ROW_BYTES);
}

// Times are kept as u32 seconds + 1, 0 = none; differences are correct even when the 32 bits overflow.
function timeAt(worker: Worker, position: u32): usize {
  return changetype<usize>(worker) + TIMES + ((<usize>position) << 2);
}

/** Seconds until the agent may commit again; 0 = now. The oldest of the last ten commits decides. */
export function commitWaitSecs(worker: Worker, nowSecs: u64): u64 {
  const oldest = load<u32>(timeAt(worker, worker.commitPlace));
  if (oldest == 0) return 0;
  const age = <u32>nowSecs + 1 - oldest;
  return age >= WINDOW_SECS ? 0 : WINDOW_SECS - age;
}

/** Records a commit; the caller has checked that the agent need not wait. */
export function noteCommit(worker: Worker, nowSecs: u64): void {
  store<u32>(timeAt(worker, worker.commitPlace), <u32>nowSecs + 1);
  worker.commitPlace = <u16>((<u32>worker.commitPlace + 1) % COMMITS);
  markWorker(worker);
}

/** Changes the date of commits from before the start of the clock; `from` and `to` are in seconds. */
export function dateWorker(worker: Worker, from: u64, to: u64): void {
  for (let position: u32 = 0; position < COMMITS; position++) {
    const at = timeAt(worker, position);
    if (load<u32>(at) == <u32>from + 1) store<u32>(at, <u32>to + 1);
  }
  markWorker(worker);
}
