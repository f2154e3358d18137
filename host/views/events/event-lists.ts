// Append-only lists of events by author and type, numbered without gaps, so that a page is read by position.
// The few events of most authors are stored in the row that counts them, so their page costs one read of the store. Lists
// of a type over all authors always have one row per event.
// Changed rows are written with the batch and cached in two generations: a row that changes again moves to the younger,
// the older is dropped as a whole. Reads are not cached: a client that reads the events of every agent neither fills
// memory with a million lists nor evicts those that writes need.

import type { EventType } from '../../store/event-types.ts';
import { typeNumber } from '../../store/event-types.ts';
import { readU32, readU64, rowKey, rowU64, writeU32, writeU64 } from '../../store/prefixes.ts';
import type { WriteSet } from '../../store/write-set.ts';
import type { Store } from '../../world/store.ts';

/** Author number of system events; agents are index + 1. */
export const SYSTEM_AUTHOR = 0xffffffff;
/** Author number of all authors together. */
const ANY_AUTHOR = 0;
/** Cached lists per generation. */
const MAX_CACHED = 100_000;
/** Largest number of events of a list stored in one row. */
const MAX_SHORT = 8;

/** The seqs of a short list, oldest first; or the length of a long one, whose seqs have one row each. */
type List = readonly number[] | number;

const lengthOf = (list: List): number => (typeof list === 'number' ? list : list.length);

function rowOf(list: List): Uint8Array {
  const seqs = typeof list === 'number' ? [] : list;
  const row = new Uint8Array(4 + 8 * seqs.length);
  writeU32(row, lengthOf(list));
  for (const [i, seq] of seqs.entries()) writeU64(row, seq, 4 + 8 * i);
  return row;
}

function readRow(row: Uint8Array): List {
  const length = readU32(row);
  if (row.length === 4) return length;
  return Array.from({ length }, (_, i) => readU64(row, 4 + 8 * i));
}

export class EventLists {
  #young = new Map<string, List>();
  #old = new Map<string, List>();

  constructor(private readonly store: Store) {}

  /** `rows`: source of the stored lists; during a batch its write set. */
  #list(author: number, type: number, rows: Pick<Store, 'get'>): List {
    const name = `${author}:${type}`;
    const known = this.#young.get(name) ?? this.#old.get(name);
    if (known !== undefined) return known;
    const row = rows.get(rowKey.eventList(author, type));
    if (row) return readRow(row);
    return author === ANY_AUTHOR ? 0 : [];
  }

  #cache(name: string, list: List): void {
    if (this.#young.size >= MAX_CACHED) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(name, list);
  }

  /** Seqs of a page, newest first: up to `count` after the first `offset`; and the length of the list. */
  page(author: number, type: number, offset: number, count: number): { seqs: number[]; total: number } {
    const list = this.#list(author, type, this.store);
    const total = lengthOf(list);
    // Positions count from the oldest, from 0.
    const size = Math.max(0, Math.min(count, total - offset));
    const positions = Array.from({ length: size }, (_, i) => total - 1 - offset - i);
    if (typeof list !== 'number') return { seqs: positions.map((p) => list[p]!), total };
    const rows = this.store.getMany(positions.map((p) => rowKey.eventListItem(author, type, p)));
    return { seqs: rows.map((row) => readU64(row!)), total };
  }

  /** Appends an executed event to the lists of its type, its author, and both. */
  append(set: WriteSet, author: number, type: EventType, seq: number): void {
    const number = typeNumber(type);
    this.#append(set, ANY_AUTHOR, number, seq);
    this.#append(set, author, 0, seq);
    this.#append(set, author, number, seq);
  }

  #append(set: WriteSet, author: number, type: number, seq: number): void {
    const list = this.#list(author, type, set);
    let next: List;
    if (typeof list !== 'number' && list.length < MAX_SHORT) next = [...list, seq];
    else {
      // A list that was short until now moves its seqs to rows of their own.
      const moved = typeof list === 'number' ? [] : list;
      for (const [position, old] of moved.entries()) this.#put(set, author, type, position, old);
      this.#put(set, author, type, lengthOf(list), seq);
      next = lengthOf(list) + 1;
    }
    set.put(rowKey.eventList(author, type), rowOf(next));
    this.#cache(`${author}:${type}`, next);
  }

  #put(set: WriteSet, author: number, type: number, position: number, seq: number): void {
    set.put(rowKey.eventListItem(author, type, position), rowU64(seq));
  }
}
