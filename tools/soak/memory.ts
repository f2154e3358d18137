// Whether memory stays flat: resident bytes of processes over a run, of which every one is killed now and then.
// Pure: samples in, figures out.

export interface MemorySample {
  /** Since the start of the run. */
  atMs: number;
  /** Age of the process. */
  ageMs: number;
  /** The process began on a folder that held a state. Such a one holds more from its first moment on. */
  isRestarted: boolean;
  bytes: number;
}

export interface MemoryFigures {
  /** Medians of the first and the last third of the run, MB. */
  firstMb: number;
  lastMb: number;
  mostMb: number;
  /** Of a line through all samples, MB a minute. */
  slopeMbPerMinute: number;
}

/** Younger processes still load their code and state. */
const YOUNG_MS = 8000;
const MB = 1e6;
/** What the last third may be above the first: state and indexes grow with what is written. */
const MOST_GROWTH = 1.5;
const MOST_GROWTH_MB = 100;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

function slope(samples: readonly MemorySample[]): number {
  const meanAt = samples.reduce((sum, s) => sum + s.atMs, 0) / samples.length;
  const meanBytes = samples.reduce((sum, s) => sum + s.bytes, 0) / samples.length;
  let [over, under] = [0, 0];
  for (const { atMs, bytes } of samples) {
    over += (atMs - meanAt) * (bytes - meanBytes);
    under += (atMs - meanAt) ** 2;
  }
  return under === 0 ? 0 : over / under;
}

/** Of restarted processes where there are any, else of the first. Undefined when no process got old enough. */
export function memoryFigures(samples: readonly MemorySample[]): MemoryFigures | undefined {
  const old = samples.filter(({ ageMs }) => ageMs >= YOUNG_MS);
  const restarted = old.filter(({ isRestarted }) => isRestarted);
  const grown = restarted.length > 0 ? restarted : old;
  if (grown.length === 0) return undefined;
  const [from, to] = [grown[0]!.atMs, grown.at(-1)!.atMs];
  const third = (to - from) / 3;
  const mb = (of: readonly MemorySample[]): number => median(of.map(({ bytes }) => bytes)) / MB;
  return {
    firstMb: mb(grown.filter(({ atMs }) => atMs <= from + third)),
    lastMb: mb(grown.filter(({ atMs }) => atMs >= to - third)),
    mostMb: grown.reduce((most, { bytes }) => Math.max(most, bytes), 0) / MB,
    slopeMbPerMinute: (slope(grown) * 60_000) / MB,
  };
}

export const isFlat = ({ firstMb, lastMb }: MemoryFigures): boolean =>
  lastMb <= firstMb * MOST_GROWTH + MOST_GROWTH_MB;
