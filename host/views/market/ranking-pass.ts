// Ranks listings in two passes over all listings of a category: the first counts the listings with each score, the second
// picks the page. Costs a few nanoseconds per listing and no sort, for every page and query.

import { BP, compositeBp, relevanceBp } from './discovery-score.ts';
import type { ListingIndex } from './listing-index.ts';
import type { RelevanceLevels } from './relevance-levels.ts';
import type { RecordFigures } from './standing.ts';

/** A discovery query prepared for scoring rows. */
export interface DiscoveryTerms {
  category: string;
  words: readonly string[];
  maxPriceTok: number;
  minReputationBp: number;
  /** What the ranking reads of a record; the filter too. */
  figures: RecordFigures;
  priceBp: (priceTok: number) => number;
  levels: RelevanceLevels;
}

/** A page of rows with their scores, and the number of rows that pass the filters. */
export interface RankedRows {
  best: { row: number; score: number }[];
  total: number;
}

/** Score of a row that does not pass the filters. */
const FILTERED_OUT = 0xffff;

export class RankingPass {
  #scores = new Uint16Array(0);
  readonly #counts = new Uint32Array(BP + 1);

  constructor(private readonly listings: ListingIndex) {}

  page(terms: DiscoveryTerms, offset: number, count: number): RankedRows {
    if (this.#scores.length < this.listings.rowsEnd)
      this.#scores = new Uint16Array(2 * this.listings.rowsEnd);
    const total = this.#score(terms);
    const picked = this.#pick(terms.category, offset, Math.min(count, Math.max(0, total - offset)));
    return { best: picked.map((row) => ({ row, score: this.#scores[row]! })), total };
  }

  /** Scores every row that passes the filters and counts rows by score; returns the number of rows that pass. */
  #score(terms: DiscoveryTerms): number {
    const { category, words, maxPriceTok, minReputationBp, figures, priceBp, levels } = terms;
    const { listings } = this;
    this.#counts.fill(0);
    let total = 0;
    for (const chunk of listings.inIdOrder(category)) {
      for (const row of chunk) {
        const reputation = figures.reputationBp(row);
        const price = listings.priceTok(row);
        if (price > maxPriceTok || reputation < minReputationBp) {
          this.#scores[row] = FILTERED_OUT;
          continue;
        }
        const relevance = relevanceBp(levels.of(row), words.length);
        const score = compositeBp(relevance, reputation, figures.completionBp(row), priceBp(price));
        this.#scores[row] = score;
        this.#counts[score]!++;
        total++;
      }
    }
    return total;
  }

  /** `count` rows from rank `offset` on, by descending score; rows of equal score are visited in order of agent_id. */
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
