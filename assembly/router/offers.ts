// Offers: one row for each category and each tag of a capability, in their own pool.
// Keeps: a row carries a leaf of the offer tree and space for one inner node of it (offer-tree.ts).
// Derived from capabilities and records, rebuilt after an import, not part of any hash.

import { comesFirst } from './agent-order';

export const OFFER_BYTES: u32 = 104;
/** Offers in the pool for each row of the table of capabilities. */
export const OFFERS_PER_ROW: u32 = 4;
export const PRICE_MASK: u64 = ((<u64>1) << 56) - 1;
export const CLASS_SHIFT: u64 = 56;

// "Below" means the leaves under the inner node that the row carries; the other fields describe the row's own leaf.
@unmanaged
export class Offer {
  /** Key of the label, labels.ts. */
  label: u64;
  /** Class (score.ts) in the upper byte, price in micro-units below. */
  rank: u64;
  /** For a newcomer, the bits of its tags (labels.ts); else 0. */
  tags: u64;
  /** For a tag, the bits of the categories in which the agent has a record but that it does not name. */
  seen: u64;
  /** Ranks of the first and the last leaf below. */
  low: u64;
  high: u64;
  /** Union of these bits below. */
  tagsBelow: u64;
  seenBelow: u64;
  agent: u32;
  /** The two children of the inner node (references), 0 while this row carries none. */
  left: u32;
  right: u32;
  /** Below: the agent with the largest share, the one with the most free capacity (ties: first id), and the first id. */
  best: u32;
  freest: u32;
  first: u32;
  /** Next offer of the capability, or next free row, row + 1. */
  next: u32;
  /** The agent's maximum score without match and price, bp; and its points for free capacity alone. */
  share: u16;
  free: u16;
  /** The maximum of each below. */
  bestShare: u16;
  maxFree: u16;
  /** The bit of the key, from the front, in which the two sides differ. */
  bit: u8;
  isListed: u8;
}

@unmanaged
class Pool {
  rows: usize;
  used: u32;
  free: u32;
}
const POOL: usize = memory.data(16, 8);

export function offerAt(row: u32): Offer {
  return changetype<Offer>(changetype<Pool>(POOL).rows + <usize>row * OFFER_BYTES);
}

/** Sets the memory of the pool and empties it. */
export function attachOffers(at: usize): void {
  const pool = changetype<Pool>(POOL);
  pool.rows = at;
  pool.used = 0;
  pool.free = 0;
}

/** A zeroed row; the caller has checked that one is free. */
export function takeOffer(): u32 {
  const pool = changetype<Pool>(POOL);
  let row = pool.used;
  if (pool.free == 0) {
    pool.used++;
  } else {
    row = pool.free - 1;
    pool.free = offerAt(row).next;
  }
  memory.fill(changetype<usize>(offerAt(row)), 0, OFFER_BYTES);
  return row;
}

/** Frees a row that is not in the tree. */
export function giveOffer(row: u32): void {
  const pool = changetype<Pool>(POOL);
  offerAt(row).next = pool.free;
  pool.free = row + 1;
}

// References: (row + 1) * 2, plus 1 for the leaf of the row; 0 is none.

export function leafRef(row: u32): u32 {
  return ((row + 1) << 1) | 1;
}

export function innerRef(row: u32): u32 {
  return (row + 1) << 1;
}

export function isLeaf(ref: u32): bool {
  return (ref & 1) != 0;
}

export function refRow(ref: u32): u32 {
  return (ref >> 1) - 1;
}

export function refOffer(ref: u32): Offer {
  return offerAt(refRow(ref));
}

export function lowOf(ref: u32): u64 {
  return isLeaf(ref) ? refOffer(ref).rank : refOffer(ref).low;
}

export function highOf(ref: u32): u64 {
  return isLeaf(ref) ? refOffer(ref).rank : refOffer(ref).high;
}

export function shareOf(ref: u32): u32 {
  return isLeaf(ref) ? refOffer(ref).share : refOffer(ref).bestShare;
}

export function bestOf(ref: u32): u32 {
  return isLeaf(ref) ? refOffer(ref).agent : refOffer(ref).best;
}

export function freeOf(ref: u32): u32 {
  return isLeaf(ref) ? refOffer(ref).free : refOffer(ref).maxFree;
}

export function freestOf(ref: u32): u32 {
  return isLeaf(ref) ? refOffer(ref).agent : refOffer(ref).freest;
}

export function firstOf(ref: u32): u32 {
  return isLeaf(ref) ? refOffer(ref).agent : refOffer(ref).first;
}

export function tagsOf(ref: u32): u64 {
  return isLeaf(ref) ? refOffer(ref).tags : refOffer(ref).tagsBelow;
}

export function seenOf(ref: u32): u64 {
  return isLeaf(ref) ? refOffer(ref).seen : refOffer(ref).seenBelow;
}

// True when the first of two agents wins: more points, or equal points and the first id.
function isAhead(points: u32, agent: u32, otherPoints: u32, other: u32): bool {
  return points > otherPoints || (points == otherPoints && comesFirst(agent, other));
}

/** Combines the figures of the two sides in the inner node that a row carries. */
export function sumUp(node: Offer): void {
  const left = node.left;
  const right = node.right;
  node.low = lowOf(left);
  node.high = highOf(right);
  node.tagsBelow = tagsOf(left) | tagsOf(right);
  node.seenBelow = seenOf(left) | seenOf(right);
  node.first = comesFirst(firstOf(left), firstOf(right)) ? firstOf(left) : firstOf(right);
  const isLeftBest = isAhead(shareOf(left), bestOf(left), shareOf(right), bestOf(right));
  node.bestShare = <u16>shareOf(isLeftBest ? left : right);
  node.best = bestOf(isLeftBest ? left : right);
  const isLeftFreest = isAhead(freeOf(left), freestOf(left), freeOf(right), freestOf(right));
  node.maxFree = <u16>freeOf(isLeftFreest ? left : right);
  node.freest = freestOf(isLeftFreest ? left : right);
}
