// Where everything of an epoch stands in memory, and how more is taken.
// Keeps: nothing is freed before the epoch ends (CONSENSUS 5.12); what is taken is not cleared. Rows and id index
// are reserved at init for the most vertices and touched only as they fill; masks, parents, rounds and slots are
// taken from the end of memory. A caller reserves before it changes anything, so running out leaves no trace.

import { KeyIndex } from '../lib/key-index';

const DAG: usize = memory.data(128, 16);
const INDEX: usize = memory.data(64, 16);

const PAGE_SHIFT: usize = 16;
const MOST_PAGES: usize = 16384;
/** Pages taken at once, so that the host seldom has to renew its views. */
const GROW_PAGES: usize = 32;

@unmanaged
export class Dag {
  quorumWeight: u64;
  totalWeight: u64;
  /** End of what is taken, and of memory. Both 0 before init. */
  cursor: usize;
  end: usize;

  mostVertices: u32;
  vertexCount: u32;
  rows: usize;
  /** Slots of the id index; the region is as large as it can get. */
  slots: usize;

  seatCount: u32;
  /** 64-bit words of a mask of seats. */
  creatorWords: u32;
  minParticipants: u32;
  mostParents: u32;
  weights: usize;
  /** Mask of the seats with weight. */
  weighted: usize;
  /** Weight of each value of each byte of a creator mask. */
  byteWeights: usize;
  /** With fewer seats of weight a set is no quorum; with `surelySeats` it always is one. */
  leastSeats: u32;
  surelySeats: u32;

  /** Address of each round's record. */
  rounds: usize;
  mostRounds: u32;
  maxRound: u32;
  /** Witnesses of all rounds beside the first of their creator. */
  extraCount: u32;
  /** Widest mask so far, in words. */
  mostWords: u32;
}

export function dag(): Dag {
  return changetype<Dag>(DAG);
}

export function idIndex(): KeyIndex {
  return changetype<KeyIndex>(INDEX);
}

/** Starts an epoch: everything from `start` on is free again. */
export function openArena(start: usize): void {
  memory.fill(DAG, 0, 128);
  dag().cursor = start;
  dag().end = (<usize>memory.size()) << PAGE_SHIFT;
}

/** Makes sure that `bytes` can be taken. False when memory is at its end. */
export function reserve(bytes: usize): bool {
  const d = dag();
  if (bytes <= d.end - d.cursor) return true;
  const size = <usize>memory.size();
  const need = (bytes - (d.end - d.cursor) + 0xffff) >> PAGE_SHIFT;
  if (need > MOST_PAGES - size) return false;
  if (memory.grow(<i32>min(max(need, GROW_PAGES), MOST_PAGES - size)) < 0) return false;
  d.end = (<usize>memory.size()) << PAGE_SHIFT;
  return true;
}

/** Takes bytes that were reserved; always a multiple of 8, so that every address is. */
export function take(bytes: usize): usize {
  const d = dag();
  const at = d.cursor;
  d.cursor = at + ((bytes + 7) & ~7);
  assert(d.cursor <= d.end, 'arena: taken without being reserved');
  return at;
}

export function takeCleared(bytes: usize): usize {
  const at = take(bytes);
  memory.fill(at, 0, bytes);
  return at;
}
