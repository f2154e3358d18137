// Whether a page that stays open behaves: memory that does not grow, little processor time, frames that keep coming.

import type { CpuTime } from './threads.ts';

/** An interval in which the page was left alone, and what was measured at its end. */
export interface PageSample {
  /** Length of the interval, by a clock that only runs forward. */
  seconds: number;
  /** Spent in it. */
  cpu: CpuTime;
  /** After a collection, at the end of the interval. */
  heapBytes: number;
  /** Elements, those that are no longer shown included. */
  nodes: number;
  /** While the page was asked for every frame, after the interval. */
  framesPerSec: number;
}

/** Of one processor: the page, its workers and what the engine does for them; drawing by a processor is not the page's. */
const MAX_BUSY = 0.1;
/** Of the last third of the time over the middle third: the first fills lists up to their bounds. */
const MAX_GROWTH = 1.15;
const MIN_GROWTH_BYTES = 2_000_000;
/** Of the samples, so many may have less than half of the median: a busy machine skips some by itself. */
const MIN_FRAMES = 0.5;
const MAX_SLOW = 0.1;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export const total = (samples: readonly PageSample[], of: (s: PageSample) => number): number =>
  samples.reduce((sum, sample) => sum + of(sample), 0);

/** Of one processor, over all samples. */
export const shareOf = (samples: readonly PageSample[], of: (cpu: CpuTime) => number): number =>
  total(samples, ({ cpu }) => of(cpu)) / total(samples, ({ seconds }) => seconds);

/** What is beyond its bound, one sentence each. Needs at least four samples. */
export function judgePage(samples: readonly PageSample[]): string[] {
  if (samples.length < 4) return ['there are too few samples'];
  const faults: string[] = [];
  const third = Math.floor(samples.length / 3);
  const [middle, last] = [samples.slice(third, -third), samples.slice(-third)];
  const [before, after] = [middle, last].map((part) => median(part.map(({ heapBytes }) => heapBytes)));
  if (after! > before! * MAX_GROWTH && after! - before! > MIN_GROWTH_BYTES)
    faults.push(`memory grew from ${before} to ${after} bytes`);
  const busy = shareOf(samples, ({ main, workers, helpers }) => main + workers + helpers);
  if (busy > MAX_BUSY) faults.push(`the page took ${(busy * 100).toFixed(1)} % of a processor`);
  const rates = samples.map(({ framesPerSec }) => framesPerSec);
  const usual = median(rates);
  const slow = rates.filter((rate) => rate < usual * MIN_FRAMES).length;
  if (slow > samples.length * MAX_SLOW)
    faults.push(
      `${slow} of ${samples.length} samples had less than half of ${usual.toFixed(0)} frames a second`,
    );
  return faults;
}
