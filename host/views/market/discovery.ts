// Ranks active listings for a wish: every listing that passes the filters, by composite score, ties by agent_id
// (protocol 6.16). A page is merged from the rankings that are kept anyway, one source for each price and each number
// of words found; words that few listings hold are scored one by one. What this does not fit (a far page, very many
// prices or words) is ranked by a pass over all listings (ranking-pass.ts).

import { bestRows, type RowSource } from './best-rows.ts';
import type { Bits } from './bits.ts';
import { compositeBp, priceScorer, queryWords, relevanceBp } from './discovery-score.ts';
import { ANY, type ListingIndex } from './listing-index.ts';
import type { Ranking } from './ranking.ts';
import { RankingPass } from './ranking-pass.ts';
import { Rankings } from './rankings.ts';
import { remember } from './recent.ts';
import { MAX_LEVELS, RelevanceLevels } from './relevance-levels.ts';
import { scoredSource } from './scored-source.ts';
import type { Standing } from './standing.ts';

const MICRO_PER_TOKEN = 1_000_000;
/** Most ranks and prices that are merged. */
const MERGED_RANKS = 1000;
const MERGED_PRICES = 256;
/** Rows of one number of words: up to this many are scored one by one. */
const FEW_ROWS = 2048;
/** Levels kept for words that are asked again before a listing changes: up to 8 bits a listing each. */
const LEVELS_KEPT = 32;

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

/** A wish made ready for scoring rows. */
export interface Terms {
  category: string;
  words: readonly string[];
  mostTok: number;
  minReputationBp: number;
  priceBp: (priceTok: number) => number;
  levels: RelevanceLevels;
}

/** A page of rows with their scores, and how many rows pass the filters. */
export interface RankedRows {
  best: { row: number; score: number }[];
  total: number;
}

export class Discovery {
  readonly #rankings: Rankings;
  readonly #pass: RankingPass;
  /** By words. */
  readonly #levels = new Map<string, RelevanceLevels>();
  /** The `changes` of the text that they are of. */
  #levelsAt = 0;

  /** Rows that are in the index already must have a standing. */
  constructor(
    private readonly listings: ListingIndex,
    private readonly standing: Standing,
  ) {
    this.#rankings = new Rankings(listings, standing);
    this.#pass = new RankingPass(listings, standing);
  }

  /** `nowSecs`: consensus time. `total`: listings that pass the filters. */
  page(wish: Wish, offset: number, count: number, nowSecs: number): { rows: Ranked[]; total: number } {
    const { listings, standing } = this;
    standing.refresh(nowSecs);
    const words = queryWords(wish.query);
    const { maxBudget, minReputationBp, category } = wish;
    const terms: Terms = {
      category,
      words,
      mostTok: maxBudget === undefined ? Number.POSITIVE_INFINITY : Math.floor(maxBudget / MICRO_PER_TOKEN),
      minReputationBp,
      priceBp: priceScorer(maxBudget),
      levels: this.#levelsOf(words),
    };
    const { best, total } = this.#ranked(terms, offset, count);
    const rows = best.map(({ row, score }, i) => ({
      agent: listings.agentOf(row),
      relevanceBp: relevanceBp(terms.levels.of(row), words.length),
      reputationBp: standing.reputationBp(row),
      completionBp: standing.completionBp(row),
      priceBp: terms.priceBp(listings.priceTok(row)),
      compositeBp: score,
      rank: offset + i + 1,
    }));
    return { rows, total };
  }

  #levelsOf(words: readonly string[]): RelevanceLevels {
    const { text, rowsEnd } = this.listings;
    if (this.#levelsAt !== text.changes) this.#levels.clear();
    this.#levelsAt = text.changes;
    const name = words.join(' ');
    const levels = this.#levels.get(name) ?? new RelevanceLevels(text, words, rowsEnd);
    if (words.length <= MAX_LEVELS) remember(this.#levels, name, levels, LEVELS_KEPT);
    return levels;
  }

  #ranked(terms: Terms, offset: number, count: number): RankedRows {
    const ranking = this.#rankings.of(terms.category);
    if (!ranking) return { best: [], total: 0 };
    const isMerged =
      offset + count <= MERGED_RANKS &&
      ranking.prices.size <= MERGED_PRICES &&
      terms.words.length <= MAX_LEVELS;
    if (!isMerged) return this.#pass.page(terms, offset, count);
    const prices = [...ranking.prices.keys()].filter((price) => price <= terms.mostTok);
    const total = this.#total(ranking, prices, terms);
    if (offset >= total) return { best: [], total };
    const sources: RowSource[] = [];
    for (let found = terms.words.length; found >= 0; found--) {
      sources.push(...this.#sources(ranking, prices, terms, found));
    }
    return { best: bestRows(sources, offset, count, this.listings.compareRows), total };
  }

  #total(ranking: Ranking, prices: readonly number[], { minReputationBp }: Terms): number {
    let total = 0;
    for (const price of prices) {
      total +=
        minReputationBp === 0
          ? ranking.prices.of(price)
          : ranking.count(
              price,
              3 * minReputationBp,
              (row) => this.standing.reputationBp(row) >= minReputationBp,
            );
    }
    return total;
  }

  /** Where the rows come from that hold just so many of the words. */
  #sources(ranking: Ranking, prices: readonly number[], terms: Terms, found: number): RowSource[] {
    const { levels, minReputationBp } = terms;
    const [these, more] = [levels.atLeast(found), levels.atLeast(found + 1)];
    const accepts = (row: number): boolean =>
      (!these || these.has(row)) &&
      !more?.has(row) &&
      (minReputationBp === 0 || this.standing.reputationBp(row) >= minReputationBp);
    const relevance = relevanceBp(found, terms.words.length);
    const few = these
      ? levels.countAtLeast(found) - levels.countAtLeast(found + 1)
      : Number.POSITIVE_INFINITY;
    if (few === 0) return [];
    if (few <= FEW_ROWS && few <= ranking.size) return [this.#scored(these!, terms, relevance, accepts)];
    const leastBase = 3 * minReputationBp;
    return prices.map((price) => {
      const rest = 3 * relevance + 2 * terms.priceBp(price);
      const scoreOf = (row: number): number => Math.floor((this.standing.baseBp(row) + rest) / 10);
      const most = Math.floor((ranking.topBase(price, Number.POSITIVE_INFINITY)! + rest) / 10);
      return { most, scoreOf, rows: ranking.inOrder(price, rest, leastBase, accepts) };
    });
  }

  /** A few rows, scored one by one. */
  #scored(these: Bits, terms: Terms, relevance: number, accepts: (row: number) => boolean): RowSource {
    const { listings, standing } = this;
    const rows: number[] = [];
    const scores: number[] = [];
    these.forEach((row) => {
      const price = listings.priceTok(row);
      const isIn = terms.category === ANY || listings.categoryOf(row) === terms.category;
      if (!isIn || price > terms.mostTok || !accepts(row)) return;
      const [reputation, completion] = [standing.reputationBp(row), standing.completionBp(row)];
      rows.push(row);
      scores.push(compositeBp(relevance, reputation, completion, terms.priceBp(price)));
    });
    return scoredSource(rows, scores, listings.compareRows);
  }
}
