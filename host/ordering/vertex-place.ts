// Where a vertex was ordered, as stored beside it.
//
//   0 u64 order, 0 = dropped at the seal   8 u64 consensus time of its block, ms   16 u32 derived round   20 TxIDs, 32 each

import { readU32, readU64, writeU32, writeU64 } from '../store/prefixes.ts';
import { toHex } from '../wire/bytes.ts';
import type { EntryInput } from './block.ts';

const HEAD_BYTES = 20;

export interface VertexPlace {
  /** Undefined: it was not ordered before its epoch was sealed. */
  order: number | undefined;
  timeMs: number;
  round: number;
  txIds: string[];
}

export function placeRow(
  order: number,
  timeMs: number,
  round: number,
  entries: readonly { id: Uint8Array }[],
): Uint8Array {
  const row = new Uint8Array(HEAD_BYTES + 32 * entries.length);
  writeU64(row, order);
  writeU64(row, timeMs, 8);
  writeU32(row, round, 16);
  for (const [i, { id }] of entries.entries()) row.set(id, HEAD_BYTES + 32 * i);
  return row;
}

export function readPlace(row: Uint8Array): VertexPlace {
  const txIds: string[] = [];
  for (let at = HEAD_BYTES; at < row.length; at += 32) txIds.push(toHex(row.subarray(at, at + 32)));
  return { order: readU64(row, 0) || undefined, timeMs: readU64(row, 8), round: readU32(row, 16), txIds };
}

/** Indexes (u16) of the entries with a bad signature; undefined when there are none. */
export function badEntries({ entries }: { entries: readonly EntryInput[] }): Uint8Array | undefined {
  const bad = entries.flatMap((entry, i) => (entry.hasBadSignature ? [i] : []));
  if (bad.length === 0) return undefined;
  const row = new Uint8Array(2 * bad.length);
  for (const [i, index] of bad.entries()) row.set([index >>> 8, index & 0xff], 2 * i);
  return row;
}

export function readBadEntries(row: Uint8Array): Set<number> {
  const indexes = new Set<number>();
  for (let at = 0; at < row.length; at += 2) indexes.add((row[at]! << 8) | row[at + 1]!);
  return indexes;
}
