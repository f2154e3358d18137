// What the client needs from its environment: clock, timers, random bytes, fetch.
// Keeps: everything else in this folder is a function of its inputs; tests inject their own environment.

import { systemClock } from '../clock.ts';
import type { Fetch } from './transport.ts';

export interface ClientEnvironment {
  fetch: Fetch;
  nowSecs(): number;
  sleep(ms: number): Promise<void>;
  randomBytes(length: number): Uint8Array;
}

export const systemEnvironment: ClientEnvironment = {
  fetch: (url, init) => fetch(url, init),
  nowSecs: () => Math.floor(systemClock.nowMs() / 1000),
  sleep: (ms) => new Promise((resolve) => systemClock.setTimer(resolve, ms)),
  // The generator that browsers and Node share; the node's own source of randomness exists in Node only.
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};
