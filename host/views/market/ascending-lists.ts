// Many lists of ascending numbers, most of them short, as bytes: a number is the distance to the one before, seven bits a
// byte. Numbers are appended, never removed.
// Keeps: a list of one number takes nothing but its columns; a longer one is a chain of blocks, each twice as long as the
// one before, up to 1 KiB; the first bytes of a block say where the next is.
// Memory: 19 bytes for each list, one or two for each number, and half of the last block.

import { grown } from '../columns.ts';
import { BytePages, placeOf } from './byte-pages.ts';

const SHORTEST = 16;
/** Blocks from this one on, counted from 0, are equally long. */
const LAST_SIZE = 6;
/** Bytes at the begin of a block: offset of the next. */
const LINK = 4;

const sizeOf = (block: number): number => SHORTEST << block;
const after = (block: number): number => Math.min(block + 1, LAST_SIZE);

export class AscendingLists {
  readonly #bytes = new BytePages();
  /** By list: newest number, how many there are, first block, next free byte. */
  #last = new Uint32Array(16);
  #counts = new Uint32Array(16);
  #first = new Uint32Array(16);
  #free = new Uint32Array(16);
  /** By list: bytes left in the last block, and which it is, LAST_SIZE for all from there on. */
  #left = new Uint16Array(16);
  #blocks = new Uint8Array(16);
  /** What `read` has read; the reader may overwrite it. */
  numbers = new Uint32Array(16);

  count(list: number): number {
    return this.#counts[list] ?? 0;
  }

  /** Appends a number that is larger than all of the list; the last one again changes nothing. */
  push(list: number, number: number): void {
    this.#reach(list);
    const count = this.#counts[list]!;
    if (count > 0 && this.#last[list] === number) return;
    if (count === 1) this.#begin(list);
    if (count > 0) this.#write(list, number - this.#last[list]!);
    this.#last[list] = number;
    this.#counts[list] = count + 1;
  }

  #reach(list: number): void {
    if (list < this.#last.length) return;
    this.#last = grown(this.#last, list);
    this.#counts = grown(this.#counts, list);
    this.#first = grown(this.#first, list);
    this.#free = grown(this.#free, list);
    this.#left = grown(this.#left, list);
    this.#blocks = grown(this.#blocks, list);
  }

  /** The first block, with the number that had no need of one. */
  #begin(list: number): void {
    const offset = this.#bytes.take(SHORTEST);
    this.#first[list] = offset;
    this.#free[list] = offset + LINK;
    this.#left[list] = SHORTEST - LINK;
    this.#write(list, this.#last[list]!);
  }

  #write(list: number, distance: number): void {
    let rest = distance;
    for (; rest > 127; rest >>>= 7) this.#put(list, 128 | (rest & 127));
    this.#put(list, rest);
  }

  #put(list: number, byte: number): void {
    if (this.#left[list] === 0) this.#enlarge(list);
    const at = this.#free[list]!;
    this.#bytes.pageOf(at)[placeOf(at)] = byte;
    // The byte behind a full block may be in another page: it is never used.
    this.#free[list] = at + 1;
    this.#left[list]! -= 1;
  }

  #enlarge(list: number): void {
    const full = this.#free[list]! - sizeOf(this.#blocks[list]!);
    this.#blocks[list] = after(this.#blocks[list]!);
    const size = sizeOf(this.#blocks[list]!);
    const next = this.#bytes.take(size);
    const page = this.#bytes.pageOf(full);
    for (let i = 0; i < LINK; i++) page[placeOf(full) + i] = next >>> (8 * i);
    this.#free[list] = next + LINK;
    this.#left[list] = size - LINK;
  }

  /** Puts a list into `numbers`, until the next call; returns how many there are. No view of them: most lists are short. */
  read(list: number): number {
    const count = this.count(list);
    if (count > this.numbers.length) this.numbers = new Uint32Array(2 * count);
    const { numbers } = this;
    if (count === 1) numbers[0] = this.#last[list]!;
    if (count < 2) return count;
    let begin = this.#first[list]!;
    for (let block = 0, i = 0, number = 0, distance = 0, shift = 0; i < count; block = after(block)) {
      const page = this.#bytes.pageOf(begin);
      const from = placeOf(begin);
      const end = from + sizeOf(block);
      for (let at = from + LINK; at < end && i < count; at++) {
        const byte = page[at]!;
        distance |= (byte & 127) << shift;
        shift += 7;
        if (byte > 127) continue;
        number += distance;
        numbers[i++] = number;
        distance = 0;
        shift = 0;
      }
      begin =
        (page[from]! | (page[from + 1]! << 8) | (page[from + 2]! << 16) | (page[from + 3]! << 24)) >>> 0;
    }
    return count;
  }

  /** The numbers of a list. */
  of(list: number): Uint32Array {
    const count = this.read(list);
    return this.numbers.slice(0, count);
  }
}
