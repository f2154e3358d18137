// How late the main thread is: a histogram of the engine, which samples without running any JavaScript.

import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/** How often the engine looks; this much of what it measures is its own waiting. */
const RESOLUTION_MS = 10;

let histogram: IntervalHistogram | undefined;

/** The longest delay since the last call, ms. Watching begins with the first one, which answers 0. */
export function loopDelayMs(): number {
  if (!histogram) {
    histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    histogram.enable();
    return 0;
  }
  const longestMs = histogram.max / 1e6;
  histogram.reset();
  return Math.max(0, longestMs - RESOLUTION_MS);
}
