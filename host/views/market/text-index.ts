// Full-text index of small documents, by row: finds the rows that contain any substring (case ignored), and the rows that
// contain a word. In memory, rebuilt at start; document texts are not read to answer a query.
//
//   field     Ice, scan 4                             of row 7, say; lower-cased when added
//   words     ice   scan   4                          letters and digits
//   tokens    "ice, "   ", scan "   " 4"              a word with the separators on both sides
//   joints          "ce, sc"    "an 4"                between two tokens: two characters of each word
//   grams     i c e , ... and ic ce e, ...            single characters and pairs
//
//   query          answered from                                                      file
//   an             grams: the set of rows of "an"                                     gram-sets.ts
//   can            words that contain it, found by their trigrams, and their rows     vocabulary.ts, postings.ts
//   , sca          tokens that contain it, likewise                                   vocabulary.ts, postings.ts
//   ce, scan 4     positions of its rarest joint, comparing the tokens around them    phrase-search.ts, sequences.ts
//
// Keeps: recent results are updated with every change, so all pages of one query cost one search.
// Memory: about eight times the text, 2.7 KiB for a document of 330 bytes, spare capacity included.

import { Bits } from './bits.ts';
import { GramSets } from './gram-sets.ts';
import { Lexicon } from './lexicon.ts';
import { PhraseSearch } from './phrase-search.ts';
import { RecentMap } from './recent-map.ts';
import { RowSet } from './row-set.ts';
import { Sequences } from './sequences.ts';
import { FIELD_END, fieldTokens, hasSeparator, tokensOf, wordsOf } from './text-tokens.ts';
import { TokenTest } from './token-test.ts';
import { TRIGRAM } from './vocabulary.ts';

/** Cached results: at most 12.5 KiB each at 100,000 documents. */
const MAX_RECENT = 64;

/** A word is frequent if one in this many rows contains it: then one bit per row takes no more memory than the list. */
const FREQUENT_OF = 32;

export class TextIndex {
  readonly #words = new Lexicon();
  readonly #tokens = new Lexicon();
  readonly #grams = new GramSets();
  readonly #sequences = new Sequences();
  readonly #tests = { first: new TokenTest(), last: new TokenTest(), rare: new TokenTest() };
  readonly #recent = new RecentMap<RowSet>(MAX_RECENT);
  /** Sets for frequent words of recent queries. */
  readonly #frequent = new RecentMap<Bits>(MAX_RECENT);
  #rowsEnd = 0;
  #changes = 0;

  /** Number of rows added and removed so far: while it stays the same, so do all results. */
  get changes(): number {
    return this.#changes;
  }

  /** Number of distinct words over all rows. */
  get words(): number {
    return this.#words.rows.size;
  }

  /** The row must be unused. `text`: see joinFields. */
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

  /** Rows that contain a word, as given by `wordsOf`. The set belongs to the index: use it before the next change. */
  withWord(word: string): Bits {
    const list = this.#words.rows.rowsWith(word);
    const known = this.#frequent.get(word);
    const rows = known ?? new Bits(this.#rowsEnd);
    if (!known) rows.addAll(list, 0, list.length);
    const isFrequent = known || list.length * FREQUENT_OF >= this.#rowsEnd;
    if (isFrequent) this.#frequent.remember(word, rows);
    return rows;
  }

  /** Rows that contain the query, which must not be empty. The set belongs to the index: use it before the next change. */
  containing(query: string): RowSet {
    const folded = query.toLowerCase();
    if (folded.includes(FIELD_END)) return new RowSet();
    if (folded.length < TRIGRAM) return this.#grams.rowsWith(folded);
    const found = this.#recent.get(folded) ?? this.#search(folded);
    this.#recent.remember(folded, found);
    return found;
  }

  #search(folded: string): RowSet {
    const rows = new RowSet(this.#rowsEnd);
    const query = tokensOf(folded);
    if (query.joints.length > 0) {
      new PhraseSearch(this.#sequences, this.#tokens, this.#tests, query).addRows(rows, this.#rowsEnd);
    } else if (hasSeparator(folded)) this.#tokens.addContaining(folded, rows);
    else this.#words.addContaining(folded, rows);
    return rows;
  }
}
