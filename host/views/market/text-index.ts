// Full text of small documents, by row: which contain a text as it stands (any substring, case ignored), and which
// hold a word. In memory, rebuilt at start. No text is read to answer:
//   one or two characters      the set of rows that hold them (gram-sets.ts)
//   within one word's token    rows of all tokens that contain it (vocabulary.ts)
//   over several words         places of its rarest joint (sequences.ts)
// Keeps: recent answers are brought up to date with every change, so the pages of one query cost one search.
// Memory: about eight times the text, 2.7 KiB for a document of 330 bytes, room to grow included.

import { Bits } from './bits.ts';
import { GramSets } from './gram-sets.ts';
import { Lexicon } from './lexicon.ts';
import { remember } from './recent.ts';
import { RowSet } from './row-set.ts';
import { RunSearch } from './run-search.ts';
import { Sequences } from './sequences.ts';
import { FIELD_END } from './text-fields.ts';
import { fieldTokens, hasSign, tokensOf, wordsOf } from './text-tokens.ts';
import { TokenTest } from './token-test.ts';
import { RUN } from './vocabulary.ts';

/** Answers kept: at most 12.5 KiB each at 100,000 documents. */
const MAX_RECENT = 64;

/** A word is frequent when one in so many rows holds it: then a bit for each row is no larger than the list. */
const FREQUENT_OF = 32;

export class TextIndex {
  readonly #words = new Lexicon();
  readonly #tokens = new Lexicon();
  readonly #grams = new GramSets();
  readonly #sequences = new Sequences();
  readonly #tests = { first: new TokenTest(), last: new TokenTest(), rare: new TokenTest() };
  readonly #recent = new Map<string, RowSet>();
  /** Sets for words of recent discoveries that many rows hold. */
  readonly #frequent = new Map<string, Bits>();
  #rowsEnd = 0;
  #changes = 0;

  /** Times that a row was added or removed: as long as this stays, so do all answers. */
  get changes(): number {
    return this.#changes;
  }

  /** Distinct words over all rows. */
  get words(): number {
    return this.#words.rows.size;
  }

  /** The row must be free. `text`: see joinFields. */
  add(row: number, text: string): void {
    this.#changes++;
    const folded = text.toLowerCase();
    const fields = fieldTokens(folded);
    const tokens = new Set(fields.flatMap((field) => field.tokens));
    this.#rowsEnd = Math.max(this.#rowsEnd, row + 1);
    const words = wordsOf(folded);
    this.#words.rows.add(row, words);
    for (const [word, rows] of this.#frequent) if (words.has(word)) rows.add(row);
    this.#tokens.rows.add(row, tokens);
    const idOf = (token: string): number => this.#tokens.rows.find(token)!;
    this.#sequences.add(
      row,
      fields.map(({ tokens, joints }) => ({ tokens: tokens.map(idOf), joints })),
    );
    this.#grams.add(row, folded);
    for (const [query, rows] of this.#recent) if (folded.includes(query)) rows.add(row);
  }

  /** The row must have been added. */
  remove(row: number): void {
    this.#changes++;
    const tokens = this.#tokens.rows;
    for (const token of tokens.termsOf(row)) this.#grams.remove(row, tokens.text(token));
    this.#sequences.remove(row);
    tokens.remove(row);
    this.#words.rows.remove(row);
    for (const rows of this.#recent.values()) rows.remove(row);
    for (const rows of this.#frequent.values()) rows.remove(row);
  }

  /** Rows that hold a word, one of `wordsOf` some text. The set is the index's own: read it at once. */
  withWord(word: string): Bits {
    const list = this.#words.rows.rowsWith(word);
    const known = this.#frequent.get(word);
    const rows = known ?? new Bits(this.#rowsEnd);
    if (!known) rows.addAll(list, 0, list.length);
    const isFrequent = known || list.length * FREQUENT_OF >= this.#rowsEnd;
    if (isFrequent) remember(this.#frequent, word, rows, MAX_RECENT);
    return rows;
  }

  /** Rows whose text contains the query, which must not be empty. The set is the index's own: read it at once. */
  containing(query: string): RowSet {
    const folded = query.toLowerCase();
    if (folded.includes(FIELD_END)) return new RowSet();
    if (folded.length < RUN) return this.#grams.rowsWith(folded);
    const found = this.#recent.get(folded) ?? this.#search(folded);
    remember(this.#recent, folded, found, MAX_RECENT);
    return found;
  }

  #search(folded: string): RowSet {
    const rows = new RowSet(this.#rowsEnd);
    const query = tokensOf(folded);
    if (query.joints.length > 0) {
      new RunSearch(this.#sequences, this.#tokens, this.#tests, query).addRows(rows, this.#rowsEnd);
    } else if (hasSign(folded)) this.#tokens.addContaining(folded, rows);
    else this.#words.addContaining(folded, rows);
    return rows;
  }
}
