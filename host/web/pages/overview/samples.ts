// Samples of the node as charts need them: a slot for every step, the quantiles of all of them, texts.

import type { Trend, TrendSample } from '../../../client/index.ts';

export interface Slot {
  /** Unix seconds of its beginning. */
  time: number;
  /** Undefined while the node did not run. */
  sample: TrendSample | undefined;
}

const COUNTS: Readonly<Record<string, number>> = { hour: 60, day: 96, week: 168 };

/** Every step of the span up to now, with or without a sample. */
export function slotsOf({ span, step_seconds: step, samples }: Trend, nowSecs: number): Slot[] {
  // The node's clock decides what is newest: that of this browser may be off.
  const newest = samples.at(-1)?.time ?? nowSecs - (nowSecs % step);
  const count = COUNTS[span] ?? samples.length;
  const byTime = new Map(samples.map((sample) => [sample.time, sample]));
  return Array.from({ length: count }, (_, i) => {
    const time = newest - (count - 1 - i) * step;
    return { time, sample: byTime.get(time) };
  });
}

/** The upper bound of the bucket in which the write of that rank is; the last bucket has none above it. */
function boundAt(counts: readonly number[], bounds: readonly number[], part: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (const [i, count] of counts.entries()) {
    seen += count;
    if (count > 0 && seen >= total * part) return bounds[i] ?? bounds.at(-1);
  }
  return undefined;
}

/** Over all samples, microseconds; undefined without writes. */
export function quantiles({ samples, latency_bounds: bounds }: Trend): {
  p50: number | undefined;
  p99: number | undefined;
} {
  const counts = [...bounds, 0].map((_, i) => samples.reduce((sum, s) => sum + (s.latencies[i] ?? 0), 0));
  return { p50: boundAt(counts, bounds, 0.5), p99: boundAt(counts, bounds, 0.99) };
}

/** `850 µs`, `2.5 ms`, `1.2 s`. */
export function formatLatency(us: number | undefined): string {
  if (us === undefined) return '–';
  if (us < 1000) return `${Math.round(us)} µs`;
  const [value, unit] = us < 1_000_000 ? [us / 1000, 'ms'] : [us / 1_000_000, 's'];
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ${unit}`;
}

/** Per second, with as many digits as say something. */
export function formatRate(count: number, secs: number): string {
  if (secs <= 0 || count === 0) return '0';
  const rate = count / secs;
  return rate >= 10
    ? String(Math.round(rate))
    : rate >= 0.01
      ? String(Number(rate.toFixed(2)))
      : 'below 0.01';
}
