// Agents whose rows changed in the block, for OUT_TOUCHED at its end.
// Keeps: an agent is in the list once, in order of its first change; the list is always complete.
// Derived and outside the state: the host refreshes its views with it, no rule reads it.

import { root } from '../state/root';
import { noteWatched, watcherOf } from './watched';

@unmanaged
class Touched {
  count: u32;
  taken: u32;
  /** Changes with every list, so that old stamps do not count. */
  stamp: u32;
}
const TOUCHED: usize = memory.data(16, 8);

/** Puts an agent on the list unless it is there already. */
export function noteTouched(index: u32): void {
  noteWatched(index);
  const touched = changetype<Touched>(TOUCHED);
  const at = root().touchStamps + ((<usize>index) << 2);
  if (load<u32>(at) == touched.stamp) return;
  store<u32>(at, touched.stamp);
  store<u32>(root().touchList + ((<usize>touched.count) << 2), index);
  touched.count++;
}

/** Loads what says whether an agent is on a list (lib/warm.ts). */
export function warmTouched(index: u32): u64 {
  return load<u32>(root().touchStamps + ((<usize>index) << 2)) ^ watcherOf(index);
}

/** Starts an empty list. Stamps repeat after 2^32 - 1 blocks: 136 years at one block per second. */
export function clearTouched(): void {
  const touched = changetype<Touched>(TOUCHED);
  touched.count = 0;
  touched.taken = 0;
  touched.stamp++;
}

/** Number of changed agents not yet written. */
export function touchedLeft(): u32 {
  const touched = changetype<Touched>(TOUCHED);
  return touched.count - touched.taken;
}

/** Copies the next `limit` indexes of changed agents, in order of their first change. */
export function takeTouched(to: usize, limit: u32): void {
  const touched = changetype<Touched>(TOUCHED);
  memory.copy(to, root().touchList + ((<usize>touched.taken) << 2), (<usize>limit) << 2);
  touched.taken += limit;
}
