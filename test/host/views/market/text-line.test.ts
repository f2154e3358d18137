// Texts that wait to be indexed, by a clock that moves with the work.

import { expect, it } from 'vitest';
import { TextLine } from '../../../../host/views/market/text-line.ts';

/** `costMs`: of each text. `untidy`: steps that are left after each. */
function lineWith(costMs: number, untidy = 0) {
  let nowMs = 1_000;
  const soon: (() => void)[] = [];
  const timers: { atMs: number; fn: () => void }[] = [];
  const indexed: number[] = [];
  let left = 0;
  const clock = {
    monotonicMs: () => nowMs,
    soon: (fn: () => void) => void soon.push(fn),
    setTimer: (fn: () => void, ms: number) => {
      const timer = { atMs: nowMs + ms, fn };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  };
  const line = new TextLine(clock, {
    index: (agent) => {
      indexed.push(agent);
      nowMs += costMs;
      left = untidy;
    },
    tidy: () => {
      if (left > 0) nowMs += 1;
      left -= 1;
      return left > 0;
    },
  });
  /** The next turn of the loop; false when nothing is to come. */
  const turn = (): boolean => {
    const next = soon.shift();
    const timer = next ? undefined : timers.shift();
    if (timer) nowMs = Math.max(nowMs, timer.atMs);
    (next ?? timer?.fn)?.();
    return next !== undefined || timer !== undefined;
  };
  return { line, indexed, turn, timers, now: () => nowMs };
}

it('a few are indexed with their batch', () => {
  const { line, indexed, turn } = lineWith(0.5);
  for (const agent of [3, 1, 2]) line.add(agent);
  line.work();
  expect([indexed, line.size, turn()]).toEqual([[3, 1, 2], 0, false]);
});

it('many take turns of a few milliseconds, one text at least in each', () => {
  for (const [costMs, perTurn] of [
    [1, 4],
    [25, 1],
  ] as const) {
    const { line, indexed, turn } = lineWith(costMs);
    for (let agent = 0; agent < 20; agent++) line.add(agent);
    for (let before = 0; line.size > 0; before = indexed.length) {
      if (before === 0) line.work();
      else turn();
      expect(indexed.length - before).toBeLessThanOrEqual(perTurn);
    }
    expect(indexed).toEqual(Array.from({ length: 20 }, (_, i) => i));
  }
});

it('a flood has a tenth of the main thread, and an agent one place in the line', () => {
  const { line, turn, now } = lineWith(8);
  const startedMs = now();
  let texts = 0;
  while (now() - startedMs < 60_000) {
    for (let agent = 0; agent < 50; agent++) line.add(agent);
    const before = line.size;
    turn() || line.work();
    texts += before - line.size;
    expect(line.size).toBeLessThanOrEqual(50);
  }
  const share = (texts * 8) / (now() - startedMs);
  expect(share).toBeGreaterThan(0.08);
  expect(share).toBeLessThan(0.11);
});

it('what changes leave to do is done too, in the same time', () => {
  const { line, indexed, turn } = lineWith(1, 6);
  for (const agent of [1, 2]) line.add(agent);
  line.work();
  // One text and the first of its steps.
  expect(indexed).toEqual([1]);
  while (turn());
  expect(indexed).toEqual([1, 2]);
});

it('ends: nothing is indexed any more', () => {
  const { line, indexed, turn, timers } = lineWith(10);
  for (let agent = 0; agent < 20; agent++) line.add(agent);
  line.work();
  while (timers.length === 0) turn();
  const before = indexed.length;
  expect(before).toBeGreaterThan(0);
  line.end();
  expect([turn(), indexed.length, timers.length]).toEqual([false, before, 0]);
});
