// Which documents contain a joint of two tokens, and which joints contain a part: at the beginning or end of a query a
// joint may have only one character of a word, where a joint of a text has two.

import { AscendingLists } from './ascending-lists.ts';
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

  /** Documents ascend from call to call. */
  add(document: number, joints: ReadonlySet<string>): void {
    for (const joint of joints) {
      const number = this.#joints.intern(joint);
      if (this.holders.count(number) === 0)
        this.#ofShort.push(this.#shorts.intern(shortJoint(joint)), number);
      this.holders.push(number, document);
    }
  }

  /** Numbers of the joints that contain a part, which has at least one character on each side of its separator. */
  matching(part: string): number[] {
    const short = this.#shorts.find(shortJoint(part));
    if (short === undefined) return [];
    return [...this.#ofShort.of(short)].filter((joint) => this.#joints.includes(joint, part));
  }
}
