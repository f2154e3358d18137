// Agents whose rows changed since the host was last told: OUT_TOUCHED at the end of a block.
// Keeps: an agent stands in the list once, in order of its first change; the list is always complete.
// Derived and outside the state: the host refreshes its views with it, no rule reads it.

import { root } from '../state/root';
import { noteWatched } from './watched';

@unmanaged
class Touched {
  count: u32;
  told: u32;
  /** Changes with every list, so that old stamps do not count. */
  stamp: u32;
}
const TOUCHED: usize = memory.data(16, 8);

/** Puts an agent on the list, once for each list. */
export function noteTouched(index: u32): void {
  noteWatched(index);
  const touched = changetype<Touched>(TOUCHED);
  const at = root().touchStamps + ((<usize>index) << 2);
  if (load<u32>(at) == touched.stamp) return;
  store<u32>(at, touched.stamp);
  store<u32>(root().touchList + ((<usize>touched.count) << 2), index);
  touched.count++;
}

/** Starts an empty list. Stamps of 2^32 - 2 blocks ago would count again; 136 years at one a second. */
export function clearTouched(): void {
  const touched = changetype<Touched>(TOUCHED);
  touched.count = 0;
  touched.told = 0;
  touched.stamp++;
}

/** How many changed agents were not told yet. */
export function touchedLeft(): u32 {
  const touched = changetype<Touched>(TOUCHED);
  return touched.count - touched.told;
}

/** Copies the next `most` indexes of changed agents, in order of their first change. */
export function takeTouched(to: usize, most: u32): void {
  const touched = changetype<Touched>(TOUCHED);
  memory.copy(to, root().touchList + ((<usize>touched.told) << 2), (<usize>most) << 2);
  touched.told += most;
}
