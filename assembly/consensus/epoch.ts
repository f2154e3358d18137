// State of votes and order of an epoch beside the DAG: buffers, leader schedule, positions in the sequence of slots.
// Keeps: written at init, then only by decide.ts, order.ts and slots.ts.

const EPOCH: usize = memory.data(128, 16);

@unmanaged
export class Epoch {
  /** Consensus time of the newest block, before the first one that of the previous seal; milliseconds. */
  timeMs: u64;
  leaderSeed: u64;
  /** Weight of the seats that are not late. */
  leadingWeight: u64;
  input: usize;
  output: usize;
  /** Leader slots of a round. */
  leaderCount: u32;
  /** A bit for each seat that is late; and for each that is late or drawn already, while a schedule is drawn. */
  late: usize;
  drawn: usize;

  /** First round with an undecided slot; round and place of the first slot that did not become a block yet. */
  undecided: u32;
  next: u32;
  nextPlace: u32;
  blockCount: u32;
  orderedCount: u32;

  /** Newest effective vertex of each seat, u32; and a byte each: its evidence was emitted. */
  heads: usize;
  proven: usize;
  /** First vertex of each seat's newest effective incarnation, u32; 0 in incarnation 0. */
  firsts: usize;
  /** Vertices of the current block in order, as entries of sort.ts; scratch of that size; a stack of (handle, next parent). */
  entries: usize;
  spare: usize;
  stack: usize;
  entryCount: u32;
  /** Evidence of the current block: handles effective and void, u32 each. */
  evidence: usize;
  evidenceCount: u32;

  freeTallies: usize;
  freeCandidates: usize;
  /** Start of the memory of rounds, masks and slots. */
  heapStart: usize;
  /** Number of vertices of the current snapshot, and how many of them were read. */
  snapshotCount: u32;
  snapshotNext: u32;
}

export function epoch(): Epoch {
  return changetype<Epoch>(EPOCH);
}

export function clearEpoch(): void {
  memory.fill(EPOCH, 0, 128);
}
