// What an agent has under way as a worker: tasks claimed, and the times of its last trajectory commits.
// Keeps: one row for each agent, found by its index; the claims counted are exactly those of the task table;
// the last COMMITS times are enough to tell whether one more fits a window of WINDOW_SECS (DECISIONS 4.4).

import { markBytes } from '../state/marks';
import { root } from '../state/root';

export const WORKER_ROW_BYTES: u32 = 48;
/** Tasks that an agent may have claimed at a time, and commits in a window. */
export const MOST_CLAIMED: u32 = 20;
const COMMITS: u32 = 10;
const WINDOW_SECS: u32 = 60;
const TIMES: usize = 8;

@unmanaged
export class Worker {
  /** Tasks in status claimed. */
  claimed: u32;
  /** Place in the ring of times that the next commit takes: that of the oldest. */
  commitPlace: u32;
}

export function workerOf(agent: u32): Worker {
  return changetype<Worker>(root().workers + <usize>agent * WORKER_ROW_BYTES);
}

export function markWorker(worker: Worker): void {
  markBytes(changetype<usize>(worker), WORKER_ROW_BYTES);
}

// Times are kept as u32 seconds + 1, 0 = none; differences are right across a wrap of the 32 bits.
function timeAt(worker: Worker, place: u32): usize {
  return changetype<usize>(worker) + TIMES + ((<usize>place) << 2);
}

/** Seconds until the agent may commit again; 0 = now. The oldest of the last ten commits decides. */
export function commitWaitSecs(worker: Worker, nowSecs: u64): u64 {
  const oldest = load<u32>(timeAt(worker, worker.commitPlace));
  if (oldest == 0) return 0;
  const age = <u32>nowSecs + 1 - oldest;
  return age >= WINDOW_SECS ? 0 : WINDOW_SECS - age;
}

/** Notes a commit; the caller has seen that none is to be waited for. */
export function noteCommit(worker: Worker, nowSecs: u64): void {
  store<u32>(timeAt(worker, worker.commitPlace), <u32>nowSecs + 1);
  worker.commitPlace = (worker.commitPlace + 1) % COMMITS;
  markWorker(worker);
}

/** Dates the commits of before the start of the clock to it; `from` and `to` are those seconds. */
export function dateWorker(worker: Worker, from: u64, to: u64): void {
  for (let place: u32 = 0; place < COMMITS; place++) {
    const at = timeAt(worker, place);
    if (load<u32>(at) == <u32>from + 1) store<u32>(at, <u32>to + 1);
  }
  markWorker(worker);
}
