// Work that repeats for as long as a page is open, held to a share of the time.
// Keeps: one piece at a time; after each as much rest as its length and SHARE ask for. Rest is bounded, so that no single
// long piece, such as catching up after a night, silences the rest for long.

import type { Clock } from '../../world/clock.ts';

/** Of the time, at most. */
export const SHARE = 0.1;
export const MAX_REST_MS = 60_000;

/** Runs calls one after the other, in the order in which they came. */
export type Paced = <T>(call: () => Promise<T>) => Promise<T>;

export function pacedBy(clock: Pick<Clock, 'monotonicMs' | 'setTimer'>): Paced {
  let last: Promise<unknown> = Promise.resolve();
  let freeMs = 0;
  const untilFree = async (): Promise<void> => {
    const waitMs = freeMs - clock.monotonicMs();
    if (waitMs > 0) await new Promise<void>((done) => clock.setTimer(done, waitMs));
  };
  return (call) => {
    const mine = last.then(async () => {
      await untilFree();
      const startMs = clock.monotonicMs();
      try {
        return await call();
      } finally {
        const endMs = clock.monotonicMs();
        freeMs = endMs + Math.min(MAX_REST_MS, ((endMs - startMs) * (1 - SHARE)) / SHARE);
      }
    });
    last = mine.catch(() => {});
    return mine;
  };
}
