// The memory map of an epoch, and the allocation of memory.
// Keeps: nothing is freed before the epoch ends (consensus 5.12); allocated memory is not cleared. Rows and id index
// are reserved at init for the maximum of vertices and touched only as they fill; masks, parents, rounds and slots are
// allocated at the end. A caller reserves memory before it changes anything, so a failed allocation leaves no trace.

import { KeyIndex } from '../lib/key-index';

const DAG: usize = memory.data(128, 16);
const INDEX: usize = memory.data(64, 16);

const PAGE_SHIFT: usize = 16;
const MAX_PAGES: usize = 16384;
/** Pages added at a time, so that the host seldom has to renew its views. */
const GROW_PAGES: usize = 32;

@unmanaged
export class Dag {
  quorumWeight: u64;
  totalWeight: u64;
  /** End of the allocated part, and of memory. Both 0 before init. */
  cursor: usize;
  end: usize;

  maxVertices: u32;
  vertexCount: u32;
  rows: usize;
  /** Slots of the id index; the region is as large as it can get. */
  slots: usize;

  seatCount: u32;
  /** 64-bit words of a mask of seats. */
  creatorWords: u32;
  minParticipants: u32;
  maxParents: u32;
  weights: usize;
  /** Mask of the seats with weight. */
  weighted: usize;
  /** For each byte of a creator mask, the weight of each of its values. */
  byteWeights: usize;
  /** A set with fewer weighted seats is never a quorum; one with `surelySeats` always is. */
  minSeats: u32;
  surelySeats: u32;

  /** Address of each round's record. */
  rounds: usize;
  maxRounds: u32;
  maxRound: u32;
  /** Number of witnesses of all rounds, other than the first of their creator in a round. */
  extraCount: u32;
  /** Widest mask so far, in words. */
  maxWords: u32;
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

/** Makes sure that `bytes` can be allocated. False when memory is exhausted. */
export function reserve(bytes: usize): bool {
  const d = dag();
  if (bytes <= d.end - d.cursor) return true;
  const size = <usize>memory.size();
  const need = (bytes - (d.end - d.cursor) + 0xffff) >> PAGE_SHIFT;
  if (need > MAX_PAGES - size) return false;
  if (memory.grow(<i32>min(max(need, GROW_PAGES), MAX_PAGES - size)) < 0) return false;
  d.end = (<usize>memory.size()) << PAGE_SHIFT;
  return true;
}

/** Allocates reserved bytes; always a multiple of 8, so that every address is. */
export function take(bytes: usize): usize {
  const d = dag();
  const at = d.cursor;
  d.cursor = at + ((bytes + 7) & ~7);
  assert(d.cursor <= d.end, 'arena: allocated without a reservation');
  return at;
}

export function takeCleared(bytes: usize): usize {
  const at = take(bytes);
  memory.fill(at, 0, bytes);
  return at;
}
