// How often the checks of a program, and the contracts of a poster, were run in the order, and how often they passed: what an
// agent looks at before it claims.

import { rowKey } from './prefixes.ts';
import type { RunCountDoc } from './task-documents.ts';
import { readJson, type WriteSet } from './write-set.ts';

type Rows = Pick<WriteSet, 'get'>;
const NONE: RunCountDoc = { runs: 0, passed: 0 };

/** Names of the counts. */
export const programRuns = (hash: string): string => `runs of ${hash}`;
export const posterRuns = (agentId: string): string => `runs for ${agentId}`;

/** Is it the name of such a count, among those of the totals of views. */
export const isRunCount = (name: string): boolean => name.startsWith('runs ');

export const runCount = (rows: Rows, name: string): RunCountDoc =>
  readJson<RunCountDoc>(rows.get(rowKey.totals(name))) ?? NONE;

export function countRun(set: WriteSet, name: string, isPassed: boolean): void {
  const { runs, passed } = runCount(set, name);
  set.putJson(rowKey.totals(name), { runs: runs + 1, passed: passed + (isPassed ? 1 : 0) });
}
