// Append-only lists of events by author and type, numbered without gaps, so that a page is read by position.
// Their rows follow the log at a distance: what was appended stays in memory until there is enough of it, and is written in
// one batch of blocks with the mark up to which the lists are written. After a crash the rest is read from the events
// (list-recovery.ts). So a transfer costs its batch no row of a list, and a list that many events change is written once.
//
//   row n: u32 length, then the seqs that fill no chunk yet, u64 each     row l, chunk: MAX_CHUNK seqs, u64 each
//
// Written lists are cached in two generations: one that changes again moves to the younger, the older is dropped as a whole.
// Reads are not cached: a client that reads the events of every agent neither fills memory with a million lists nor evicts
// those that writes need.

import type { EventType } from '../../store/event-types.ts';
import { typeNumber } from '../../store/event-types.ts';
import { readU32, readU64, rowKey, writeU32, writeU64 } from '../../store/prefixes.ts';
import { readJson, type WriteSet } from '../../store/write-set.ts';
import type { Store } from '../../world/store.ts';
import { ANY_AUTHOR } from './authors.ts';

/** Cached lists per generation, half a kB each at most. Each is asked for once between two writes. */
const MAX_CACHED = 16_384;
/** Seqs in a row of their own. A list is rewritten with half as many on average. */
const MAX_CHUNK = 64;
/** Events whose lists may wait in memory; so many are read again after a crash, some 20 ms. */
export const MAX_UNWRITTEN = 1024;

/** Seq of the last event that all its lists have on disk. */
interface ListsMark {
  seq: number;
}
const MARK = rowKey.meta('lists');

interface List {
  author: number;
  type: number;
  length: number;
  /** Whole chunks that are not written yet, oldest first. */
  chunks: number[][];
  /** The last seqs, which fill no chunk yet, oldest first. */
  tail: number[];
}

const nameOf = (author: number, type: number): number => author * 0x10000 + type;

/** Whole chunks on disk. */
const writtenChunks = ({ length, chunks }: List): number => Math.floor(length / MAX_CHUNK) - chunks.length;

function putSeqs(row: Uint8Array, seqs: readonly number[], at: number): Uint8Array {
  for (const [i, seq] of seqs.entries()) writeU64(row, seq, at + 8 * i);
  return row;
}

const readSeqs = (row: Uint8Array, at: number): number[] =>
  Array.from({ length: (row.length - at) / 8 }, (_, i) => readU64(row, at + 8 * i));

const chunkRow = (seqs: readonly number[]): Uint8Array => putSeqs(new Uint8Array(8 * seqs.length), seqs, 0);

function listRow({ length, tail }: List): Uint8Array {
  const row = new Uint8Array(4 + 8 * tail.length);
  writeU32(row, length);
  return putSeqs(row, tail, 4);
}

/** Last seq of a chunk's row. */
export const lastOfChunk = (row: Uint8Array): number => readU64(row, row.length - 8);

export class EventLists {
  #young = new Map<number, List>();
  #old = new Map<number, List>();
  /** Changed since they were written, by name. */
  readonly #changed = new Map<number, List>();
  #unwritten = 0;
  #last: number | undefined;

  constructor(private readonly store: Pick<Store, 'get'>) {
    this.#last = readJson<ListsMark>(store.get(MARK))?.seq;
  }

  /** Seq of the last event in the lists; undefined when no lists of this form are stored. */
  get last(): number | undefined {
    return this.#last;
  }

  #list(author: number, type: number): List {
    const name = nameOf(author, type);
    const known = this.#changed.get(name) ?? this.#young.get(name) ?? this.#old.get(name);
    if (known) return known;
    const row = this.store.get(rowKey.eventList(author, type));
    const list: List = { author, type, length: 0, chunks: [], tail: [] };
    return row ? { ...list, length: readU32(row), tail: readSeqs(row, 4) } : list;
  }

  /** Seqs of a chunk, oldest first; none where the chunk was dropped with the history, or there is none. */
  #chunk(list: List, number: number): readonly number[] {
    const written = writtenChunks(list);
    if (number >= written) return [...list.chunks, list.tail][number - written] ?? [];
    const row = this.store.get(rowKey.eventChunk(list.author, list.type, number));
    return row ? readSeqs(row, 0) : [];
  }

  /**
   * Seqs of a page, newest first: up to `count` after the first `offset`; and the length of the list. Events before the
   * beginning of the documents may be in it, with seq 0 where the chunk was dropped.
   */
  page(author: number, type: number, offset: number, count: number): { seqs: number[]; total: number } {
    const list = this.#list(author, type);
    const total = list.length;
    // Positions count from the oldest, from 0.
    const end = total - offset;
    const begin = Math.max(0, end - count);
    const seqs: number[] = [];
    for (let at = begin; at < end; ) {
      const number = Math.floor(at / MAX_CHUNK);
      const chunk = this.#chunk(list, number);
      const last = Math.min(end, (number + 1) * MAX_CHUNK);
      for (; at < last; at++) seqs.push(chunk[at % MAX_CHUNK] ?? 0);
    }
    return { seqs: seqs.reverse(), total };
  }

  /** The first seq of a list that is not before `seq`: about a read of the store for each doubling of the list. */
  firstFrom(author: number, type: number, seq: number): number | undefined {
    const list = this.#list(author, type);
    let [low, high] = [0, Math.ceil(list.length / MAX_CHUNK)];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#chunk(list, middle).at(-1) ?? 0) < seq) low = middle + 1;
      else high = middle;
    }
    return this.#chunk(list, low).find((one) => one >= seq);
  }

  /** Appends an executed event to the lists of its type, its author, and both. Events come in the order of seq. */
  append(author: number, type: EventType, seq: number): void {
    const number = typeNumber(type);
    this.#append(ANY_AUTHOR, number, seq);
    this.#append(author, 0, seq);
    this.#append(author, number, seq);
    this.#last = seq;
    this.#unwritten += 1;
  }

  #append(author: number, type: number, seq: number): void {
    const list = this.#list(author, type);
    this.#changed.set(nameOf(author, type), list);
    list.tail.push(seq);
    list.length += 1;
    if (list.tail.length < MAX_CHUNK) return;
    list.chunks.push(list.tail);
    list.tail = [];
  }

  /** Writes what has changed, with the mark, once there is enough of it. `isAll`: however little. */
  flush(set: WriteSet, isAll: boolean): void {
    if (this.#unwritten === 0 || (!isAll && this.#unwritten < MAX_UNWRITTEN)) return;
    for (const [name, list] of this.#changed) {
      const { author, type, chunks } = list;
      const first = writtenChunks(list);
      for (const [i, seqs] of chunks.entries())
        set.put(rowKey.eventChunk(author, type, first + i), chunkRow(seqs));
      list.chunks = [];
      set.put(rowKey.eventList(author, type), listRow(list));
      this.#cache(name, list);
    }
    this.#changed.clear();
    this.#unwritten = 0;
    const mark: ListsMark = { seq: this.#last! };
    set.putJson(MARK, mark);
  }

  #cache(name: number, list: List): void {
    if (this.#young.size >= MAX_CACHED) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(name, list);
  }
}
