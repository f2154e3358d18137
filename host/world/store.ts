// The key-value border: what the node needs of a store, and nothing about which one it is.
// Keeps: a write is one atomic, synced batch; reads are synchronous, so a handler sees one state.
// Range scans are for start-up and tools only; no request may scan.

import { fromUtf8 } from '../wire/bytes.ts';

/** Which engine to open a store with; `auto`: the one that made it, else RocksDB where its binary loads. */
export type Engine = 'auto' | 'rocksdb' | 'classic';

export type BatchOp = { key: Uint8Array; value: Uint8Array } | { key: Uint8Array; value: undefined };

export interface ScanRange {
  /** Inclusive. */
  gte: Uint8Array;
  /** Exclusive. */
  lt: Uint8Array;
  reverse?: boolean;
  limit?: number;
}

/** `once`: an engine need not keep what it reads in its cache. */
export type RowUse = 'again' | 'once';

/**
 * All rows as they stood at one moment, for a long reading beside writes. It holds on to disk space until it is closed.
 * Reads of one view never overlap: the caller waits for each.
 */
export interface StoreView {
  /** How many rows the store has, about; undefined where the engine does not know. */
  readonly estimatedRows: number | undefined;
  /** Rows of a range from its beginning on, as many as make about `maxBytes`; at least one when there is any. */
  page(range: { gte: Uint8Array; lt: Uint8Array }, maxBytes: number): Promise<[Uint8Array, Uint8Array][]>;
  close(): Promise<void>;
}

/** What an engine holds in memory outside of JavaScript, in bytes, as it counts itself. */
export interface StoreMemory {
  /** Rows that are not in files yet; in the log they are. */
  memtables: number;
  /** Blocks of files that were read. */
  cache: number;
  /** Indexes and filters of open files. */
  index: number;
}

export interface Store {
  readonly engine: 'rocksdb' | 'classic-level' | 'memory';
  get(key: Uint8Array): Uint8Array | undefined;
  getMany(keys: readonly Uint8Array[]): (Uint8Array | undefined)[];
  /** Rows that are UTF-8, as text: for a page of documents that is a third cheaper than bytes that are decoded then. */
  getTexts(keys: readonly Uint8Array[], use?: RowUse): (string | undefined)[];
  /** Applies all or nothing and is on disk when it resolves. `undefined` as value deletes. */
  write(ops: readonly BatchOp[]): Promise<void>;
  scan(range: ScanRange): AsyncIterable<[Uint8Array, Uint8Array]>;
  view(): StoreView;
  /** Undefined where the engine does not say. */
  memory(): StoreMemory | undefined;
  close(): Promise<void>;
}

/** A row as text. */
export const textOf = (row: Uint8Array | undefined): string | undefined => row && fromUtf8(row);

/** The store can't be opened or is not this node's: the message is for the operator; exit code 1. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** How messages about a store that was refused end. */
export const UNCHANGED = 'Nothing was changed';
export const RESTORE = 'Nothing was deleted; restore the data directory from a copy';
