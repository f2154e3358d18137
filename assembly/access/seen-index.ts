// Finds TxIDs in the ring: a chain for each of a number of buckets, the newest TxID first. TxIDs are forgotten oldest first,
// so a chain ends with the first one that is forgotten, and forgetting need not touch it.
// Keeps: whatever is remembered is in the chain of its bucket, and from one number of a chain to the next the TxIDs get older.
// Where numbers repeat after 2^32 TxIDs, a chain may lead to one of another bucket: the TxIDs themselves are compared.
// Buckets in use double as TxIDs are added: what is used of the memory stays in the caches.
// Derived from the ring and rebuilt after an import, so it is not part of the state or of any hash.

import { equal32 } from '../lib/bytes';
import { slotCount, tag32 } from '../lib/key-index';
import { endWarming } from '../lib/warm';
import { capacity, header, TXIDS } from '../state/header';
import { root } from '../state/root';

export const SEEN_ROW_BYTES: u32 = 40;
const FIRST_BUCKETS: u32 = 16;

@unmanaged
class SeenIndex {
  /** For each bucket u32, the number of its newest TxID. */
  heads: usize;
  /** By the low bits of a number: u32 tag of the TxID, u32 number of the one before it in its chain. */
  links: usize;
  /** Number of the oldest TxID in the ring. */
  oldest: u32;
  buckets: u32;
  /** From a tag to its bucket. */
  shift: u32;
}
const INDEX: usize = memory.data(24, 8);

function index(): SeenIndex {
  return changetype<SeenIndex>(INDEX);
}

export function seenAt(row: u32): usize {
  return root().seen + <usize>row * SEEN_ROW_BYTES;
}

/** Row of the TxID at a position from the oldest on. */
export function ringRow(position: u32): u32 {
  const row = header().seenFirst + position;
  const size = header().seenRows;
  return row < size ? row : row - size;
}

function headAt(tag: u32): usize {
  return index().heads + ((<usize>(tag >> index().shift)) << 2);
}

// There are twice as many buckets as TxIDs at least, so no two of the ring share a link.
function linkAt(number: u32): usize {
  return index().links + ((<usize>(number & ((index().buckets >> 1) - 1))) << 3);
}

function link(position: u32): void {
  const tag = tag32(seenAt(ringRow(position)));
  const number = index().oldest + position;
  const head = headAt(tag);
  store<u32>(linkAt(number), tag);
  store<u32>(linkAt(number), load<u32>(head), 4);
  store<u32>(head, number);
}

// Builds the chains of all TxIDs but the newest `left`.
function linkAll(buckets: u32, left: u32): void {
  const i = index();
  i.buckets = buckets;
  i.shift = <u32>clz<u32>(buckets) + 1;
  memory.fill(i.heads, 0, (<usize>buckets) << 2);
  for (let position: u32 = 0; position + left < header().seenCount; position++) link(position);
}

/** Points the index at its memory, half of it for the buckets, and rebuilds it from the ring. */
export function rebuildSeenIndex(): void {
  const slots = slotCount(capacity(TXIDS));
  let buckets = FIRST_BUCKETS;
  while (buckets < header().seenCount << 1) buckets <<= 1;
  index().heads = root().seenSlots;
  index().links = root().seenSlots + ((<usize>slots) << 2);
  // No bucket has number 0.
  index().oldest = 1;
  linkAll(buckets, 0);
}

/** Adds the newest TxID of the ring. */
export function linkNewest(): void {
  const count = header().seenCount;
  if (count << 1 > index().buckets) linkAll(index().buckets << 1, 1);
  link(count - 1);
}

/** The oldest `count` TxIDs leave the ring. */
export function unlinkOldest(count: u32): void {
  index().oldest += count;
}

export function isLinked(txid: usize): bool {
  const tag = tag32(txid);
  let reach = header().seenCount;
  let number = load<u32>(headAt(tag));
  while (true) {
    const position = number - index().oldest;
    if (position >= reach) return false;
    const at = linkAt(number);
    if (load<u32>(at) == tag && equal32(seenAt(ringRow(position)), txid)) return true;
    reach = position;
    number = load<u32>(at, 4);
  }
}

/** Loads the buckets of `count` tags of TxIDs, which are `strideBytes` apart (lib/warm.ts). */
export function warmBuckets(tags: usize, strideBytes: usize, count: u32): void {
  const heads = index().heads;
  const shift = index().shift;
  let loaded: u64 = 0;
  for (const end = tags + <usize>count * strideBytes; tags < end; tags += strideBytes) {
    loaded ^= load<u32>(heads + ((<usize>(load<u32>(tags) >> shift)) << 2));
  }
  endWarming(loaded);
}

/** Loads the first links of their chains, once the buckets are loaded. */
export function warmChains(tags: usize, strideBytes: usize, count: u32): void {
  const heads = index().heads;
  const shift = index().shift;
  const oldest = index().oldest;
  const most = header().seenCount;
  let loaded: u64 = 0;
  for (const end = tags + <usize>count * strideBytes; tags < end; tags += strideBytes) {
    const number = load<u32>(heads + ((<usize>(load<u32>(tags) >> shift)) << 2));
    // Without a branch, which would be guessed wrong: of an empty chain always the same link.
    loaded ^= load<u64>(linkAt(number - oldest < most ? number : 0));
  }
  endWarming(loaded);
}
