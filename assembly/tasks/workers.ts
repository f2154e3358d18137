// An agent's activity as a worker: number of claimed tasks, and the times of its last trajectory commits.
// Keeps: one row for each agent, found by its index; the number of claims matches the task table; the last COMMITS
// times are enough to decide whether one more fits a window of WINDOW_SECS (protocol 4.4).

import { markBytes } from '../state/marks';
import { root } from '../state/root';

export const WORKER_ROW_BYTES: u32 = 48;
/** Maximum of tasks claimed at a time, and of commits in a window. */
export const MAX_CLAIMS: u32 = 20;
const COMMITS: u32 = 10;
const WINDOW_SECS: u32 = 60;
const TIMES: usize = 8;

@unmanaged
export class Worker {
  /** Tasks in status claimed. */
  claimed: u32;
  /** Position of the oldest time in the ring, which the next commit replaces. */
  commitPlace: u32;
}

export function workerOf(agent: u32): Worker {
  return changetype<Worker>(root().workers + <usize>agent * WORKER_ROW_BYTES);
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
  worker.commitPlace = (worker.commitPlace + 1) % COMMITS;
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
