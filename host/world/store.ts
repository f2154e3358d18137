// The interface to the key-value store, independent of the engine.
// Keeps: a write is one atomic, synced batch; reads are synchronous, so a handler sees one state.
// Range scans are for start-up and tools only; no request may scan.

import { fromUtf8 } from '../wire/bytes.ts';

/** Which engine to open a store with; `auto`: the one that made it, else RocksDB if its binary loads. */
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
 * A snapshot of all rows, for long reads beside writes. It keeps disk space in use until it is closed. Reads of one
 * snapshot never overlap: the caller waits for each.
 */
export interface StoreView {
  /** About how many rows the store has; undefined if the engine does not know. */
  readonly estimatedRows: number | undefined;
  /** Rows from the beginning of a range, up to about `maxBytes`; at least one if there are any. */
  page(range: { gte: Uint8Array; lt: Uint8Array }, maxBytes: number): Promise<[Uint8Array, Uint8Array][]>;
  close(): Promise<void>;
}

/** An engine's memory outside the JavaScript heap, in bytes, as it counts itself. */
export interface StoreMemory {
  /** Rows that are only in the log, not in tables yet. */
  memtables: number;
  /** Cached blocks of files. */
  cache: number;
  /** Indexes and filters of open files. */
  index: number;
}

export interface Store {
  readonly engine: 'rocksdb' | 'classic-level' | 'memory';
  get(key: Uint8Array): Uint8Array | undefined;
  getMany(keys: readonly Uint8Array[]): (Uint8Array | undefined)[];
  /** UTF-8 rows as text: for a page of documents a third cheaper than decoding bytes. */
  getTexts(keys: readonly Uint8Array[], use?: RowUse): (string | undefined)[];
  /** Applies all or nothing and is on disk when it resolves. `undefined` as value deletes. */
  write(ops: readonly BatchOp[]): Promise<void>;
  scan(range: ScanRange): AsyncIterable<[Uint8Array, Uint8Array]>;
  view(): StoreView;
  /** Undefined if the engine does not report it. */
  memory(): StoreMemory | undefined;
  close(): Promise<void>;
}

/** A row as text. */
export const textOf = (row: Uint8Array | undefined): string | undefined => row && fromUtf8(row);

/** The store cannot be opened or is not this node's. The message is for the operator; exit code 1. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** Endings of messages about a store that was refused. */
export const UNCHANGED = 'Nothing was changed';
export const RESTORE = 'Nothing was deleted; restore the data directory from a copy';
