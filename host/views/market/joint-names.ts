// Numbers of joints, and a lookup of joints by a part: at the beginning or end of a query a joint may have only one
// character of a word, where a joint of a text has two.

import { Names } from './names.ts';
import { Postings } from './postings.ts';
import { shortJoint } from './text-tokens.ts';

export class JointNames {
  readonly #names = new Names();
  /** Joints by their short form. */
  readonly #shorts = new Postings();

  /** The number of a joint; a new joint gets one. */
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

  /** Joints that contain a part; the part has at least one character on each side of its separator. */
  matching(part: string): number[] {
    const some = this.#shorts.rowsWith(shortJoint(part));
    return Array.from(some).filter((joint) => this.#names.text(joint).includes(part));
  }
}
