// Numbers of joints, and which joints a part of one is of: a query may show only one character of a word at its begin
// or end, where a text has two.

import { Names } from './names.ts';
import { Postings } from './postings.ts';
import { shortJoint } from './text-tokens.ts';

export class JointNames {
  readonly #names = new Names();
  /** Joints by their short form. */
  readonly #shorts = new Postings();

  /** The number of a joint, a new one when it has none. */
  intern(joint: string): number {
    const known = this.#names.find(joint);
    if (known !== undefined) return known;
    const number = this.#names.intern(joint);
    this.#shorts.add(number, new Set([shortJoint(joint)]));
    return number;
  }

  release(number: number): void {
    this.#shorts.remove(number);
    this.#names.release(number);
  }

  /** Joints that contain a part, which has a character at least on each side of its signs. */
  matching(part: string): number[] {
    const some = this.#shorts.rowsWith(shortJoint(part));
    return Array.from(some).filter((joint) => this.#names.text(joint).includes(part));
  }
}
