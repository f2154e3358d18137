// What stays of a document that a node drops with older history: the value of its leaf, so that the tree of documents can
// be written anew by whoever joins from this node (consensus 5.18).
// Keeps: a document and the row of its leaf are never stored together.

import { sha256 } from '../wire/hash.ts';
import type { BatchOp } from '../world/store.ts';
import { leavesOf } from './document-leaves.ts';
import { rowKey } from './prefixes.ts';
import { readJson } from './write-set.ts';

/** Documents of agents are never dropped. */
const noAgent = (): Uint8Array => {
  throw new Error('documents of agents are not dropped');
};

/** Deletes a row; `row` is what it has. */
export function droppedRow(key: Uint8Array, row: Uint8Array | undefined): BatchOp[] {
  if (!row) return [{ key, value: undefined }];
  const leaves = leavesOf(key, false, () => readJson(row), noAgent).filter(({ isSet }) => isSet);
  const value = leaves.length > 0 ? sha256(row) : undefined;
  return [{ key, value: undefined }, ...leaves.map((leaf) => ({ key: rowKey.droppedLeaf(leaf.key), value }))];
}
