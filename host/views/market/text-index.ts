// Full-text index of small documents, by row: finds the rows that contain any substring (case ignored), and the rows that
// contain a word. In memory, built behind a start; document texts are not read to answer a query.
//
//   field     Ice, scan 4                             of row 7, say; lower-cased when added
//   words     ice   scan   4                          letters and digits
//   tokens    "ice, "   ", scan "   " 4"              a word with the separators on both sides
//   joints          "ce, sc"    "an 4"                between two tokens: two characters of each word
//   grams     i c e , ... and ic ce e, ...            single characters and pairs
//
//   query          answered from                                                      file
//   an             grams: the set of rows of "an"                                     gram-sets.ts
//   can, ", sca"   tokens that contain it, found by their trigrams, and their rows    vocabulary.ts, generation.ts
//   ce, scan 4     rows of its rarest joint or token, comparing their tokens          phrase-search.ts
//
// Tokens and joints are in two generations, which only grow: a text goes to the young one, each change moves some more of the old
// one there, and the old one goes when nothing is left in it. So what was removed is never more than what is there.
// Keeps: what a change costs depends on its text alone, not on what was asked; recent results are kept until then, so all pages of
// one query cost one search.
// Memory: besides the bits of the grams some 200 bytes for a text of 60 with a word of its own, 300 for one of 250.

import { grown } from '../columns.ts';
import { Bits } from './bits.ts';
import { Generation, NONE, type Rows } from './generation.ts';
import { GramSets } from './gram-sets.ts';
import { PhraseSearch } from './phrase-search.ts';
import { RecentMap } from './recent-map.ts';
import { RowSet } from './row-set.ts';
import { FIELD_END, tokensOf, wordsOf } from './text-tokens.ts';
import { TokenTest } from './token-test.ts';
import { TRIGRAM } from './vocabulary.ts';

/** Cached results: at most 12.5 KiB each at 100,000 documents. */
const MAX_RECENT = 64;

/** A word is frequent if one in this many rows contains it: its set is kept for the next queries. */
const FREQUENT_OF = 32;

/** Bytes of dropped texts at which a generation becomes the old one, if they are more than those of what is left. */
const MIN_DROPPED = 262_144;
/** Bytes of the old generation that are moved for each byte that changes, and at once. */
const MOVED = 2;
const MOVED_AT_ONCE = 16_384;

export class TextIndex {
  #young: Generation;
  #old: Generation | undefined;
  /** Documents of the old generation below this were moved. */
  #movedEnd = 0;
  /** Bytes that are to be moved; less than 0 after a long text. */
  #toMove = 0;
  /** By row: its document, and 1 if that is in the old generation. */
  #documents = new Uint32Array(16);
  #isOld = new Uint8Array(16);
  readonly #grams: GramSets;
  readonly #tests = { first: new TokenTest(), last: new TokenTest() };
  /** Until the next change. */
  readonly #recent = new RecentMap<RowSet>(MAX_RECENT);
  /** Sets for frequent words of recent queries. */
  readonly #frequent = new RecentMap<Bits>(MAX_RECENT);
  #rowsEnd = 0;
  #changes = 0;

  /** `seed`: see TextTable. */
  constructor(private readonly seed = 0) {
    this.#young = new Generation(seed);
    this.#grams = new GramSets(seed);
  }

  /** Number of rows added and removed so far: while it stays the same, so do all results. */
  get changes(): number {
    return this.#changes;
  }

  /** Texts that take memory, removed ones among them. */
  get documents(): number {
    return this.#generations().reduce((sum, { documents }) => sum + documents, 0);
  }

  /** About how many bytes those take. */
  get bytes(): number {
    return this.#generations().reduce((sum, { live, dropped }) => sum + live + dropped, 0);
  }

  /** The row must be unused. `text`: see joinFields. */
  add(row: number, text: string): void {
    this.#changes++;
    const folded = text.toLowerCase();
    this.#rowsEnd = Math.max(this.#rowsEnd, row + 1);
    this.#put(row, folded);
    this.#grams.add(row, folded);
    const words = this.#frequent.size > 0 ? wordsOf(folded) : undefined;
    for (const [word, rows] of this.#frequent) if (words!.has(word)) rows.add(row);
    this.#recent.clear();
    this.#changed(row);
    this.tidy();
  }

  #put(row: number, folded: string): void {
    this.#documents = grown(this.#documents, row);
    this.#isOld = grown(this.#isOld, row);
    this.#documents[row] = this.#young.add(row, folded);
    this.#isOld[row] = 0;
  }

  /** The row must have been added. */
  remove(row: number): void {
    this.#changes++;
    const generation = this.#isOld[row] ? this.#old! : this.#young;
    const document = this.#documents[row]!;
    const folded = generation.textOf(document);
    this.#grams.remove(row, folded);
    generation.drop(document);
    for (const rows of this.#frequent.values()) rows.remove(row);
    this.#recent.clear();
    this.#changed(row);
  }

  /** Counts a change of a row. Bytes count, not texts: long ones that were replaced are not outweighed by as many short ones. */
  #changed(row: number): void {
    const bytes = (this.#isOld[row] ? this.#old! : this.#young).bytesOf(this.#documents[row]!);
    const { live, dropped } = this.#young;
    if (!this.#old && dropped > Math.max(MIN_DROPPED, live)) {
      this.#old = this.#young;
      this.#young = new Generation(this.seed);
      this.#movedEnd = 0;
      this.#toMove = 0;
      this.#isOld.fill(1);
    }
    if (this.#old) this.#toMove += MOVED * bytes;
  }

  /** Moves some of the old generation: a millisecond or two. Returns whether there is more to move now. */
  tidy(): boolean {
    const old = this.#old;
    if (!old) return false;
    const until = this.#toMove - MOVED_AT_ONCE;
    for (; this.#toMove > Math.max(0, until) && old.live > 0; this.#movedEnd++) {
      const row = old.rowOf(this.#movedEnd);
      if (row === NONE) continue;
      this.#toMove -= old.bytesOf(this.#movedEnd);
      this.#put(row, old.textOf(this.#movedEnd));
      old.drop(this.#movedEnd);
    }
    if (old.live === 0) this.#old = undefined;
    return this.#old !== undefined && this.#toMove > 0;
  }

  /** Both generations, as far as there are two. */
  #generations(): Generation[] {
    return this.#old ? [this.#young, this.#old] : [this.#young];
  }

  /** Adds the rows that contain a word to a set, which may be given a row more than once. Costs what the word is found. */
  addRowsWith(word: string, rows: Rows): void {
    for (const generation of this.#generations())
      for (const token of generation.tokensOfWord(word)) generation.addRows(rows, token);
  }

  /** Rows that contain a word, as given by `wordsOf`. The set belongs to the index: use it before the next change. */
  withWord(word: string): Bits {
    const known = this.#frequent.get(word);
    const rows = known ?? new Bits(this.#rowsEnd);
    let count = 0;
    for (const generation of known ? [] : this.#generations()) {
      for (const token of generation.tokensOfWord(word)) {
        generation.addRows(rows, token);
        count += generation.countOf(token);
      }
    }
    if (known || count * FREQUENT_OF >= this.#rowsEnd) this.#frequent.remember(word, rows);
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
    for (const generation of this.#generations()) {
      if (query.joints.length > 0) new PhraseSearch(generation, this.#tests, query).addRows(rows);
      else for (const token of generation.containing(folded)) generation.addRows(rows, token);
    }
    return rows;
  }
}
