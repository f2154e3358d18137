// The trend of a node: samples of what it executed and how it was, in a ring of rows for each span.
// Keeps: the number of rows is bounded; a row says which time it is of, so one of an earlier turn of the ring is not taken
// for a newer one. Rows are of this node alone: they have no place under a root and are not sent to others.

import type { SupplyParts } from '../core/supply-parts.ts';
import type { RowBatch, Store } from '../world/store.ts';
import { rowKey } from './prefixes.ts';
import { readJson, WriteSet } from './write-set.ts';

/** How far a span reaches back, and in which steps. `number` is stored. */
export const TREND_SPANS = {
  hour: { number: 0, stepSecs: 60, count: 60 },
  day: { number: 1, stepSecs: 900, count: 96 },
  week: { number: 2, stepSecs: 3600, count: 168 },
} as const;
export type TrendSpan = keyof typeof TREND_SPANS;

/** What is added up over a sample. */
export interface TrendSums {
  transactions: number;
  /** Amounts of executed transactions and fees taken at settlement, micro-units. */
  volume: number;
  fees: number;
  /** Writes that this node took in, by the time until they were executed: a count for each bucket. */
  latencies: readonly number[];
}

/** What holds at the end of a sample. */
export interface TrendState {
  order: number;
  agents: number;
  openTasks: number;
  parts: SupplyParts;
}

export interface TrendSample extends TrendSums, TrendState {
  /** Unix seconds of its beginning, by the clock of this node. */
  timeSecs: number;
  /** Seconds of it in which this node ran, and in which it was ready. */
  seconds: number;
  readySeconds: number;
}

const startOf = (span: TrendSpan, timeSecs: number): number =>
  timeSecs - (timeSecs % TREND_SPANS[span].stepSecs);

function keyOfRow(span: TrendSpan, startSecs: number): Uint8Array {
  const { number, stepSecs, count } = TREND_SPANS[span];
  return rowKey.trend(number, (startSecs / stepSecs) % count);
}

/** Of two samples of one step: what happened is added up, what holds is of the later one. */
export function joined(older: TrendSample, newer: TrendSample): TrendSample {
  return {
    ...newer,
    timeSecs: older.timeSecs,
    seconds: older.seconds + newer.seconds,
    readySeconds: older.readySeconds + newer.readySeconds,
    transactions: older.transactions + newer.transactions,
    volume: older.volume + newer.volume,
    fees: older.fees + newer.fees,
    latencies: newer.latencies.map((count, bucket) => count + (older.latencies[bucket] ?? 0)),
  };
}

/** Adds a sample to its step of each span: three rows, whatever was executed. */
export function trendOps(store: Store, sample: TrendSample): RowBatch {
  const set = new WriteSet(store);
  for (const span of Object.keys(TREND_SPANS) as TrendSpan[]) {
    const timeSecs = startOf(span, sample.timeSecs);
    const key = keyOfRow(span, timeSecs);
    const old = set.getJson<TrendSample>(key);
    const placed = { ...sample, timeSecs };
    set.putJson(key, old?.timeSecs === timeSecs ? joined(old, placed) : placed);
  }
  return set.ops();
}

/**
 * The samples of a span up to now, oldest first, with those that are not stored yet. A step in which the node did not run
 * is left out.
 */
export function readTrend(
  store: Store,
  span: TrendSpan,
  nowSecs: number,
  unstored: readonly TrendSample[],
): TrendSample[] {
  const { stepSecs, count } = TREND_SPANS[span];
  const newest = startOf(span, nowSecs);
  const starts = Array.from({ length: count }, (_, i) => newest - (count - 1 - i) * stepSecs);
  const rows = store.getMany(starts.map((start) => keyOfRow(span, start)));
  return starts.flatMap((timeSecs, i) => {
    const stored = readJson<TrendSample>(rows[i]);
    const fresh = unstored.filter((sample) => startOf(span, sample.timeSecs) === timeSecs);
    const all = stored?.timeSecs === timeSecs ? [stored, ...fresh] : fresh;
    return all.length === 0 ? [] : [{ ...all.reduce(joined), timeSecs }];
  });
}
