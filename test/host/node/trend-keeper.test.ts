// The samples that a node keeps of itself: what they add up to, how few rows they are, and what a restart leaves of them.

import { expect, it } from 'vitest';
import { quantileUs } from '../../../host/api/handlers/trend.ts';
import { Metrics } from '../../../host/metrics.ts';
import { TrendKeeper } from '../../../host/node/trend-keeper.ts';
import type { EventDoc } from '../../../host/store/documents.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { rangeOf } from '../../../host/store/prefixes.ts';
import type { TrendState } from '../../../host/store/trend-rows.ts';
import { StillClock } from '../webhooks/still-clock.ts';

const MINUTE_MS = 60_000;
const state = (order: number) => ({ order, agents: 3, openTasks: 2, parts: {} }) as unknown as TrendState;

function opened() {
  const store = new MemoryStore();
  const clock = new StillClock();
  const metrics = new Metrics();
  const node = { order: 1, isReady: true, failed: [] as Error[] };
  const keeper = (counters = metrics): TrendKeeper =>
    new TrendKeeper({
      ...{ store, clock },
      sums: () => counters.trendSums(),
      state: () => state(node.order),
      isReady: () => node.isReady,
      onFailure: (error) => node.failed.push(error),
    });
  const transfer = (amount: number) =>
    metrics.executed([{ auth: 'tx_v1', event_type: 'transfer', amount, payload: {} } as unknown as EventDoc]);
  const rows = async () => {
    let count = 0;
    for await (const _ of store.scan(rangeOf('S'))) count++;
    return count;
  };
  return { store, clock, metrics, node, keeper, transfer, rows };
}
const sum = (values: number[]): number => values.reduce((a, b) => a + b, 0);

it('every span adds up to what was counted, whether it is stored already or not', async () => {
  const { clock, metrics, node, keeper, transfer } = opened();
  const trend = keeper();
  trend.start();
  for (let minute = 0; minute < 40; minute++) {
    transfer(minute);
    metrics.orderLatency(0.004);
    node.order++;
    await clock.advance(MINUTE_MS);
  }
  transfer(1000);
  for (const span of ['hour', 'day', 'week'] as const) {
    const samples = trend.samples(span);
    expect(sum(samples.map((s) => s.transactions))).toBe(41);
    expect(sum(samples.map((s) => s.volume))).toBe(sum([...Array(40).keys()]) + 1000);
    expect(sum(samples.flatMap((s) => s.latencies))).toBe(40);
    expect(sum(samples.map((s) => s.seconds))).toBe(2400);
    expect(samples.at(-1)).toMatchObject({ order: 41, openTasks: 2 });
  }
  expect(trend.samples('hour').length).toBeGreaterThanOrEqual(40);
  expect(trend.samples('week').length).toBeLessThanOrEqual(2);
  expect(node.failed).toEqual([]);
});

it('nothing is written for a transaction: three rows a minute, in rings that do not grow', async () => {
  const { clock, keeper, transfer, rows } = opened();
  const trend = keeper();
  trend.start();
  for (let i = 0; i < 1000; i++) transfer(1);
  expect(await rows()).toBe(0);
  // A day and an hour, then a look in each hour of a week: each ring goes round.
  await clock.advance(25 * 60 * MINUTE_MS);
  expect([trend.samples('hour').length, trend.samples('day').length]).toEqual([60, 96]);
  await trend.stop();
  for (let hour = 0; hour < 170; hour++) {
    await clock.advance(59 * MINUTE_MS);
    const again = keeper(new Metrics());
    again.start();
    await clock.advance(MINUTE_MS);
    await again.stop();
  }
  expect(await rows()).toBe(60 + 96 + 168);
  // What was counted eight days ago is in no ring, although its places are.
  const last = keeper(new Metrics());
  for (const span of ['hour', 'day', 'week'] as const)
    expect(sum(last.samples(span).map((s) => s.transactions))).toBe(0);
});

it('survives a restart, and leaves out what it did not see', async () => {
  const { clock, keeper, transfer } = opened();
  const first = keeper();
  first.start();
  transfer(7);
  await clock.advance(90_000);
  await first.stop();
  await clock.advance(20 * MINUTE_MS);
  const second = keeper(new Metrics());
  second.start();
  await clock.advance(MINUTE_MS);
  const samples = second.samples('hour');
  expect(sum(samples.map((s) => s.volume))).toBe(7);
  expect(sum(samples.map((s) => s.seconds))).toBe(150);
  const gaps = samples.slice(1).map((s, i) => s.timeSecs - samples[i]!.timeSecs);
  expect(gaps.filter((gap) => gap > 60).length).toBe(1);
  // An hour later the places of the ring are the same, but what is in them is an hour old.
  await second.stop();
  await clock.advance(60 * MINUTE_MS);
  expect(
    sum(
      keeper(new Metrics())
        .samples('hour')
        .map((s) => s.volume),
    ),
  ).toBe(0);
  expect(
    sum(
      keeper(new Metrics())
        .samples('day')
        .map((s) => s.volume),
    ),
  ).toBe(7);
});

it('counts the time in which the node was not ready', async () => {
  const { clock, node, keeper } = opened();
  const trend = keeper();
  trend.start();
  await clock.advance(2 * MINUTE_MS);
  node.isReady = false;
  await clock.advance(MINUTE_MS);
  const samples = trend.samples('day');
  expect(sum(samples.map((s) => s.seconds - s.readySeconds))).toBe(60);
});

it('estimates quantiles within their bucket', () => {
  const counts = (at: Record<number, number>): number[] => Array.from({ length: 14 }, (_, i) => at[i] ?? 0);
  expect(quantileUs(counts({}), 500)).toBeUndefined();
  // All in (2.5 ms, 5 ms].
  expect(quantileUs(counts({ 2: 4 }), 500)).toBe(3750);
  expect(quantileUs(counts({ 0: 98, 12: 2 }), 990)).toBe(7_500_000);
  // Above the last bound nothing more is known.
  expect(quantileUs(counts({ 13: 1 }), 990)).toBe(10_000_000);
});
