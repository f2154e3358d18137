// Ranks active listings for a wish: every listing that passes the filters, by composite score, ties by agent_id
// (DECISIONS 6.16). One pass over flat arrays counts how many have each score, a second one picks the page, so a
// ranking costs a few nanoseconds for each listing and no sort.

import { BP, compositeBp, priceScorer, queryWords, relevanceBp } from './discovery-score.ts';
import type { ListingIndex } from './listing-index.ts';
import type { Standing } from './standing.ts';

const MICRO_PER_TOKEN = 1_000_000;
/** Marks a row that a filter took out. */
const OUT = 0xffff;

export interface Wish {
  query: string;
  /** ANY for all. */
  category: string;
  /** u. */
  maxBudget: number | undefined;
  minReputationBp: number;
}

export interface Ranked {
  agent: number;
  relevanceBp: number;
  reputationBp: number;
  completionBp: number;
  priceBp: number;
  compositeBp: number;
  /** From 1. */
  rank: number;
}

export class Discovery {
  #found = new Uint16Array(0);
  #scores = new Uint16Array(0);
  readonly #counts = new Uint32Array(BP + 1);

  constructor(
    private readonly listings: ListingIndex,
    private readonly standing: Standing,
  ) {}

  /** `nowSecs`: consensus time. `total`: listings that pass the filters. */
  page(wish: Wish, offset: number, count: number, nowSecs: number): { rows: Ranked[]; total: number } {
    const words = queryWords(wish.query);
    const priceBp = priceScorer(wish.maxBudget);
    this.#countWords(words);
    const total = this.#score(wish, words.length, priceBp, nowSecs);
    const picked = this.#pick(wish.category, offset, Math.min(count, Math.max(0, total - offset)));
    const rows = picked.map((row, i) => ({
      agent: this.listings.agentOf(row),
      relevanceBp: relevanceBp(this.#found[row]!, words.length),
      reputationBp: this.standing.reputationBp(row),
      completionBp: this.standing.completionBp(row),
      priceBp: priceBp(this.listings.priceTok(row)),
      compositeBp: this.#scores[row]!,
      rank: offset + i + 1,
    }));
    return { rows, total };
  }

  /** How many of the words each row holds. */
  #countWords(words: readonly string[]): void {
    const { rowsEnd, text } = this.listings;
    if (this.#found.length < rowsEnd) {
      this.#found = new Uint16Array(2 * rowsEnd);
      this.#scores = new Uint16Array(2 * rowsEnd);
    } else this.#found.fill(0, 0, rowsEnd);
    for (const word of words) for (const row of text.withWord(word)) this.#found[row]!++;
  }

  /** Scores every row that passes, and how many have each score; how many pass. */
  #score(wish: Wish, words: number, priceBp: (priceTok: number) => number, nowSecs: number): number {
    const { listings, standing } = this;
    const mostTok = wish.maxBudget === undefined ? Infinity : Math.floor(wish.maxBudget / MICRO_PER_TOKEN);
    const relevance = Uint16Array.from({ length: words + 1 }, (_, found) => relevanceBp(found, words));
    this.#counts.fill(0);
    let total = 0;
    for (const chunk of listings.inIdOrder(wish.category)) {
      for (const row of chunk) {
        if (standing.isStale(row, nowSecs)) standing.read(row, listings.agentOf(row), nowSecs);
        const reputation = standing.reputationBp(row);
        const price = listings.priceTok(row);
        if (price > mostTok || reputation < wish.minReputationBp) {
          this.#scores[row] = OUT;
          continue;
        }
        const relevant = relevance[this.#found[row]!]!;
        const score = compositeBp(relevant, reputation, standing.completionBp(row), priceBp(price));
        this.#scores[row] = score;
        this.#counts[score]!++;
        total++;
      }
    }
    return total;
  }

  /** Rows of ranks offset.. by falling score; rows of one score are met in order of agent_id. */
  #pick(category: string, offset: number, count: number): number[] {
    if (count <= 0) return [];
    const next = new Map<number, number>();
    let rank = 0;
    for (let score = BP; score >= 0 && rank < offset + count; score--) {
      const here = this.#counts[score]!;
      if (here > 0 && rank + here > offset) next.set(score, rank - offset);
      rank += here;
    }
    const picked = new Array<number>(count);
    let left = count;
    for (const chunk of this.listings.inIdOrder(category)) {
      for (const row of chunk) {
        const place = next.get(this.#scores[row]!);
        if (place === undefined) continue;
        next.set(this.#scores[row]!, place + 1);
        if (place < 0 || place >= count) continue;
        picked[place] = row;
        if (--left === 0) return picked;
      }
    }
    return picked;
  }
}
