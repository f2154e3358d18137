// What a batch means for log and metrics: an equivocation is named once for each seat and epoch, however many vertices prove
// it; one of a past that a node only catches up on wakes nobody.

import { expect, it } from 'vitest';
import type { Executed } from '../../../host/execution/executor.ts';
import { BatchFeed, type BatchFeedOptions } from '../../../host/node/batch-feed.ts';
import { toHex } from '../../../host/wire/bytes.ts';

const NOW_SECS = 1_800_000_000;

function feedOf(logged: object[], counted: number[]) {
  const nothing = (): void => {};
  const log = (level: string) => (fields: object) => logged.push({ level, ...fields });
  const feed = new BatchFeed({
    clock: { monotonicMs: () => 0, nowMs: () => NOW_SECS * 1000 },
    log: { error: log('error'), info: log('info') },
    state: { pending: { apply: nothing }, boards: { mark: nothing }, market: { apply: nothing } },
    metrics: { committed: nothing, executed: nothing, equivocations: (n: number) => counted.push(n) },
    orders: { onExecuted: nothing },
    stream: { publish: nothing },
  } as unknown as BatchFeedOptions);
  return (timeSecs: number, ...equivocations: Executed['equivocations']): void => {
    const batch = { equivocations, timeSecs, head: {}, transactions: [], events: [], outcomes: [] };
    feed.onExecuted(batch as unknown as Executed, 0);
  };
}

const proven = (seat: number, epoch: number, n: number): Executed['equivocations'][number] => {
  return { seat, epoch, vertices: [new Uint8Array(32).fill(n), new Uint8Array(32).fill(n + 1)] };
};

it('an equivocation is logged once for each seat and epoch, with both vertices', () => {
  const logged: object[] = [];
  const counted: number[] = [];
  const batch = feedOf(logged, counted);
  batch(NOW_SECS, proven(3, 0, 1));
  batch(NOW_SECS, proven(3, 0, 5), proven(4, 0, 7));
  batch(NOW_SECS - 600, proven(3, 1, 9));
  const vertices = [1, 2].map((n) => toHex(new Uint8Array(32).fill(n)));
  expect(logged).toMatchObject([
    { level: 'error', seat: 3, epoch: 0, vertices },
    { level: 'error', seat: 4, epoch: 0 },
    { level: 'error', seat: 3, epoch: 1 },
  ]);
  expect(counted).toEqual([1, 2, 1]);
});

it('one of hours ago, which a joining node executes now, is neither counted nor an error', () => {
  const logged: object[] = [];
  const counted: number[] = [];
  feedOf(logged, counted)(NOW_SECS - 7200, proven(3, 0, 1));
  expect(logged).toMatchObject([{ level: 'info', seat: 3, epoch: 0 }]);
  expect(counted).toEqual([0]);
});
