// Changes of stored rows from one format of the store to the next: what a newer program does once with older data.
// Keeps: the format is noted with the last rows of a step, so a step that was interrupted runs again from its beginning; its
// rows must therefore be the same when it finds some of them changed already.

import { rowKey } from '../store/prefixes.ts';
import { WriteSet } from '../store/write-set.ts';
import type { BatchOp, Store } from '../world/store.ts';
import { formatFault, readMeta, SCHEMA } from './recovery.ts';

export interface Migration {
  /** Format that it reads; it leaves the next one. */
  from: number;
  /** What changes, for the log. */
  what: string;
  /** Rows to write, in portions; each portion is one atomic write. */
  rows(store: Store): AsyncIterable<readonly BatchOp[]>;
}

/** One for each format from the oldest on that is still read; no gaps. None is older than the present rule of the state root. */
export const MIGRATIONS: readonly Migration[] = [];

/** The steps that a store needs, none for a new one. Errors: StoreError for a format that is too old or too new. */
export function stepsFor(store: Store, migrations: readonly Migration[]): readonly Migration[] {
  const format = readMeta(store)?.schema ?? SCHEMA;
  const steps: Migration[] = [];
  for (let at = format; at < SCHEMA; at++) {
    const step = migrations.find(({ from }) => from === at);
    if (!step) throw formatFault(format);
    steps.push(step);
  }
  if (format > SCHEMA) throw formatFault(format);
  return steps;
}

/** Carries out a step. Errors: those of the store. */
export async function migrate(store: Store, step: Migration): Promise<void> {
  let last: readonly BatchOp[] = [];
  for await (const ops of step.rows(store)) {
    if (last.length > 0) await store.write(last);
    last = ops;
  }
  const set = new WriteSet(store);
  set.putJson(rowKey.meta('meta'), { ...readMeta(store)!, schema: step.from + 1 });
  await store.write([...last, ...set.ops()]);
}
