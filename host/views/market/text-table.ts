// Numbers texts in the order in which they come, without an object for each: the characters as bytes, one for each
// where all of a text are below 256, else two, and a hash table of numbers.
// Keeps: a text is never removed, so its number is its place. The texts are strangers': where they are in the hash table depends
// on a seed that nobody else knows, or whoever chooses texts of one slot would make each cost as much as all before.
// Growing puts hashes in their new slots, not texts: a table of a million texts would otherwise hold up everything for a quarter of
// a second.
// Memory: 20 bytes for each text, and its characters.

import { latin1 } from '../../wire/latin1.ts';
import { grown } from '../columns.ts';
import { BytePages, placeOf } from './byte-pages.ts';
import type { Needle } from './needle.ts';

/** Slots of the table for each text, at least. */
const SPARE = 4 / 3;
const FIRST_SLOTS = 64;

/** FNV-1a, whose begin and multiplier are made from a seed; without one they are the usual ones. */
export function hashOf(text: string, seed: number): number {
  const multiplier = 0x01000193 ^ (seed << 1);
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), multiplier);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function isWide(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0xff) return true;
  return false;
}

export class TextTable {
  readonly #bytes = new BytePages();
  #offsets = new Uint32Array(16);
  #hashes = new Uint32Array(16);
  /** Number + 1, or 0 for none; the length is a power of two. */
  #slots = new Uint32Array(FIRST_SLOTS);
  #size = 0;
  /** The text that was opened last. */
  #page: Uint8Array = new Uint8Array();
  #at = 0;
  #length = 0;
  #wide = 0;

  constructor(private readonly seed = 0) {}

  /** Number of texts; all numbers are below this. */
  get size(): number {
    return this.#size;
  }

  find(text: string): number | undefined {
    const held = this.#slots[this.#slotOf(text, hashOf(text, this.seed))]!;
    return held === 0 ? undefined : held - 1;
  }

  /** The slot of a text, or the free one for it. */
  #slotOf(text: string, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let held = this.#slots[slot]!; held !== 0; held = this.#slots[slot]!) {
      if (this.#hashes[held - 1] === hash && this.#holds(held - 1, text)) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** The number of a text; a new text gets the next one. */
  intern(text: string): number {
    const hash = hashOf(text, this.seed);
    const slot = this.#slotOf(text, hash);
    const held = this.#slots[slot]!;
    if (held !== 0) return held - 1;
    const number = this.#size;
    this.#offsets = grown(this.#offsets, number);
    this.#hashes = grown(this.#hashes, number);
    this.#offsets[number] = this.#keep(text);
    this.#hashes[number] = hash;
    this.#slots[slot] = number + 1;
    this.#size += 1;
    if (this.#size * SPARE > this.#slots.length) this.#spread();
    return number;
  }

  #spread(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    const mask = this.#slots.length - 1;
    for (let number = 0; number < this.#size; number++) {
      let slot = this.#hashes[number]! & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = number + 1;
    }
  }

  /** Length and width, seven bits a byte, then the characters. */
  #keep(text: string): number {
    const wide = isWide(text) ? 1 : 0;
    const head = 2 * text.length + wide;
    let headBytes = 1;
    for (let rest = head >>> 7; rest > 0; rest >>>= 7) headBytes += 1;
    const offset = this.#bytes.take(headBytes + (text.length << wide));
    const page = this.#bytes.pageOf(offset);
    let at = placeOf(offset);
    for (let rest = head; ; rest >>>= 7) {
      page[at++] = rest < 128 ? rest : 128 | (rest & 127);
      if (rest < 128) break;
    }
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      page[at++] = code;
      if (wide) page[at++] = code >>> 8;
    }
    return offset;
  }

  /** Finds the characters of a text: in `page` from `at` on, `length` of them. */
  #open(number: number): void {
    const offset = this.#offsets[number]!;
    const page = this.#bytes.pageOf(offset);
    let at = placeOf(offset);
    let head = 0;
    for (let shift = 0; ; shift += 7) {
      head |= (page[at]! & 127) << shift;
      if (page[at++]! < 128) break;
    }
    this.#page = page;
    this.#at = at;
    this.#length = head >>> 1;
    this.#wide = head & 1;
  }

  /** Are the characters from number `from` on those of a part; the text was opened. */
  #has(part: string, from: number): boolean {
    const page = this.#page;
    if (this.#wide) {
      for (let i = 0, at = this.#at + 2 * from; i < part.length; i++, at += 2)
        if ((page[at]! | (page[at + 1]! << 8)) !== part.charCodeAt(i)) return false;
      return true;
    }
    for (let i = 0, at = this.#at + from; i < part.length; i++, at++)
      if (page[at] !== part.charCodeAt(i)) return false;
    return true;
  }

  #holds(number: number, text: string): boolean {
    this.#open(number);
    return this.#length === text.length && this.#has(text, 0);
  }

  includes(number: number, part: Needle): boolean {
    this.#open(number);
    const page = this.#page;
    const step = 1 + this.#wide;
    let matched = 0;
    for (
      let left = this.#length, at = this.#at;
      matched + left >= part.length && left > 0;
      left--, at += step
    ) {
      matched = part.after(matched, this.#wide ? page[at]! | (page[at + 1]! << 8) : page[at]!);
      if (matched === part.length) return true;
    }
    return false;
  }

  startsWith(number: number, part: string): boolean {
    this.#open(number);
    return this.#length >= part.length && this.#has(part, 0);
  }

  endsWith(number: number, part: string): boolean {
    this.#open(number);
    return this.#length >= part.length && this.#has(part, this.#length - part.length);
  }

  text(number: number): string {
    this.#open(number);
    const [page, from, length] = [this.#page, this.#at, this.#length];
    if (!this.#wide) return latin1(page, from, from + length);
    // A decoder would replace lone halves of surrogate pairs.
    let text = '';
    for (let at = from; at < from + 2 * length; at += 2)
      text += String.fromCharCode(page[at]! | (page[at + 1]! << 8));
    return text;
  }
}
