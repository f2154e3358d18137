// The key-value interface: what the node needs from a store, independent of the engine.
// Keeps: a write is one atomic, synced batch; reads are synchronous, so a handler sees one state.
// Range scans are for start-up and tools only; no request may scan.

import { fromUtf8 } from '../wire/bytes.ts';

/** Which engine to open a store with; `auto`: the one that made it, else RocksDB if its binary loads. */
export type Engine = 'auto' | 'rocksdb' | 'classic';

export type BatchOp = { key: Uint8Array; value: Uint8Array } | { key: Uint8Array; value: undefined };

/** Rows that are written together, at most one for a key. They need not change, nor be kept, once the write has resolved. */
export interface RowBatch extends Iterable<BatchOp> {
  readonly length: number;
}

export interface ScanRange {
  /** Inclusive. */
  gte: Uint8Array;
  /** Exclusive. */
  lt: Uint8Array;
  reverse?: boolean;
  limit?: number;
}

/** `once`: the engine need not cache what it reads. */
export type RowUse = 'again' | 'once';

/**
 * A snapshot of all rows, for long reads concurrent with writes. It occupies disk space until it is closed.
 * Reads of one view must not overlap: the caller awaits each.
 */
export interface StoreView {
  /** Approximate number of rows; undefined if the engine does not know. */
  readonly estimatedRows: number | undefined;
  /** Rows from the beginning of a range, about `maxBytes` together; at least one if there is any. */
  page(range: { gte: Uint8Array; lt: Uint8Array }, maxBytes: number): Promise<[Uint8Array, Uint8Array][]>;
  close(): Promise<void>;
}

/** Memory of an engine outside JavaScript in bytes, as reported by the engine. */
export interface StoreMemory {
  /** Rows that are in the log but not in table files yet. */
  memtables: number;
  /** Cached blocks of table files. */
  cache: number;
  /** Indexes and filters of open files. */
  index: number;
}

export interface Store {
  readonly engine: 'rocksdb' | 'classic-level' | 'memory';
  get(key: Uint8Array): Uint8Array | undefined;
  getMany(keys: readonly Uint8Array[]): (Uint8Array | undefined)[];
  /** Rows as UTF-8 text: for a page of documents a third cheaper than decoding bytes afterwards. */
  getTexts(keys: readonly Uint8Array[], use?: RowUse): (string | undefined)[];
  /** Atomic, and on disk when it resolves. The value `undefined` deletes. */
  write(ops: RowBatch): Promise<void>;
  scan(range: ScanRange): AsyncIterable<[Uint8Array, Uint8Array]>;
  view(): StoreView;
  /** Undefined if the engine does not report it. */
  memory(): StoreMemory | undefined;
  close(): Promise<void>;
}

/** A row as text. */
export const textOf = (row: Uint8Array | undefined): string | undefined => row && fromUtf8(row);

/** The store cannot be opened, or belongs to another node: the message is for the operator; exit code 1. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** Endings of messages about a refused store. */
export const UNCHANGED = 'Nothing was changed';
export const RESTORE = 'Nothing was deleted; restore the data directory from a copy';
