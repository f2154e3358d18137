// Changes of stored rows from one format of the store to the next: what a newer program does once with older data.
// Keeps: the format is noted with the last rows of a step, so a step that was interrupted runs again from its beginning; its
// rows must therefore be the same when it finds some of them changed already.

import { LEAF_BYTES, LEAF_HASH_BYTES, PAGE_LEAVES } from '../../assembly/abi.ts';
import type { StatePage } from '../core/core.ts';
import { rangeOf, readU32, rowKey } from '../store/prefixes.ts';
import { encodePage } from '../store/state-pages.ts';
import { WriteSet } from '../store/write-set.ts';
import { isZero } from '../wire/bytes.ts';
import { sha256 } from '../wire/hash.ts';
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

/** Pages that are written together. */
const PAGES_AT_ONCE = 256;

/**
 * Pages of the snapshot instead of its leaves, under the same letter: a page has a lower number than its leaves, except the first one,
 * so it takes the key of a leaf that is in a page already. What an interrupted run has made is longer than a leaf, and is left.
 */
async function* snapshotPages(store: Store): AsyncGenerator<BatchOp[]> {
  let ops: BatchOp[] = [];
  let pages = 0;
  let page: { number: number; leaves: Uint8Array } | undefined;
  const close = (): void => {
    if (page) ops.push({ key: rowKey.statePage(page.number), value: encodePage(withHashes(page.leaves)) });
    page = undefined;
    pages += 1;
  };
  for await (const [key, leaf] of store.scan(rangeOf('s'))) {
    if (leaf.length !== LEAF_BYTES) continue;
    const number = readU32(key, 1);
    const of = Math.floor(number / PAGE_LEAVES);
    if (page?.number !== of) {
      if (page) close();
      if (pages >= PAGES_AT_ONCE) {
        yield ops;
        [ops, pages] = [[], 0];
      }
      page = { number: of, leaves: new Uint8Array(PAGE_LEAVES * LEAF_BYTES) };
    }
    page.leaves.set(leaf, (number % PAGE_LEAVES) * LEAF_BYTES);
    ops.push({ key: key.slice(), value: undefined });
  }
  close();
  yield ops;
}

/** The hashes of the leaves, as the tree of the core has them (assembly/state/tree.ts). */
function withHashes(leaves: Uint8Array): StatePage {
  const hashes = new Uint8Array(PAGE_LEAVES * LEAF_HASH_BYTES);
  for (let i = 0; i < PAGE_LEAVES; i++) {
    const leaf = leaves.subarray(i * LEAF_BYTES, (i + 1) * LEAF_BYTES);
    if (!isZero(leaf)) hashes.set(sha256(leaf, Uint8Array.of(0)), i * LEAF_HASH_BYTES);
  }
  return { leaves, hashes };
}

/** One for each format from the oldest on that is still read; no gaps. */
export const MIGRATIONS: readonly Migration[] = [
  {
    from: 6,
    what: 'event lists are in chunks: they are made anew from the events when the views are built',
    async *rows() {},
  },
  {
    from: 7,
    what: 'the snapshot is in pages of 16 leaves',
    rows: snapshotPages,
  },
];

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
