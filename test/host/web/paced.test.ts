// Work of the page that repeats: one piece at a time, and mostly rest.

import { expect, it } from 'vitest';
import { MAX_REST_MS, pacedBy, SHARE } from '../../../host/web/verify/paced.ts';

/** A clock that stands until somebody waits; a timer moves it. */
function steppedClock() {
  const clock = {
    ms: 0,
    monotonicMs: () => clock.ms,
    setTimer(fn: () => void, ms: number) {
      clock.ms += ms;
      queueMicrotask(fn);
      return () => {};
    },
  };
  return clock;
}

it('takes no more than its share of the time, and runs nothing twice at once', async () => {
  const clock = steppedClock();
  const paced = pacedBy(clock);
  let running = 0;
  let busyMs = 0;
  const piece = (ms: number) => async (): Promise<number> => {
    expect(++running).toBe(1);
    clock.ms += ms;
    busyMs += ms;
    await Promise.resolve();
    running -= 1;
    return clock.ms;
  };
  const first = paced(piece(100));
  const all = [first, ...[50, 200, 10, 400, 1].map((ms) => paced(piece(ms)))];
  expect(await first).toBe(100);
  const ends = await Promise.all(all);
  expect(ends).toEqual([...ends].sort((a, b) => a - b));
  expect((busyMs - 1) / clock.ms).toBeLessThanOrEqual(SHARE + 1e-9);
});

it('rests a bounded time after a long piece, also after one that failed', async () => {
  const clock = steppedClock();
  const paced = pacedBy(clock);
  const failing = paced(async () => {
    clock.ms += 3_600_000;
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await paced(async () => clock.ms)).toBe(3_600_000 + MAX_REST_MS);
});
