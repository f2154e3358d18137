// Which rows of the store a joining node gets, in which order, and how they are encoded.
// Keeps: the history of vertices and blocks is not sent; private rows of this node (its secrets, deliveries, bookkeeping)
// never leave it; an answer is at most 1 MiB, except that one row always fits.
//
//   each row: u16 bytes of key, key, u32 bytes of value, value

import { PRIVATE_PREFIXES } from '../store/document-leaves.ts';
import { PREFIXES, type Prefix, rangeOf } from '../store/prefixes.ts';
import { ByteReader, ByteWriter, compareBytes } from '../wire/bytes.ts';

/**
 * Not sent: vertices, blocks, their positions and orders, all from before the joined epoch; epochs, which the joining node
 * has proven; event lists, which it makes from the events; what is of this node alone: marks of the store, canaries, webhook deliveries, answers of its judge, the trend; the tree of documents,
 * which follows from them.
 */
const WITHHELD: readonly Prefix[] = [
  ...(['v', 'b', 'o', 'r', 'X', 'i', 'c', 'E', 'l', 'n', 'T', 'M'] as const),
  ...PRIVATE_PREFIXES,
];

/** Prefixes that are sent, in byte order. */
export const SERVED: readonly Prefix[] = (Object.keys(PREFIXES) as Prefix[])
  .filter((prefix) => !WITHHELD.includes(prefix))
  .sort();

export type Row = [Uint8Array, Uint8Array];

/** Sent for older programs: places of events, tasks and cases, and lists, which whoever joins makes from the documents. */
const MADE_ANEW: readonly Prefix[] = ['e', 'f', 'j', 'N'];

/** Rows that a joining node takes of those that are sent. */
export const takenOf = (rows: readonly Row[]): Row[] =>
  rows.filter(([key]) => !MADE_ANEW.some((prefix) => prefix.charCodeAt(0) === key[0]));

/** The range after a key, within its prefix; undefined after the last prefix. An empty key: from the beginning. */
export function rangeAfter(key: Uint8Array): { gte: Uint8Array; lt: Uint8Array } | undefined {
  if (key.length === 0) return rangeOf(SERVED[0]!);
  const prefix = SERVED.find((name) => name.charCodeAt(0) === key[0]);
  if (!prefix) return undefined;
  // The next possible key is this one followed by a zero byte.
  return { gte: Uint8Array.of(...key, 0), lt: rangeOf(prefix).lt };
}

/** The range of the prefix after that of `key`; undefined after the last. */
export function nextRange(key: Uint8Array): { gte: Uint8Array; lt: Uint8Array } | undefined {
  const letter = key[0] ?? 0;
  const prefix = SERVED.find((name) => name.charCodeAt(0) > letter);
  return prefix && rangeOf(prefix);
}

export function encodeRows(rows: readonly Row[]): Uint8Array {
  const bytes = rows.reduce((sum, [key, value]) => sum + 6 + key.length + value.length, 0);
  const out = new ByteWriter(bytes);
  for (const [key, value] of rows) out.u16(key.length).raw(key).u32(value.length).raw(value);
  return out.finish();
}

/** Rows after `after`, ascending, all with a served prefix; undefined for anything else. Values are views. */
export function decodeRows(bytes: Uint8Array, after: Uint8Array): Row[] | undefined {
  const reader = new ByteReader(bytes);
  const rows: Row[] = [];
  let last = after;
  while (!reader.done && !reader.failed) {
    const key = reader.raw(reader.u16());
    const value = reader.raw(reader.u32());
    const isServed = SERVED.some((name) => name.charCodeAt(0) === key[0]);
    if (reader.failed || !isServed || compareBytes(key, last) <= 0) return undefined;
    rows.push([key, value]);
    last = key;
  }
  return rows;
}
