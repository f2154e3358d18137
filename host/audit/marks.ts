// What an audit remembers between two runs besides the rows of the state.

import { rowKey } from '../store/prefixes.ts';
import { readJson, WriteSet } from '../store/write-set.ts';
import type { Store } from '../world/store.ts';
import { type CheckpointMarks, NO_MARKS } from './checkpoint-checks.ts';
import type { Finding } from './freshness.ts';

const MARKS_KEY = rowKey.meta('verified');

/** What a closed verifier has to remember besides the rows of the state. */
export interface Marks {
  checkpoints: CheckpointMarks;
  transactions: number;
  signatures: number;
  /** Node -> the highest order that it served. */
  served: Record<string, number>;
  /** When the first seal was made, for an audit that began at one; when the last good run ended. Ms; 0: unknown. */
  firstSealMs: number;
  checkedMs: number;
}

const NEW_MARKS: Marks = {
  checkpoints: NO_MARKS,
  transactions: 0,
  signatures: 0,
  served: {},
  firstSealMs: 0,
  checkedMs: 0,
};

/** Nodes of which the highest order is remembered. */
const MAX_NODES = 32;

/** Those that an earlier version of this program did not keep are new. */
export function readMarks(store: Pick<Store, 'get'>): Marks {
  const kept = readJson<Partial<Marks>>(store.get(MARKS_KEY));
  const marks = { ...structuredClone(NEW_MARKS), ...kept };
  return { ...marks, checkpoints: { ...NO_MARKS, ...kept?.checkpoints } };
}

export async function writeMarks(store: Store, marks: Marks): Promise<void> {
  const set = new WriteSet(store);
  set.putJson(MARKS_KEY, marks);
  await store.write(set.ops());
}

/** Remembers that a node serves this order; the highest one that it served before. */
function noteServed({ served }: Marks, node: string, order: number): number {
  const before = Object.hasOwn(served, node) ? served[node]! : 0;
  if (before > 0 || Object.keys(served).length < MAX_NODES) served[node] = Math.max(before, order);
  return before;
}

/** Remembers that a node serves this order; a finding where it is behind what it served, or what was checked, before. */
export function servedFinding(
  marks: Marks,
  node: string,
  order: number,
  checked: number,
): Finding | undefined {
  const before = noteServed(marks, node, order);
  if (order < before)
    return {
      kind: 'rollback',
      text: `the node is at order ${order}, although it served order ${before} before: it was restored from an older copy, or hides what came after`,
    };
  if (order < checked)
    return {
      kind: 'behind',
      text: `the node is at order ${order}, behind order ${checked}, which was checked here before: it lags, or hides what came after`,
    };
  return undefined;
}
