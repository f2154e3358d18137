// Phrase search: finds sequences of tokens. The first token is given by its end, the last by its beginning, the inner ones
// completely. The documents that have all of its joints and tokens, as far as that is cheap to find out, are compared with it;
// only texts of distinct tokens are read.

import type { AscendingLists } from './ascending-lists.ts';
import { Bits } from './bits.ts';
import { type Generation, NONE } from './generation.ts';
import { Needle } from './needle.ts';
import type { RowSet } from './row-set.ts';
import { SIDE, type Tokens, wordIn } from './text-tokens.ts';
import { type Phrase, written } from './token-sequences.ts';
import { END, type TokenTest } from './token-test.ts';
import { TRIGRAM } from './vocabulary.ts';

/** Up to this many documents are compared without a search for what else they must have. */
const FEW = 128;
/** Comparing a document costs as much as reading this many numbers of a list. */
const COMPARE_COST = 48;

/** What a document must have: to be in one of these lists. */
interface Need {
  lists: AscendingLists;
  of: ArrayLike<number>;
  /** Length of the lists together. */
  cost: number;
}

const wordOf = (token: string): string => wordIn(token) ?? '';

export interface Tests {
  first: TokenTest;
  last: TokenTest;
}

export class PhraseSearch {
  readonly #begin: string;
  readonly #end: string;

  /** `query`: at least two tokens. */
  constructor(
    private readonly generation: Generation,
    private readonly tests: Tests,
    private readonly query: Tokens,
  ) {
    this.#begin = query.tokens[0]!;
    this.#end = query.tokens.at(-1)!;
  }

  /** Adds the rows that contain the phrase to a set. */
  addRows(rows: RowSet): void {
    const { generation } = this;
    const { tokens, joints } = this.query;
    const last = tokens.length - 1;
    const found = tokens.map((text, i) => (i === 0 || i === last ? END : generation.token(text)));
    if (found.includes(undefined)) return;
    const ids = found as readonly number[];
    const needs = joints.map((joint, i) => {
      const isCut = (i === 0 && this.#isCutFirst()) || (i === joints.length - 1 && this.#isCutLast());
      const of = isCut ? generation.joints.matching(joint) : generation.joints.equal(joint);
      return this.#need(generation.joints.holders, of);
    });
    if (last === 1 && this.#impliesFirst() && this.#impliesLast()) {
      const { lists, of } = needs[0]!;
      for (let i = 0; i < of.length; i++) generation.addRowsIn(rows, lists, of[i]!);
      return;
    }
    for (const id of ids) if (id !== END) needs.push(this.#need(generation.holders, [id]));
    let ends: Ends = {};
    if (Math.min(...needs.map(({ cost }) => cost)) > FEW) {
      ends = this.#ends();
      for (const some of Object.values(ends)) needs.push(this.#need(generation.holders, some));
    }
    this.#compare(this.#candidates(needs), this.#phrase(ids, ends), rows);
  }

  #need(lists: AscendingLists, of: ArrayLike<number>): Need {
    let cost = 0;
    for (let i = 0; i < of.length; i++) cost += lists.count(of[i]!);
    return { lists, of, cost };
  }

  /** May the first joint have less of its first word than a joint of a text has. */
  #isCutFirst(): boolean {
    return wordOf(this.#begin).length < SIDE;
  }

  #isCutLast(): boolean {
    return wordOf(this.#end).length < SIDE;
  }

  /** True when the first joint implies that the first token ends as required. */
  #impliesFirst(): boolean {
    return this.query.joints[0]!.startsWith(this.#begin);
  }

  #impliesLast(): boolean {
    return this.query.joints.at(-1)!.endsWith(this.#end);
  }

  /** The tokens with which the phrase may begin and end, unless its joints say so or a part is too short. */
  #ends(): Ends {
    const ends: Ends = {};
    if (!this.#impliesFirst() && this.#begin.length >= TRIGRAM)
      ends.firsts = this.generation.endingWith(this.#begin);
    if (!this.#impliesLast() && this.#end.length >= TRIGRAM)
      ends.lasts = this.generation.beginningWith(this.#end);
    return ends;
  }

  #phrase(ids: readonly number[], { firsts, lasts }: Ends): Phrase {
    const { generation, tests } = this;
    const isFirst = (token: number): boolean => generation.endsWith(token, this.#begin);
    const isLast = (token: number): boolean => generation.startsWith(token, this.#end);
    const { tokensEnd } = generation;
    return {
      inner: new Needle(written(ids.slice(1, -1))),
      first: tests.first.start(tokensEnd, firsts ?? isFirst),
      last: tests.last.start(tokensEnd, lasts ?? isLast),
    };
  }

  /** Documents with the rarest, less those that lack something else, as far as comparing them would cost more. */
  #candidates(needs: Need[]): Uint32Array {
    const [rarest, ...others] = needs.sort((a, b) => a.cost - b.cost);
    let documents =
      rarest!.of.length === 1 ? rarest!.lists.of(rarest!.of[0]!) : this.#bitsOf(rarest!).toArray();
    let spent = 0;
    for (const need of others) {
      spent += need.cost;
      // All of them together: a query may need thousands of things that the same documents have.
      if (documents.length <= FEW || spent > COMPARE_COST * documents.length) break;
      const bits = this.#bitsOf(need);
      documents = documents.filter((document) => bits.has(document));
    }
    return documents;
  }

  #bitsOf({ lists, of }: Need): Bits {
    const bits = new Bits(this.generation.documents);
    for (let i = 0; i < of.length; i++) {
      const count = lists.read(of[i]!);
      bits.addAll(lists.numbers, 0, count);
    }
    return bits;
  }

  #compare(documents: Uint32Array, phrase: Phrase, rows: RowSet): void {
    const { generation } = this;
    for (const document of documents) {
      const row = generation.rowOf(document);
      if (row === NONE) continue;
      if (generation.sequences.contains(document, phrase)) rows.add(row);
    }
  }
}

interface Ends {
  firsts?: Uint32Array;
  lasts?: Uint32Array;
}
