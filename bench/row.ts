// A row of a benchmark: one figure beside its peer's from the same run.
// Keeps: a row is complete only with a peer; if the two sides did different work it is an error, never a figure.

export interface Row {
  suite: string;
  name: string;
  params: Readonly<Record<string, number | string>>;
  value: number;
  /** More is better for units that end in `/s`, less for all others. */
  unit: string;
  peer: string;
  peer_value: number;
  /** value / peer_value, whatever the unit. */
  ratio: number;
}

export interface SuiteRun {
  /** Small parameters: a few seconds, for the tests. */
  small: boolean;
  /** Size of the data set of suites that make one; undefined: the suite's default. */
  many?: number | undefined;
  /** Folder that keeps the data set for the next run; undefined: it is removed at the end. */
  data?: string | undefined;
  /** Prints a line while the suite runs. */
  say(line: string): void;
}

/** A benchmark of one part. */
export type Suite = (run: SuiteRun) => Promise<Row[]>;

/** One side of a comparison. */
export interface Side {
  name: string;
  value: number;
}

export function row(
  suite: string,
  name: string,
  params: Row['params'],
  unit: string,
  ours: number,
  peer: Side,
): Row {
  return {
    suite,
    name,
    params,
    value: ours,
    unit,
    peer: peer.name,
    peer_value: peer.value,
    ratio: ours / peer.value,
  };
}

/**
 * Prints the checksum of both sides' work (`what`), or throws if they differ, so that nobody wins by doing less.
 */
export function sameWork(run: SuiteRun, what: string, checksums: Readonly<Record<string, string>>): void {
  const values = [...new Set(Object.values(checksums))];
  if (values.length !== 1)
    throw new Error(`${what}: the sides did different work ${JSON.stringify(checksums)}`);
  run.say(`  ${what}: checksum ${values[0]!.slice(0, 16)} (${Object.keys(checksums).join(', ')})`);
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The value that a share `q` of the values does not exceed. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))] ?? Number.NaN;
}
