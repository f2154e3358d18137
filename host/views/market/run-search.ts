// Finds runs of tokens: the first given by how it ends, the last by how it begins, the others as they are.
// Goes to the places of the rarest joint, or through the rows of the rarest token where those are fewer, and compares
// numbers there; no text is read but those of distinct tokens.

import type { Lexicon } from './lexicon.ts';
import { RowSet } from './row-set.ts';
import { END, type Sequences } from './sequences.ts';
import type { Tokens } from './text-tokens.ts';
import type { TokenTest } from './token-test.ts';
import { RUN } from './vocabulary.ts';

/** So few places are looked at without asking whether a token is rarer; asking costs as much as some hundred places. */
const FEW_PLACES = 256;
/** Going through one row costs as much as looking at this many places. */
const ROW_COST = 3;
/** Places looked at in one go. */
const PORTION = 512;

interface Run {
  /** Numbers of the tokens; the first and the last have tests instead. */
  ids: readonly number[];
  /** Undefined: true. */
  first: TokenTest | undefined;
  last: TokenTest | undefined;
}

/** Tokens of which one stands at a place of the run, and how many rows they have. */
interface Rare {
  index: number;
  tokens: ArrayLike<number>;
  cost: number;
}

export class RunSearch {
  /** Of no meaning: keeps the loads of #touch from being left out. */
  touched = 0;
  readonly #ids: readonly (number | undefined)[];
  #anchor = 0;
  #places: { joints: number[]; count: number };

  /** `query`: at least two tokens. */
  constructor(
    private readonly sequences: Sequences,
    private readonly lexicon: Lexicon,
    private readonly tests: { first: TokenTest; last: TokenTest; rare: TokenTest },
    private readonly query: Tokens,
  ) {
    const { tokens, joints } = query;
    this.#places = sequences.jointsOf(joints[0]!);
    for (let i = 1; i < joints.length; i++) {
      const others = sequences.jointsOf(joints[i]!);
      if (others.count < this.#places.count) [this.#anchor, this.#places] = [i, others];
    }
    const last = tokens.length - 1;
    this.#ids = tokens.map((text, i) => (i === 0 || i === last ? END : lexicon.rows.find(text)));
  }

  /** Adds the rows that have the run to a set. */
  addRows(rows: RowSet, rowsEnd: number): void {
    if (this.#ids.includes(undefined)) return;
    const ids = this.#ids as readonly number[];
    const { count } = this.#places;
    const lazy = { ids, first: this.#firstTest(), last: this.#lastTest() };
    const inner = this.#rarest(ids.map((id) => (id === END ? undefined : [id])));
    if (inner.cost * ROW_COST < count) this.#inRows(rows, lazy, inner, rowsEnd);
    else if (count <= FEW_PLACES) this.#atPlaces(rows, lazy);
    else this.#withEnds(rows, ids, rowsEnd);
  }

  /** Finds out first which tokens the run may begin and end with, where its joint does not say it. */
  #withEnds(rows: RowSet, ids: readonly number[], rowsEnd: number): void {
    const [begin, end] = [this.query.tokens[0]!, this.query.tokens.at(-1)!];
    const isAsked = (text: string, isSaid: boolean): boolean => !isSaid && text.length >= RUN;
    const firsts = isAsked(begin, this.#saysFirst()) ? this.lexicon.endingWith(begin) : undefined;
    const lasts = isAsked(end, this.#saysLast()) ? this.lexicon.beginningWith(end) : undefined;
    const run = { ids, first: this.#firstTest(firsts), last: this.#lastTest(lasts) };
    const rarest = this.#rarest(
      ids.map((_, i) => (i === 0 ? firsts : i === ids.length - 1 ? lasts : undefined)),
    );
    if (rarest.cost * ROW_COST < this.#places.count) this.#inRows(rows, run, rarest, rowsEnd);
    else this.#atPlaces(rows, run);
  }

  /** Whether the joint looked at says by itself that the token before it ends as it must. */
  #saysFirst(): boolean {
    return this.#anchor === 0 && this.query.joints[0]!.startsWith(this.query.tokens[0]!);
  }

  #saysLast(): boolean {
    const { joints, tokens } = this.query;
    return this.#anchor === joints.length - 1 && joints.at(-1)!.endsWith(tokens.at(-1)!);
  }

  #firstTest(among?: Uint32Array): TokenTest {
    const { rows } = this.lexicon;
    const begin = this.query.tokens[0]!;
    return this.tests.first.ask(rows.termsEnd, among ?? ((token) => rows.text(token).endsWith(begin)));
  }

  #lastTest(among?: Uint32Array): TokenTest {
    const { rows } = this.lexicon;
    const end = this.query.tokens.at(-1)!;
    return this.tests.last.ask(rows.termsEnd, among ?? ((token) => rows.text(token).startsWith(end)));
  }

  /** `choices`: by place in the run, the tokens that may stand there. */
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

  #atPlaces(rows: RowSet, run: Run): void {
    const { sequences } = this;
    const all = sequences.tokens;
    const here = { ...run };
    if (this.#saysFirst()) here.first = undefined;
    if (this.#saysLast()) here.last = undefined;
    const isSaid = here.ids.length === 2 && !here.first && !here.last;
    for (const number of this.#places.joints) {
      const slots = sequences.slotsOf(number);
      for (let from = 0; from < slots.length; from += PORTION) {
        const end = Math.min(from + PORTION, slots.length);
        if (!isSaid) this.#touch(slots, from, end);
        for (let i = from; i < end; i++) {
          const slot = slots[i]!;
          if (fits(here, all, slot, this.#anchor)) rows.add(sequences.rowAt(slot));
        }
      }
    }
  }

  /** Loads that wait for no decision go on side by side; the comparing then finds the tokens near. */
  #touch(slots: Uint32Array, from: number, end: number): void {
    const all = this.sequences.tokens;
    let touched = 0;
    for (let i = from; i < end; i++) touched ^= all[slots[i]!]!;
    this.touched ^= touched;
  }

  #inRows(rows: RowSet, run: Run, rare: Rare, rowsEnd: number): void {
    const { sequences, lexicon } = this;
    const some = new RowSet(rowsEnd);
    const isRare = this.tests.rare.ask(lexicon.rows.termsEnd, rare.tokens);
    for (let i = 0; i < rare.tokens.length; i++) lexicon.rows.addRowsTo(some, rare.tokens[i]!);
    const all = sequences.tokens;
    // The joint before the rare token, or the one after the first.
    const anchor = Math.max(0, rare.index - 1);
    some.forEach((row) => {
      const end = sequences.endOf(row);
      for (let slot = sequences.beginOf(row); slot < end; slot++) {
        if (!isRare.holds(all[slot]!) || !fits(run, all, slot - rare.index + anchor, anchor)) continue;
        rows.add(row);
        return;
      }
    });
  }
}

/**
 * Whether a run has its token number `anchor` at a slot. Compares outward from the joint after it, so it stops at an
 * END before it could leave the row.
 */
function fits({ ids, first, last }: Run, all: Uint32Array, slot: number, anchor: number): boolean {
  const from = slot - anchor;
  for (let i = anchor; i > 0; i--) if (all[from + i] !== ids[i]) return false;
  if (first && !first.holds(all[from]!)) return false;
  const end = ids.length - 1;
  for (let i = anchor + 1; i < end; i++) if (all[from + i] !== ids[i]) return false;
  return !last || last.holds(all[from + end]!);
}
