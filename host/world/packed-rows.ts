// Rows of a batch, packed one after the other as they are put, with an index over their keys. An object for each row would live
// as long as its batch, so the garbage collector would copy it twice; and a thread that writes a batch needs it packed anyway.
// Keeps: one row for a key, the last that was put; rows in the order in which they were put. What is read is a copy, what is
// iterated a view that is good until the next change.
//
//   row: u32 bytes of key, key, u8 state, u32 bytes of value, value

import type { BatchOp, RowBatch } from './store.ts';

/** States of a row. An overwritten one counts no more. */
const [DELETED, PRESENT, OVERWRITTEN] = [0, 1, 2] as const;
const FIRST_BYTES = 4096;
const FIRST_SLOTS = 64;
/** Memory is kept for the next batch, as long as a batch needs so large a part of it. */
const LEAST_USE = 1 / 16;

const encoder = new TextEncoder();

/** FNV-1a: keys are short. */
function hashOf(key: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key[i]!, 0x01000193);
  return hash ^ (hash >>> 15);
}

function readU32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}

function writeU32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}

/** The rows that count of packed ones, as views. Both ends are this program, so malformed bytes are a bug and throw. */
export function* unpackRows(bytes: Uint8Array): Generator<BatchOp> {
  for (let at = 0; at < bytes.length; ) {
    const stateAt = at + 4 + readU32(bytes, at);
    const from = stateAt + 5;
    const end = from + readU32(bytes, stateAt + 1);
    // A length past the end reads as NaN or 0, too.
    if (!(end <= bytes.length) || from > bytes.length) throw new Error('malformed rows of a batch');
    const state = bytes[stateAt];
    if (state !== OVERWRITTEN) {
      const value = state === PRESENT ? bytes.subarray(from, end) : undefined;
      yield { key: bytes.subarray(at + 4, stateAt), value };
    }
    at = end;
  }
}

export class PackedRows implements RowBatch {
  #bytes = new Uint8Array(FIRST_BYTES);
  #end = 0;
  /** Place of a row + 1, by hash of its key; and that hash. */
  #places = new Int32Array(FIRST_SLOTS);
  #hashes = new Int32Array(FIRST_SLOTS);
  #length = 0;

  /** Number of rows that count. */
  get length(): number {
    return this.#length;
  }

  [Symbol.iterator](): Iterator<BatchOp> {
    return unpackRows(this.packed);
  }

  /** The packed rows: a view that is good until the next change. */
  get packed(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }

  /** Where the next row will be. */
  get end(): number {
    return this.#end;
  }

  /** The rows that were put since the end was there, and count. */
  since(end: number): Iterable<BatchOp> {
    return unpackRows(this.#bytes.subarray(end, this.#end));
  }

  /** Place of the row of a key; -1: there is none. */
  placeOf(key: Uint8Array): number {
    return this.#places[this.#slotOf(key, hashOf(key))]! - 1;
  }

  /** The value of the row at a place; undefined for one that deletes. */
  valueAt(place: number): Uint8Array | undefined {
    const bytes = this.#bytes;
    const stateAt = place + 4 + readU32(bytes, place);
    if (bytes[stateAt] !== PRESENT) return undefined;
    const from = stateAt + 5;
    return bytes.slice(from, from + readU32(bytes, stateAt + 1));
  }

  put(key: Uint8Array, value: Uint8Array): void {
    const from = this.#begin(key, PRESENT, value.length);
    this.#bytes.set(value, from);
    this.#finish(from, value.length);
  }

  /** Puts the UTF-8 bytes of a text, and returns them: a view that is good until the next change. */
  putText(key: Uint8Array, text: string): Uint8Array {
    const from = this.#begin(key, PRESENT, 3 * text.length);
    const { written } = encoder.encodeInto(text, this.#bytes.subarray(from));
    this.#finish(from, written);
    return this.#bytes.subarray(from, this.#end);
  }

  delete(key: Uint8Array): void {
    this.#finish(this.#begin(key, DELETED, 0), 0);
  }

  /** Begins a new batch. */
  clear(): void {
    const isRoomy = this.#end < LEAST_USE * this.#bytes.length;
    if (isRoomy && this.#bytes.length > FIRST_BYTES) this.#bytes = new Uint8Array(FIRST_BYTES);
    const isSparse = this.#length < LEAST_USE * this.#places.length;
    if (isSparse && this.#places.length > FIRST_SLOTS) this.#resize(FIRST_SLOTS);
    else this.#places.fill(0);
    this.#end = 0;
    this.#length = 0;
  }

  /** Writes the head of a row with room for so many bytes; returns where they begin. */
  #begin(key: Uint8Array, state: number, most: number): number {
    const at = this.#end;
    const stateAt = at + 4 + key.length;
    this.#reserve(stateAt + 5 + most);
    const bytes = this.#bytes;
    this.#index(key, at);
    writeU32(bytes, at, key.length);
    // Faster than `set` for what is so short.
    for (let i = 0; i < key.length; i++) bytes[at + 4 + i] = key[i]!;
    bytes[stateAt] = state;
    return stateAt + 5;
  }

  #finish(from: number, length: number): void {
    writeU32(this.#bytes, from - 4, length);
    this.#end = from + length;
  }

  #reserve(end: number): void {
    if (end <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(end, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#end));
    this.#bytes = larger;
  }

  /** Notes where the row of a key is from now on. */
  #index(key: Uint8Array, place: number): void {
    const hash = hashOf(key);
    const slot = this.#slotOf(key, hash);
    const old = this.#places[slot]! - 1;
    this.#places[slot] = place + 1;
    this.#hashes[slot] = hash;
    if (old >= 0) {
      this.#bytes[old + 4 + key.length] = OVERWRITTEN;
      return;
    }
    this.#length += 1;
    if (2 * this.#length > this.#places.length) this.#resize(2 * this.#places.length);
  }

  /** The slot of a key, or the empty one where it belongs. */
  #slotOf(key: Uint8Array, hash: number): number {
    const [places, hashes] = [this.#places, this.#hashes];
    const mask = places.length - 1;
    let slot = hash & mask;
    while (places[slot] !== 0 && !(hashes[slot] === hash && this.#isKeyAt(places[slot]! - 1, key)))
      slot = (slot + 1) & mask;
    return slot;
  }

  #isKeyAt(place: number, key: Uint8Array): boolean {
    const bytes = this.#bytes;
    if (readU32(bytes, place) !== key.length) return false;
    for (let i = 0; i < key.length; i++) if (bytes[place + 4 + i] !== key[i]) return false;
    return true;
  }

  #resize(slots: number): void {
    const [places, hashes] = [this.#places, this.#hashes];
    this.#places = new Int32Array(slots);
    this.#hashes = new Int32Array(slots);
    if (slots < places.length) return;
    const mask = slots - 1;
    for (let i = 0; i < places.length; i++) {
      if (places[i] === 0) continue;
      let slot = hashes[i]! & mask;
      while (this.#places[slot] !== 0) slot = (slot + 1) & mask;
      this.#places[slot] = places[i]!;
      this.#hashes[slot] = hashes[i]!;
    }
  }
}

/** Several batches as one. */
export class JoinedRows implements RowBatch {
  constructor(readonly parts: readonly RowBatch[]) {}

  get length(): number {
    return this.parts.reduce((sum, { length }) => sum + length, 0);
  }

  *[Symbol.iterator](): Generator<BatchOp> {
    for (const part of this.parts) yield* part;
  }
}

/** The packed rows of a batch, in a new buffer that is ready to be transferred. */
export function packRows(batch: RowBatch): Uint8Array<ArrayBuffer> {
  const parts = (batch instanceof JoinedRows ? batch.parts : [batch]).map(packedOf);
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function packedOf(batch: RowBatch): Uint8Array {
  if (batch instanceof PackedRows) return batch.packed;
  const rows = new PackedRows();
  for (const { key, value } of batch) {
    if (value) rows.put(key, value);
    else rows.delete(key);
  }
  return rows.packed;
}
