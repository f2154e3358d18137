// What a batch means for the log: an equivocation is named once for each seat and epoch, however many vertices prove it.

import { expect, it } from 'vitest';
import type { Executed } from '../../../host/execution/executor.ts';
import { BatchFeed, type BatchFeedOptions } from '../../../host/node/batch-feed.ts';
import { toHex } from '../../../host/wire/bytes.ts';

it('an equivocation is logged once for each seat and epoch, with both vertices', () => {
  const logged: object[] = [];
  const counted: number[] = [];
  const nothing = (): void => {};
  const feed = new BatchFeed({
    clock: { monotonicMs: () => 0 },
    log: { error: (fields: object) => logged.push(fields) },
    state: { pending: { apply: nothing }, boards: { mark: nothing }, market: { apply: nothing } },
    metrics: { committed: nothing, executed: nothing, equivocations: (n: number) => counted.push(n) },
    orders: { onExecuted: nothing },
    stream: { publish: nothing },
  } as unknown as BatchFeedOptions);
  const proven = (seat: number, epoch: number, n: number): Executed['equivocations'][number] => {
    return { seat, epoch, vertices: [new Uint8Array(32).fill(n), new Uint8Array(32).fill(n + 1)] };
  };
  const batch = (...equivocations: Executed['equivocations']): void =>
    feed.onExecuted(
      { equivocations, head: {}, transactions: [], events: [], outcomes: [] } as unknown as Executed,
      0,
    );
  batch(proven(3, 0, 1));
  batch(proven(3, 0, 5), proven(4, 0, 7));
  batch(proven(3, 1, 9));
  const vertices = [1, 2].map((n) => toHex(new Uint8Array(32).fill(n)));
  expect(logged).toMatchObject([
    { seat: 3, epoch: 0, vertices },
    { seat: 4, epoch: 0 },
    { seat: 3, epoch: 1 },
  ]);
  expect(counted).toEqual([1, 2, 1]);
});
