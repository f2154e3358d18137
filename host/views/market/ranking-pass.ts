// A ranking by passes over all listings of a category: one over flat arrays counts how many have each score, a second
// one picks the page, so it costs a few nanoseconds for each listing and no sort, whatever the page and the wish.

import type { RankedRows, Terms } from './discovery.ts';
import { BP, compositeBp, relevanceBp } from './discovery-score.ts';
import type { ListingIndex } from './listing-index.ts';
import type { Standing } from './standing.ts';

/** Marks a row that a filter took out. */
const OUT = 0xffff;

export class RankingPass {
  #scores = new Uint16Array(0);
  readonly #counts = new Uint32Array(BP + 1);

  constructor(
    private readonly listings: ListingIndex,
    private readonly standing: Standing,
  ) {}

  page(terms: Terms, offset: number, count: number): RankedRows {
    if (this.#scores.length < this.listings.rowsEnd)
      this.#scores = new Uint16Array(2 * this.listings.rowsEnd);
    const total = this.#score(terms);
    const picked = this.#pick(terms.category, offset, Math.min(count, Math.max(0, total - offset)));
    return { best: picked.map((row) => ({ row, score: this.#scores[row]! })), total };
  }

  /** Scores every row that passes, and how many have each score; how many pass. */
  #score({ category, words, mostTok, minReputationBp, priceBp, levels }: Terms): number {
    const { listings, standing } = this;
    this.#counts.fill(0);
    let total = 0;
    for (const chunk of listings.inIdOrder(category)) {
      for (const row of chunk) {
        const reputation = standing.reputationBp(row);
        const price = listings.priceTok(row);
        if (price > mostTok || reputation < minReputationBp) {
          this.#scores[row] = OUT;
          continue;
        }
        const relevance = relevanceBp(levels.of(row), words.length);
        const score = compositeBp(relevance, reputation, standing.completionBp(row), priceBp(price));
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
