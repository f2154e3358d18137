// Whether a page that stays open behaves: memory that does not grow, little processor time, frames that keep coming.

export interface PageSample {
  /** By a clock that only runs forward. */
  seconds: number;
  /** Of the page's own thread, since it was opened. */
  busySeconds: number;
  /** After a collection. */
  heapBytes: number;
  /** Elements, those that are no longer shown included. */
  nodes: number;
  /** Since the page was opened. */
  frames: number;
}

/** Of one processor. */
const MAX_BUSY = 0.1;
/** Of the last third of the time over the middle third: the first fills lists up to their bounds. */
const MAX_GROWTH = 1.15;
const MIN_GROWTH_BYTES = 2_000_000;
/** The slowest interval beside the median. */
const MIN_FRAMES = 0.5;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** What is beyond its bound, one sentence each. Needs at least four samples. */
export function judgePage(samples: readonly PageSample[]): string[] {
  if (samples.length < 4) return ['there are too few samples'];
  const faults: string[] = [];
  const third = Math.floor(samples.length / 3);
  const [middle, last] = [samples.slice(third, -third), samples.slice(-third)];
  const [before, after] = [middle, last].map((part) => median(part.map(({ heapBytes }) => heapBytes)));
  if (after! > before! * MAX_GROWTH && after! - before! > MIN_GROWTH_BYTES)
    faults.push(`memory grew from ${before} to ${after} bytes`);
  const [first, end] = [samples[0]!, samples.at(-1)!];
  const busy = (end.busySeconds - first.busySeconds) / (end.seconds - first.seconds);
  if (busy > MAX_BUSY) faults.push(`the page took ${(busy * 100).toFixed(1)} % of a processor`);
  const rates = samples
    .slice(1)
    .map((now, i) => (now.frames - samples[i]!.frames) / (now.seconds - samples[i]!.seconds));
  if (Math.min(...rates) < median(rates) * MIN_FRAMES)
    faults.push(`frames fell to ${Math.min(...rates).toFixed(0)} a second, from ${median(rates).toFixed(0)}`);
  return faults;
}
