// Rows of the snapshot: pages of PAGE_LEAVES leaves of the core's state, with the hashes of the leaves and a checksum.
//
//   leaves, LEAF_BYTES each | their hashes, LEAF_HASH_BYTES each | SHA-256 of both
//
// Keeps: whoever wrote the row has computed the hashes, and the checksum shows that it is as it was written. So a start hashes
// each row once, in bulk, instead of every leaf, and the tree above the hashes shows that the pages are those of one state. Rows
// of others are only as good as they are: who joins computes all hashes.

import { LEAF_BYTES, LEAF_HASH_BYTES, PAGE_LEAVES } from '../../assembly/abi.ts';
import type { StatePage } from '../core/core.ts';
import { concat, equalBytes } from '../wire/bytes.ts';
import { sha256 } from '../wire/hash.ts';
import type { Store } from '../world/store.ts';
import { rangeOf, readU32, rowKey } from './prefixes.ts';

const SUM_BYTES = 32;
const LEAVES_BYTES = PAGE_LEAVES * LEAF_BYTES;
const ROW_BYTES = LEAVES_BYTES + PAGE_LEAVES * LEAF_HASH_BYTES + SUM_BYTES;

export function encodePage({ leaves, hashes }: StatePage): Uint8Array {
  const both = concat(leaves, hashes);
  return concat(both, sha256(both));
}

/** Undefined for a row that is not as it was written. */
export function decodePage(row: Uint8Array): StatePage | undefined {
  if (row.length !== ROW_BYTES) return undefined;
  const both = row.subarray(0, -SUM_BYTES);
  if (!equalBytes(sha256(both), row.subarray(-SUM_BYTES))) return undefined;
  return { leaves: both.subarray(0, LEAVES_BYTES), hashes: both.subarray(LEAVES_BYTES) };
}

/** All pages of the snapshot. Errors: `fault` for one that is not as it was written. */
export async function* storedPages(
  store: Pick<Store, 'scan'>,
  fault: (number: number) => Error,
): AsyncGenerator<[number, StatePage]> {
  for await (const [key, row] of store.scan(rangeOf('s'))) {
    const number = readU32(key, 1);
    const page = decodePage(row);
    if (!page) throw fault(number);
    yield [number, page];
  }
}

/** A leaf as the snapshot has it. */
export function storedLeaf(store: Pick<Store, 'get'>, number: number): Uint8Array | undefined {
  const row = store.get(rowKey.statePage(Math.floor(number / PAGE_LEAVES)));
  const at = (number % PAGE_LEAVES) * LEAF_BYTES;
  return row && decodePage(row)?.leaves.subarray(at, at + LEAF_BYTES);
}
