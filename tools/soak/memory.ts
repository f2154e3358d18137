// Checks whether memory stays flat, from samples of processes over a run under a load whose state does not grow.
// A leak shows in a process that runs all the time: every part of its memory has a bound, either per transaction or,
// for caches and buffers of fixed size, in total. What a start on more history takes shows in killed processes.
// Pure: samples in, figures and faults out. The first third is ignored: TxIDs are remembered for ten minutes, and
// caches, code and the heap grow to their size.

import type { MemoryParts } from './parts.ts';

export interface MemorySample {
  /** Since the start of the run. */
  atMs: number;
  /** Age of the process. */
  ageMs: number;
  /** The process was started on a folder with an existing state. */
  isRestarted: boolean;
  /** Writes acknowledged so far by all nodes. */
  transactions: number;
  parts: MemoryParts;
}

interface Leak {
  /** Of the heap, after garbage collection. */
  objects: number;
  core: number;
  /** Memory that is not attributed to any part. */
  rest: number;
}

export interface MemoryFigures {
  /** Medians of the middle and the last third of the run, bytes. */
  middle: MemoryParts;
  last: MemoryParts;
  /** Low quantile of resident memory in both: of processes that have not built a file yet, if there are any. */
  low: { middle: number; last: number };
  peakBytes: number;
  /** Slope of a line through resident memory over both, MB per minute. */
  slopeMbPerMinute: number;
  /** Growth per transaction over both, in bytes; only of a process that ran all the time. */
  leak: Leak | undefined;
}

/** Younger processes still load their code and state. */
const YOUNG_MS = 8000;
/** Long enough for a garbage collection, after which only live objects are left: the minimum counts. */
const COLLECTED_MS = 60_000;
/**
 * Long enough for a memtable to fill, so that it reuses all that the allocator kept of the previous one: a low quantile
 * counts. Not the minimum: while a file is built, the store counts its rows as cache too.
 */
const FILLED_MS = 300_000;
/** Share of samples that may be outliers. */
const FEW = 0.1;
const MB = 1e6;

const PARTS = ['heap', 'used', 'core', 'dag', 'memtables', 'cache', 'threads', 'rest'] as const;

/** The value with this share of the others below it. */
function ranked(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
}

function partsRanked(samples: readonly MemorySample[], share: number): MemoryParts {
  const of = (part: keyof MemoryParts): number =>
    ranked(
      samples.map(({ parts }) => parts[part]),
      share,
    );
  return Object.fromEntries(
    ['resident' as const, ...PARTS].map((part) => [part, of(part)]),
  ) as unknown as MemoryParts;
}

/** Slope of a line through points. */
function slope(points: readonly { x: number; y: number }[]): number {
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / points.length;
  let [over, under] = [0, 0];
  for (const { x, y } of points) {
    over += (x - meanX) * (y - meanY);
    under += (x - meanX) ** 2;
  }
  return under === 0 ? 0 : over / under;
}

/**
 * Growth of a part per transaction: the slope of a line through one sample of each time span of this length, the one
 * with this share of the others below it.
 */
function growth(
  samples: readonly MemorySample[],
  part: 'used' | 'core' | 'rest',
  spanMs: number,
  share = 0,
): number {
  const spans = new Map<number, MemorySample[]>();
  for (const sample of samples) {
    const number = Math.floor(sample.atMs / spanMs);
    const span = spans.get(number) ?? [];
    spans.set(number, span);
    span.push(sample);
  }
  const chosen = [...spans.values()].map((span) => {
    const sorted = span.sort((a, b) => a.parts[part] - b.parts[part]);
    return sorted[Math.floor(share * (sorted.length - 1))]!;
  });
  return slope(chosen.map(({ transactions, parts }) => ({ x: transactions, y: parts[part] })));
}

/** Figures of restarted processes if there are any, else of the first. Undefined if no process got old enough. */
export function memoryFigures(samples: readonly MemorySample[]): MemoryFigures | undefined {
  const old = samples.filter(({ ageMs }) => ageMs >= YOUNG_MS);
  const isWhole = !samples.some(({ isRestarted }) => isRestarted);
  const third = (old.at(-1)?.atMs ?? 0) / 3;
  const counted = old.filter((s) => s.atMs >= third && (isWhole || s.isRestarted));
  const middle = counted.filter(({ atMs }) => atMs < 2 * third);
  const last = counted.filter(({ atMs }) => atMs >= 2 * third);
  if (middle.length === 0 || last.length === 0) return undefined;
  const resident = counted.map(({ atMs, parts }) => ({ x: atMs, y: parts.resident }));
  return {
    middle: partsRanked(middle, 0.5),
    last: partsRanked(last, 0.5),
    low: { middle: partsRanked(middle, FEW).resident, last: partsRanked(last, FEW).resident },
    peakBytes: Math.max(...resident.map(({ y }) => y)),
    slopeMbPerMinute: (slope(resident) * 60_000) / MB,
    leak: isWhole
      ? {
          objects: growth(counted, 'used', COLLECTED_MS),
          core: growth(counted, 'core', COLLECTED_MS),
          rest: growth(counted, 'rest', FILLED_MS, FEW),
        }
      : undefined,
  };
}

/**
 * Bytes that a process may keep per transaction: objects, less than one small object or one id as text; core, the TxID
 * (40 bytes in a ring of six million rows, with its hashes); rest, what a few samples can resolve.
 */
const MAX_LEAK: Leak = { objects: 100, core: 100, rest: 300 };
/**
 * Maximum totals of the other parts, MB: two epochs; two memtables of 64 MiB and one being written to a file; a cache
 * of 256 MiB and indexes; a file being built for each thread of the store.
 */
const MAX_MB = { dag: 100, memtables: 200, cache: 330, threads: 300 } as const;
/**
 * Allowed growth of a killed node from the middle third to the last, by the low quantile: it includes what a start
 * loads, but not the 60 MB of a process's first file, which only some processes build.
 */
const MAX_GROWTH = 1.15;

const inMb = (bytes: number): string => (bytes / MB).toFixed(0);

/** Why memory is not flat; empty if it is. */
export function memoryFaults({ low, last, leak }: MemoryFigures): string[] {
  const faults: string[] = [];
  if (!leak && low.last > low.middle * MAX_GROWTH) {
    faults.push(`the low quantile of memory grew from ${inMb(low.middle)} to ${inMb(low.last)} MB`);
  }
  for (const part of ['dag', 'memtables', 'cache', 'threads'] as const) {
    const max = MAX_MB[part];
    if (last[part] > max * MB) faults.push(`${part} takes ${inMb(last[part])} MB (at most ${max})`);
  }
  for (const part of ['objects', 'core', 'rest'] as const) {
    const bytes = leak?.[part] ?? 0;
    const max = MAX_LEAK[part];
    if (bytes > max) faults.push(`${bytes.toFixed(0)} bytes per transaction stay (${part}; at most ${max})`);
  }
  return faults;
}

/** The parts of a process's memory, in MB. */
export function partsText(parts: MemoryParts): string {
  const each = PARTS.map((part) => `${part} ${inMb(parts[part])}`);
  return `${inMb(parts.resident)} MB: ${each.join(', ')}`;
}

/** The figures of one node as text. */
export function memoryLine(figures: MemoryFigures): string {
  const { middle, last, low, peakBytes, slopeMbPerMinute, leak } = figures;
  const parts = PARTS.map((part) => `${part} ${inMb(middle[part])} -> ${inMb(last[part])}`);
  const line =
    `${inMb(middle.resident)} MB in the middle third, ${inMb(last.resident)} in the last, peak ${inMb(peakBytes)},` +
    ` ${slopeMbPerMinute.toFixed(2)} MB per minute (${parts.join(', ')})`;
  if (!leak) return `${line}; low quantile ${inMb(low.middle)} -> ${inMb(low.last)}`;
  const stay = (['objects', 'core', 'rest'] as const).map((part) => `${part} ${leak[part].toFixed(0)}`);
  return `${line}; bytes per transaction that stay: ${stay.join(', ')}`;
}
