// Which documents contain a joint of two tokens, and which joints contain a part: at the beginning or end of a query a
// joint may have only one character of a word, where a joint of a text has two.

import { AscendingLists } from './ascending-lists.ts';
import { Needle } from './needle.ts';
import { TextTable } from './text-table.ts';
import { shortJoint } from './text-tokens.ts';

export class JointIndex {
  readonly #joints: TextTable;
  readonly #shorts: TextTable;
  /** By short form: the joints. */
  readonly #ofShort = new AscendingLists();
  /** By joint: the documents. */
  readonly holders = new AscendingLists();

  /** `seed`: see TextTable. */
  constructor(seed: number) {
    this.#joints = new TextTable(seed);
    this.#shorts = new TextTable(seed);
  }

  /** Number of joints. */
  get size(): number {
    return this.#joints.size;
  }

  /** Documents never descend from call to call. */
  add(document: number, joints: readonly string[]): void {
    for (const joint of joints) {
      const number = this.#joints.intern(joint);
      if (this.holders.count(number) === 0)
        this.#ofShort.push(this.#shorts.intern(shortJoint(joint)), number);
      this.holders.push(number, document);
    }
  }

  /** The number of a joint, in a list; none if no document has it. */
  equal(joint: string): number[] {
    const number = this.#joints.find(joint);
    return number === undefined ? [] : [number];
  }

  /**
   * Numbers of the joints that contain a part, which has at least one character on each side of its separator. There may be as
   * many of them as there are documents: not for each joint of a query.
   */
  matching(part: string): number[] {
    const short = this.#shorts.find(shortJoint(part));
    if (short === undefined) return [];
    const needle = Needle.ofText(part);
    return [...this.#ofShort.of(short)].filter((joint) => this.#joints.includes(joint, needle));
  }
}
