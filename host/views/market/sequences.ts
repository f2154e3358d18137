// The texts as sequences of tokens, and the positions of each joint of two tokens: a query of several words is found by
// visiting the positions of its rarest joint and comparing a few numbers there.
// Keeps: every field is followed by END and every row begins with END, so a comparison may pass the end of a field but
// never leave the row. Each slot is once in the list of its joint and remembers its index there, so removing a row costs
// only its own tokens.
// Memory: 16 to 20 bytes for each token of a text.
//
//   slots of a row:   END  token token token END  token END  (rest of the last block)
//                            joint joint

import { JointNames } from './joint-names.ts';
import { NumberLists } from './number-lists.ts';

/** Marks the end of a field; no token has this number. */
export const END = 0xffffffff;
/** Rows occupy whole blocks of this many slots. */
const BLOCK = 16;
const BLOCK_SHIFT = 4;

/** One field: the numbers of its tokens, and the joints between them. */
export interface Sequence {
  tokens: readonly number[];
  joints: readonly string[];
}

export class Sequences {
  readonly #names = new JointNames();
  /** By joint: slots of the tokens that precede it. */
  readonly #slots = new NumberLists();
  #tokens = new Uint32Array(BLOCK);
  /** By slot: joint of this token and the next, if they have one. */
  #joints = new Uint32Array(BLOCK);
  /** By slot: its index in the list of its joint. */
  #places = new Uint32Array(BLOCK);
  /** Row by block. */
  #rows = new Uint32Array(1);
  #slotsEnd = 0;
  readonly #begin: number[] = [];
  readonly #blocks: number[] = [];
  /** By number of blocks: begins of free space of that size. */
  readonly #free: number[][] = [];

  /** The row must be empty. */
  add(row: number, fields: readonly Sequence[]): void {
    const size = fields.reduce((sum, { tokens }) => sum + tokens.length + 1, 1);
    const begin = this.#room(row, Math.ceil(size / BLOCK));
    let at = begin;
    this.#tokens[at++] = END;
    for (const { tokens, joints } of fields) {
      for (const [i, token] of tokens.entries()) {
        if (i < joints.length) {
          const joint = this.#names.intern(joints[i]!);
          this.#joints[at] = joint;
          this.#places[at] = this.#slots.push(joint, at);
        }
        this.#tokens[at++] = token;
      }
      this.#tokens[at++] = END;
    }
    this.#tokens.fill(END, at, begin + this.#blocks[row]! * BLOCK);
  }

  #room(row: number, blocks: number): number {
    const begin = this.#free[blocks]?.pop() ?? this.#slotsEnd;
    const end = begin + blocks * BLOCK;
    if (begin === this.#slotsEnd) this.#slotsEnd = end;
    if (end > this.#tokens.length) this.#grow(Math.max(end, 2 * this.#tokens.length));
    this.#rows.fill(row, begin >>> BLOCK_SHIFT, end >>> BLOCK_SHIFT);
    this.#begin[row] = begin;
    this.#blocks[row] = blocks;
    return begin;
  }

  #grow(slots: number): void {
    const grown = (column: Uint32Array, length: number): Uint32Array<ArrayBuffer> => {
      const larger = new Uint32Array(length);
      larger.set(column);
      return larger;
    };
    this.#tokens = grown(this.#tokens, slots);
    this.#joints = grown(this.#joints, slots);
    this.#places = grown(this.#places, slots);
    this.#rows = grown(this.#rows, slots / BLOCK);
  }

  /** The row must have been added. */
  remove(row: number): void {
    const begin = this.#begin[row]!;
    const blocks = this.#blocks[row]!;
    for (let at = begin; at + 1 < begin + blocks * BLOCK; at++) {
      if (this.#tokens[at] === END || this.#tokens[at + 1] === END) continue;
      this.#removePlace(this.#joints[at]!, at);
    }
    const free = this.#free[blocks] ?? [];
    this.#free[blocks] = free;
    free.push(begin);
  }

  #removePlace(joint: number, slot: number): void {
    // The last slot of the list moves into the gap.
    const moved = this.#slots.pop(joint);
    if (moved !== slot) {
      const place = this.#places[slot]!;
      this.#slots.set(joint, place, moved);
      this.#places[moved] = place;
    }
    if (this.#slots.count(joint) === 0) this.#names.release(joint);
  }

  /** Numbers of the joints that contain a part, and the total number of their slots. */
  jointsOf(part: string): { joints: number[]; count: number } {
    const joints = this.#names.matching(part);
    return { joints, count: joints.reduce((sum, joint) => sum + this.#slots.count(joint), 0) };
  }

  /** Slots of the tokens that precede a joint; valid until the next change. */
  slotsOf(joint: number): Uint32Array {
    return this.#slots.of(joint);
  }

  /** Tokens by slot; valid until the next change. */
  get tokens(): Uint32Array {
    return this.#tokens;
  }

  beginOf(row: number): number {
    return this.#begin[row]!;
  }

  /** All slots of the row are below this. */
  endOf(row: number): number {
    return this.#begin[row]! + this.#blocks[row]! * BLOCK;
  }

  rowAt(slot: number): number {
    return this.#rows[slot >>> BLOCK_SHIFT]!;
  }
}
