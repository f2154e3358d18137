// The part of the world that browsers and Node have in common: clock, random bytes, fetch.

import type { Clock } from './clock.ts';
import type { Environment } from './world.ts';

/** As a member of the global object it is looked up by a getter each time. */
const monotonic = performance;

/** Engines take a wait that is longer for none at all. */
const MAX_WAIT_MS = 2 ** 31 - 1;

function longTimer(fn: () => void, ms: number): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const wait = (leftMs: number): void => {
    const isLast = leftMs <= MAX_WAIT_MS;
    timer = setTimeout(isLast ? fn : () => wait(leftMs - MAX_WAIT_MS), Math.min(leftMs, MAX_WAIT_MS));
  };
  wait(ms);
  return () => clearTimeout(timer);
}

export const portableClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => monotonic.now(),
  setTimer(fn, ms) {
    if (ms > MAX_WAIT_MS) return longTimer(fn, ms);
    const timer = setTimeout(fn, ms);
    return () => clearTimeout(timer);
  },
  soon: (fn) => void setTimeout(fn, 0),
};

/** getRandomValues fills at most this many bytes at a time. */
const MAX_RANDOM_BYTES = 65_536;

function randomBytes(count: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(count);
  for (let at = 0; at < count; at += MAX_RANDOM_BYTES) {
    crypto.getRandomValues(bytes.subarray(at, at + MAX_RANDOM_BYTES));
  }
  return bytes;
}

export const systemEnvironment: Environment = {
  clock: portableClock,
  randomBytes,
  fetch: (url, init) => fetch(url, init),
};
