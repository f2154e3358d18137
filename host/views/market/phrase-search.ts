// Phrase search: finds sequences of tokens. The first token is given by its end, the last by its beginning, the inner ones
// completely. Visits the slots of the rarest joint, or the rows of the rarest token if those are fewer, and compares
// numbers there; only texts of distinct tokens are read.

import type { Lexicon } from './lexicon.ts';
import { RowSet } from './row-set.ts';
import { END, type Sequences } from './sequences.ts';
import type { Tokens } from './text-tokens.ts';
import type { TokenTest } from './token-test.ts';
import { TRIGRAM } from './vocabulary.ts';

/** Up to this many slots are visited without looking for a rarer token, which costs about as much as some hundred slots. */
const FEW_SLOTS = 256;
/** Visiting one row costs as much as visiting this many slots. */
const ROW_COST = 3;
/** Slots visited in one step. */
const PORTION = 512;

interface Phrase {
  /** Numbers of the inner tokens; the first and the last have tests instead. */
  ids: readonly number[];
  /** Undefined: always true. */
  first: TokenTest | undefined;
  last: TokenTest | undefined;
}

/** The tokens possible at one position of the phrase, and the number of their rows. */
interface Rare {
  index: number;
  tokens: ArrayLike<number>;
  cost: number;
}

export class PhraseSearch {
  /** Not used: prevents the optimizer from removing the loads of #prefetch. */
  prefetched = 0;
  readonly #ids: readonly (number | undefined)[];
  /** Index of the rarest joint of the query, and its joints in the texts. */
  #anchor = 0;
  #matches: { joints: number[]; count: number };

  /** `query`: at least two tokens. */
  constructor(
    private readonly sequences: Sequences,
    private readonly lexicon: Lexicon,
    private readonly tests: { first: TokenTest; last: TokenTest; rare: TokenTest },
    private readonly query: Tokens,
  ) {
    const { tokens, joints } = query;
    this.#matches = sequences.jointsOf(joints[0]!);
    for (let i = 1; i < joints.length; i++) {
      const others = sequences.jointsOf(joints[i]!);
      if (others.count < this.#matches.count) [this.#anchor, this.#matches] = [i, others];
    }
    const last = tokens.length - 1;
    this.#ids = tokens.map((text, i) => (i === 0 || i === last ? END : lexicon.rows.find(text)));
  }

  /** Adds the rows that contain the phrase to a set. */
  addRows(rows: RowSet, rowsEnd: number): void {
    if (this.#ids.includes(undefined)) return;
    const ids = this.#ids as readonly number[];
    const { count } = this.#matches;
    const lazy = { ids, first: this.#firstTest(), last: this.#lastTest() };
    const inner = this.#rarest(ids.map((id) => (id === END ? undefined : [id])));
    if (inner.cost * ROW_COST < count) this.#inRows(rows, lazy, inner, rowsEnd);
    else if (count <= FEW_SLOTS) this.#atSlots(rows, lazy);
    else this.#withEnds(rows, ids, rowsEnd);
  }

  /** First finds the tokens with which the phrase may begin and end, unless the joint determines them. */
  #withEnds(rows: RowSet, ids: readonly number[], rowsEnd: number): void {
    const [begin, end] = [this.query.tokens[0]!, this.query.tokens.at(-1)!];
    const isNeeded = (text: string, isImplied: boolean): boolean => !isImplied && text.length >= TRIGRAM;
    const firsts = isNeeded(begin, this.#impliesFirst()) ? this.lexicon.endingWith(begin) : undefined;
    const lasts = isNeeded(end, this.#impliesLast()) ? this.lexicon.beginningWith(end) : undefined;
    const phrase = { ids, first: this.#firstTest(firsts), last: this.#lastTest(lasts) };
    const rarest = this.#rarest(
      ids.map((_, i) => (i === 0 ? firsts : i === ids.length - 1 ? lasts : undefined)),
    );
    if (rarest.cost * ROW_COST < this.#matches.count) this.#inRows(rows, phrase, rarest, rowsEnd);
    else this.#atSlots(rows, phrase);
  }

  /** True when the rarest joint alone implies that the first token ends as required. */
  #impliesFirst(): boolean {
    return this.#anchor === 0 && this.query.joints[0]!.startsWith(this.query.tokens[0]!);
  }

  #impliesLast(): boolean {
    const { joints, tokens } = this.query;
    return this.#anchor === joints.length - 1 && joints.at(-1)!.endsWith(tokens.at(-1)!);
  }

  #firstTest(among?: Uint32Array): TokenTest {
    const { rows } = this.lexicon;
    const begin = this.query.tokens[0]!;
    return this.tests.first.start(rows.termsEnd, among ?? ((token) => rows.text(token).endsWith(begin)));
  }

  #lastTest(among?: Uint32Array): TokenTest {
    const { rows } = this.lexicon;
    const end = this.query.tokens.at(-1)!;
    return this.tests.last.start(rows.termsEnd, among ?? ((token) => rows.text(token).startsWith(end)));
  }

  /** `choices`: the possible tokens by position in the phrase. */
  #rarest(choices: readonly (ArrayLike<number> | undefined)[]): Rare {
    let best: Rare = { index: 0, tokens: [], cost: Number.POSITIVE_INFINITY };
    for (const [index, tokens] of choices.entries()) {
      if (!tokens) continue;
      let cost = 0;
      for (let i = 0; i < tokens.length; i++) cost += this.lexicon.rows.countOf(tokens[i]!);
      if (cost < best.cost) best = { index, tokens, cost };
    }
    return best;
  }

  #atSlots(rows: RowSet, phrase: Phrase): void {
    const { sequences } = this;
    const all = sequences.tokens;
    const wanted = { ...phrase };
    if (this.#impliesFirst()) wanted.first = undefined;
    if (this.#impliesLast()) wanted.last = undefined;
    const isImplied = wanted.ids.length === 2 && !wanted.first && !wanted.last;
    for (const number of this.#matches.joints) {
      const slots = sequences.slotsOf(number);
      for (let from = 0; from < slots.length; from += PORTION) {
        const end = Math.min(from + PORTION, slots.length);
        if (!isImplied) this.#prefetch(slots, from, end);
        for (let i = from; i < end; i++) {
          const slot = slots[i]!;
          if (fits(wanted, all, slot, this.#anchor)) rows.add(sequences.rowAt(slot));
        }
      }
    }
  }

  /** Independent loads run in parallel; the comparisons that follow then find the tokens in the CPU cache. */
  #prefetch(slots: Uint32Array, from: number, end: number): void {
    const all = this.sequences.tokens;
    let sum = 0;
    for (let i = from; i < end; i++) sum ^= all[slots[i]!]!;
    this.prefetched ^= sum;
  }

  #inRows(rows: RowSet, phrase: Phrase, rare: Rare, rowsEnd: number): void {
    const { sequences, lexicon } = this;
    const candidates = new RowSet(rowsEnd);
    const isRare = this.tests.rare.start(lexicon.rows.termsEnd, rare.tokens);
    for (let i = 0; i < rare.tokens.length; i++) lexicon.rows.addRowsTo(candidates, rare.tokens[i]!);
    const all = sequences.tokens;
    // The joint before the rare token, or the one after the first.
    const anchor = Math.max(0, rare.index - 1);
    candidates.forEach((row) => {
      const end = sequences.endOf(row);
      for (let slot = sequences.beginOf(row); slot < end; slot++) {
        if (!isRare.holds(all[slot]!) || !fits(phrase, all, slot - rare.index + anchor, anchor)) continue;
        rows.add(row);
        return;
      }
    });
  }
}

/**
 * True when token number `anchor` of the phrase is at a slot. Compares outward from the joint after it, so it stops at an
 * END before it could leave the row.
 */
function fits({ ids, first, last }: Phrase, all: Uint32Array, slot: number, anchor: number): boolean {
  const from = slot - anchor;
  for (let i = anchor; i > 0; i--) if (all[from + i] !== ids[i]) return false;
  if (first && !first.holds(all[from]!)) return false;
  const end = ids.length - 1;
  for (let i = anchor + 1; i < end; i++) if (all[from + i] !== ids[i]) return false;
  return !last || last.holds(all[from + end]!);
}
