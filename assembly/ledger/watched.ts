// Agents whose rows another table derives figures from: a number for each, and a list of those that changed.
// Keeps: a watched agent that changed is in the list once until it is taken off, so figures are updated
// before they are read, whoever made the change.
// Derived and outside the state. The watcher empties the list before it begins to watch another agent.

import { zeroWords } from '../lib/bytes';

const IS_LISTED: u32 = 0x80000000;

@unmanaged
class Watched {
  /** u32 for each agent: the watcher's number, 0 = not watched, and whether it is in the list. */
  watchers: usize;
  list: usize;
  count: u32;
}
const WATCHED: usize = memory.data(24, 8);

function watched(): Watched {
  return changetype<Watched>(WATCHED);
}

function watcherAt(agent: u32): usize {
  return watched().watchers + ((<usize>agent) << 2);
}

/** Points the list at its memory: u32 for each agent; u32 for each agent watched at a time, and one spare. */
export function attachWatched(watchers: usize, agents: u32, list: usize): void {
  watched().watchers = watchers;
  watched().list = list;
  watched().count = 0;
  zeroWords(watchers, agents);
}

/** The watcher's number for an agent, below 2^31; 0 = not watched. */
export function watcherOf(agent: u32): u32 {
  return load<u32>(watcherAt(agent)) & ~IS_LISTED;
}

/** Watches an agent under a number; 0 ends it. */
export function setWatcher(agent: u32, number: u32): void {
  store<u32>(watcherAt(agent), (load<u32>(watcherAt(agent)) & IS_LISTED) | number);
}

/** Notes that an agent changed. */
export function noteWatched(agent: u32): void {
  const number = load<u32>(watcherAt(agent));
  if (number == 0 || (number & IS_LISTED) != 0) return;
  store<u32>(watcherAt(agent), number | IS_LISTED);
  store<u32>(watched().list + ((<usize>watched().count) << 2), agent);
  watched().count++;
}

/** Takes a changed agent off the list, or -1. It may no longer be watched. */
export function takeWatched(): i32 {
  if (watched().count == 0) return -1;
  watched().count--;
  const agent = load<u32>(watched().list + ((<usize>watched().count) << 2));
  store<u32>(watcherAt(agent), load<u32>(watcherAt(agent)) & ~IS_LISTED);
  return <i32>agent;
}
