// Append-only lists of events by author and type, numbered without gaps, so that a page is addressed and not searched.
// Lengths are cached and written with the group that changes them.

import type { EventType } from '../store/event-types.ts';
import { typeNumber } from '../store/event-types.ts';
import { keyList, readU32 } from '../store/prefixes.ts';
import type { Store } from '../store/store.ts';
import type { WriteSet } from '../store/write-set.ts';

/** Author number of system events; agents are index + 1. */
export const SYSTEM_AUTHOR = 0xffffffff;
const CACHE_MOST = 200_000;

export class EventLists {
  readonly #lengths = new Map<string, number>();

  constructor(private readonly store: Store) {}

  length(author: number, type: number): number {
    const name = `${author}:${type}`;
    const known = this.#lengths.get(name);
    if (known !== undefined) return known;
    const bytes = this.store.get(keyList('n', author, type));
    const length = bytes ? readU32(bytes) : 0;
    this.#keep(name, length);
    return length;
  }

  #keep(name: string, length: number): void {
    if (this.#lengths.size >= CACHE_MOST) this.#lengths.delete(this.#lengths.keys().next().value!);
    this.#lengths.set(name, length);
  }

  /** Puts an executed event into the lists of its type, its author, and both. */
  append(set: WriteSet, author: number, type: EventType, seq: number): void {
    const value = Buffer.allocUnsafe(8);
    value.writeBigUInt64BE(BigInt(seq));
    const number = typeNumber(type);
    for (const [a, n] of [
      [0, number],
      [author, 0],
      [author, number],
    ] as const) {
      const position = this.length(a, n);
      set.put(keyList('l', a, n, position), value);
      const length = Buffer.allocUnsafe(4);
      length.writeUInt32BE(position + 1);
      set.put(keyList('n', a, n), length);
      this.#keep(`${a}:${n}`, position + 1);
    }
  }
}
