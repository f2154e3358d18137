// Full text of small documents, by row: which contain a text as it stands (any substring, case ignored), and which
// hold a word. In memory, rebuilt at start.
// A query inside one word is answered by the words that hold it; another one by rows that hold its pieces and joints,
// whose texts are then looked at. Where lists are longer than texts are cheap to read, the texts are read.
// Keeps: recent answers are brought up to date with every change, so the pages of one query cost one search.
// Memory: about six times the text, 2 KiB for a document of 330 bytes (210 MB for 100,000 of them).

import { Bits } from './bits.ts';
import { Postings } from './postings.ts';
import { partsOf } from './query-pieces.ts';
import { FIELD_END } from './text-fields.ts';
import { Vocabulary } from './vocabulary.ts';

/** Answers kept: 12.5 KiB each at 100,000 documents. */
const RECENT_MOST = 64;
/** Looking into one text costs about as much as this many entries of a list. */
const LOOK_COST = 30;
/** The same where nearly every text holds the query, which is then found early. */
const EARLY_LOOK_COST = 8;

/** Rows that a text with the query is among: those of any of some terms. */
interface Clue {
  postings: Postings;
  terms: readonly number[];
  /** Entries of the lists of the terms. */
  cost: number;
}

function clueOf(postings: Postings, terms: readonly number[]): Clue {
  let cost = 0;
  for (const term of terms) cost += postings.countOf(term);
  return { postings, terms, cost };
}

export class TextIndex {
  readonly #vocabulary = new Vocabulary();
  readonly #words = new Postings(
    (word, text) => this.#vocabulary.add(word, text),
    (word) => this.#vocabulary.remove(word),
  );
  readonly #joints = new Postings();
  readonly #texts: (string | undefined)[] = [];
  readonly #recent = new Map<string, Bits>();
  #count = 0;

  /** Distinct words over all rows. */
  get words(): number {
    return this.#words.size;
  }

  /** The row must be free. `text`: see joinFields. */
  add(row: number, text: string): void {
    const folded = text.toLowerCase();
    const { words, joints } = partsOf(folded);
    this.#words.add(row, words);
    this.#joints.add(row, joints);
    this.#texts[row] = folded;
    this.#count++;
    for (const [query, rows] of this.#recent) if (folded.includes(query)) rows.add(row);
  }

  remove(row: number): void {
    this.#words.remove(row);
    this.#joints.remove(row);
    this.#texts[row] = undefined;
    this.#count--;
    for (const rows of this.#recent.values()) rows.remove(row);
  }

  /** Rows that hold a word, one of `wordsOf` some text. */
  withWord(word: string): Uint32Array {
    return this.#words.rowsWith(word);
  }

  /** Rows whose text contains the query, which must not be empty. The set is the index's own: read it at once. */
  containing(query: string): Bits {
    const folded = query.toLowerCase();
    if (folded.includes(FIELD_END)) return new Bits(0);
    const found = this.#recent.get(folded) ?? this.#search(folded);
    this.#recent.delete(folded);
    if (this.#recent.size >= RECENT_MOST) this.#recent.delete(this.#recent.keys().next().value!);
    this.#recent.set(folded, found);
    return found;
  }

  #search(folded: string): Bits {
    const { pieces, joints } = partsOf(folded);
    const clues: Clue[] = [];
    for (const joint of joints) {
      const term = this.#joints.find(joint);
      clues.push(clueOf(this.#joints, term === undefined ? [] : [term]));
    }
    for (const piece of pieces) {
      const words = this.#vocabulary.matching(piece, (word) => this.#words.text(word));
      clues.push(clueOf(this.#words, words));
    }
    clues.sort((a, b) => a.cost - b.cost);
    const isOneWord = pieces.length === 1 && pieces[0]!.text === folded;
    if (isOneWord && clues[0]!.cost <= EARLY_LOOK_COST * this.#count) return this.#holding(clues[0]!);
    return this.#lookedAt(isOneWord ? undefined : this.#candidates(clues), folded);
  }

  #holding(clue: Clue): Bits {
    const rows = new Bits(this.#texts.length);
    for (const term of clue.terms) rows.addAll(clue.postings.rowsOf(term));
    return rows;
  }

  /** Rows that fit the clues, cheapest first, as long as a clue costs less than looking at the rows left. */
  #candidates(clues: readonly Clue[]): Bits | undefined {
    let found: Bits | undefined;
    let left = this.#count;
    for (const clue of clues) {
      if (clue.cost > left * LOOK_COST) break;
      const rows = this.#holding(clue);
      if (found) found.keep(rows);
      else found = rows;
      left = found.count;
    }
    return found;
  }

  #lookedAt(candidates: Bits | undefined, folded: string): Bits {
    const rows = candidates ?? Bits.full(this.#texts.length);
    rows.forEach((row) => {
      if (!this.#texts[row]?.includes(folded)) rows.remove(row);
    });
    return rows;
  }
}
