// Whether memory stays flat, from samples of processes over a run under a load whose state does not grow.
// A leak shows in a process that lives through the run: every part of its memory has a bound, either for each
// transaction or, where it is a cache or a buffer of a fixed most, in all. What a process takes that begins on a folder
// with more behind it shows in those that were killed.
// Pure: samples in, figures and faults out. The first third counts for nothing: TxIDs are remembered for ten minutes, and
// caches, code and the heap come to their size.

import type { MemoryParts } from './parts.ts';

export interface MemorySample {
  /** Since the start of the run. */
  atMs: number;
  /** Age of the process. */
  ageMs: number;
  /** The process began on a folder that held a state. */
  isRestarted: boolean;
  /** Writes acknowledged so far, by all nodes. */
  transactions: number;
  parts: MemoryParts;
}

export interface Leak {
  /** Of the heap, after collections. */
  objects: number;
  core: number;
  /** What nothing accounts for. */
  rest: number;
}

export interface MemoryFigures {
  /** Medians of the middle and the last third of the run, bytes. */
  middle: MemoryParts;
  last: MemoryParts;
  /** Nearly the least resident memory of both: of processes that have not made a file yet, where there are any. */
  least: { middle: number; last: number };
  mostBytes: number;
  /** Of a line through resident memory over both, MB a minute. */
  slopeMbPerMinute: number;
  /** Growth over both by transaction, in bytes; only of a process that lived through the run. */
  leak: Leak | undefined;
}

/** Younger processes still load their code and state. */
const YOUNG_MS = 8000;
/** Long enough for a collection, after which only live objects are left: the least of it counts. */
const COLLECTED_MS = 60_000;
/**
 * Long enough for a memtable to fill, by when it takes all that the allocator kept of the one before: nearly the least
 * counts. Not the least: while a file is made, the store counts the rows of it as cache too.
 */
const FILLED_MS = 300_000;
/** Share of samples that may be off. */
const FEW = 0.1;
const MB = 1e6;

const PARTS = ['heap', 'used', 'core', 'dag', 'memtables', 'cache', 'threads', 'rest'] as const;

/** The value that has this share of the others below it. */
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

/** Of a line through points: how much `y` grows with each `x`. */
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
 * How much a part grows with each transaction: a line through one sample of each span of this length, the one with this
 * share of the others below it.
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

/** Of restarted processes where there are any, else of the first. Undefined when no process got old enough. */
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
    least: { middle: partsRanked(middle, FEW).resident, last: partsRanked(last, FEW).resident },
    mostBytes: Math.max(...resident.map(({ y }) => y)),
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
 * What a process that lives on may keep of a transaction, in bytes: of objects less than one small one or one id as text, of
 * the state the TxID (40 bytes in a ring of six million rows, with its hashes), of the rest what a few samples can tell.
 */
const MOST_LEAK: Leak = { objects: 100, core: 100, rest: 300 };
/**
 * What the others may take in all, MB: an epoch and one before it; two memtables of 64 MiB and one on its way to a file; a
 * cache of 256 MiB and indexes; a file in the making for each thread of the store.
 */
const MOST_MB = { dag: 100, memtables: 200, cache: 330, threads: 300 } as const;
/**
 * What the last third of a node that is killed may be above the middle one, by nearly the least: what a start loads is in
 * that too, but not the 60 MB of the first file that a process makes, which some make and some do not.
 */
const MOST_GROWTH = 1.15;

const inMb = (bytes: number): string => (bytes / MB).toFixed(0);

/** Why memory is not flat; empty when it is. */
export function memoryFaults({ least, last, leak }: MemoryFigures): string[] {
  const faults: string[] = [];
  if (!leak && least.last > least.middle * MOST_GROWTH) {
    faults.push(`the least memory grew from ${inMb(least.middle)} to ${inMb(least.last)} MB`);
  }
  for (const part of ['dag', 'memtables', 'cache', 'threads'] as const) {
    const most = MOST_MB[part];
    if (last[part] > most * MB) faults.push(`${part} takes ${inMb(last[part])} MB (at most ${most})`);
  }
  for (const part of ['objects', 'core', 'rest'] as const) {
    const bytes = leak?.[part] ?? 0;
    const most = MOST_LEAK[part];
    if (bytes > most)
      faults.push(`${bytes.toFixed(0)} bytes of a transaction stay (${part}; at most ${most})`);
  }
  return faults;
}

/** Where the memory of a process is, in MB. */
export function partsText(parts: MemoryParts): string {
  const each = PARTS.map((part) => `${part} ${inMb(parts[part])}`);
  return `${inMb(parts.resident)} MB: ${each.join(', ')}`;
}

/** What a run shows of one node. */
export function memoryLine(figures: MemoryFigures): string {
  const { middle, last, least, mostBytes, slopeMbPerMinute, leak } = figures;
  const parts = PARTS.map((part) => `${part} ${inMb(middle[part])} -> ${inMb(last[part])}`);
  const line =
    `${inMb(middle.resident)} MB in the middle third, ${inMb(last.resident)} in the last, most ${inMb(mostBytes)},` +
    ` ${slopeMbPerMinute.toFixed(2)} MB a minute (${parts.join(', ')})`;
  if (!leak) return `${line}; least ${inMb(least.middle)} -> ${inMb(least.last)}`;
  const stay = (['objects', 'core', 'rest'] as const).map((part) => `${part} ${leak[part].toFixed(0)}`);
  return `${line}; bytes a transaction that stay: ${stay.join(', ')}`;
}
