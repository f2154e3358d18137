// What the vote and the order of an epoch keep beside the DAG: buffers, schedule, places in the sequence of slots.
// Keeps: written at init, then only by decide.ts, order.ts and slots.ts.

const EPOCH: usize = memory.data(128, 16);

@unmanaged
export class Epoch {
  /** Consensus time of the newest block taken, before that of the seal before; milliseconds. */
  timeMs: u64;
  leaderSeed: u64;
  input: usize;
  output: usize;
  /** Inclusive cumulative weights of the seats, u64 each. */
  cumulative: usize;

  /** First slot that is not decided, and first that was not taken as a block. */
  undecided: u32;
  next: u32;
  blockCount: u32;
  orderedCount: u32;

  /** Newest effective vertex of each seat, u32, and one byte each: its evidence is out. */
  heads: usize;
  proven: usize;
  /** Vertices of the block at hand in order, as entries of sort.ts; as many again; a stack of (handle, next parent). */
  entries: usize;
  spare: usize;
  stack: usize;
  entryCount: u32;
  /** Evidence of the block at hand: handles effective and void, u32 each. */
  evidence: usize;
  evidenceCount: u32;

  freeSlots: usize;
  freeCandidates: usize;
  /** Start of what rounds, masks and slots take. */
  heapStart: usize;
  /** Vertices of the snapshot at hand, and how many of them were read. */
  snapshotCount: u32;
  snapshotNext: u32;
}

export function epoch(): Epoch {
  return changetype<Epoch>(EPOCH);
}

export function clearEpoch(): void {
  memory.fill(EPOCH, 0, 128);
}
