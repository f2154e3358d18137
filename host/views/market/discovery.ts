// Ranks active listings for a query: every listing that passes the filters, by composite score, ties by agent_id
// (protocol 6.16). A page is merged from the maintained rankings, one source for each price and each number of words
// found; where few listings contain the words, they are scored one by one. Other queries (a far page, very many prices
// or words) are ranked by a pass over all listings (ranking-pass.ts).

import { bestRows, type RowSource } from './best-rows.ts';
import type { Bits } from './bits.ts';
import { compositeBp, priceScorer, queryWords, relevanceBp } from './discovery-score.ts';
import { ANY, type ListingIndex } from './listing-index.ts';
import type { Ranking } from './ranking.ts';
import { type DiscoveryTerms, type RankedRows, RankingPass } from './ranking-pass.ts';
import { Rankings } from './rankings.ts';
import { RecentMap } from './recent-map.ts';
import { MAX_LEVELS, RelevanceLevels } from './relevance-levels.ts';
import { scoredSource } from './scored-source.ts';
import type { Standing } from './standing.ts';

const MICRO_PER_TOKEN = 1_000_000;
/** Largest rank and number of prices for which rankings are merged. */
const MAX_MERGED_RANKS = 1000;
const MAX_MERGED_PRICES = 256;
/** Up to this many rows with the same number of words are scored one by one. */
const FEW_ROWS = 2048;
/** Cached levels, used when the same words are queried again before a listing changes: up to 8 bits per listing each. */
const MAX_CACHED_LEVELS = 32;

export interface DiscoveryQuery {
  query: string;
  /** ANY for all. */
  category: string;
  /** u. */
  maxBudget: number | undefined;
  minReputationBp: number;
  /** Rank by the whole record instead of what standing backs. */
  inFull: boolean;
}

interface Ranked {
  agent: number;
  relevanceBp: number;
  reputationBp: number;
  completionBp: number;
  backingBp: number;
  priceBp: number;
  compositeBp: number;
  /** From 1. */
  rank: number;
}

export class Discovery {
  readonly #rankings: Rankings;
  readonly #pass: RankingPass;
  /** Cached levels by words. */
  readonly #levels = new RecentMap<RelevanceLevels>(MAX_CACHED_LEVELS);
  /** Value of `text.changes` for which they are valid. */
  #levelsAt = 0;

  constructor(
    private readonly listings: ListingIndex,
    private readonly standing: Standing,
  ) {
    this.#rankings = new Rankings(listings, standing);
    this.#pass = new RankingPass(listings);
  }

  /** Ranks all rows that were loaded at a start, in steps. `rows`: by agent_id. */
  sortLoaded(rows: Uint32Array): Generator<void, void> {
    return this.#rankings.sortLoaded(rows);
  }

  /** `nowSecs`: consensus time. `total`: listings that pass the filters. */
  page(
    query: DiscoveryQuery,
    offset: number,
    count: number,
    nowSecs: number,
  ): { rows: Ranked[]; total: number } {
    const { listings, standing } = this;
    standing.refresh(nowSecs);
    const words = queryWords(query.query);
    const { maxBudget, minReputationBp, category, inFull } = query;
    const terms: DiscoveryTerms = {
      category,
      words,
      maxPriceTok:
        maxBudget === undefined ? Number.POSITIVE_INFINITY : Math.floor(maxBudget / MICRO_PER_TOKEN),
      minReputationBp,
      figures: inFull ? standing.full : standing.counted,
      priceBp: priceScorer(maxBudget),
      levels: this.#levelsOf(words),
    };
    const { best, total } = this.#ranked(terms, offset, count);
    const rows = best.map(({ row, score }, i) => ({
      agent: listings.agentOf(row),
      relevanceBp: relevanceBp(terms.levels.of(row), words.length),
      reputationBp: standing.full.reputationBp(row),
      completionBp: standing.full.completionBp(row),
      backingBp: standing.backingBp(row),
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
    if (words.length <= MAX_LEVELS) this.#levels.remember(name, levels);
    return levels;
  }

  #ranked(terms: DiscoveryTerms, offset: number, count: number): RankedRows {
    const ranking = this.#rankings.of(terms.category);
    if (!ranking) return { best: [], total: 0 };
    // The rankings are kept in the order of what counts.
    const isMerged =
      terms.figures === this.standing.counted &&
      offset + count <= MAX_MERGED_RANKS &&
      ranking.prices.size <= MAX_MERGED_PRICES &&
      terms.words.length <= MAX_LEVELS;
    if (!isMerged) return this.#pass.page(terms, offset, count);
    const prices = [...ranking.prices.keys()].filter((price) => price <= terms.maxPriceTok);
    const total = this.#total(ranking, prices, terms);
    if (offset >= total) return { best: [], total };
    const sources: RowSource[] = [];
    for (let found = terms.words.length; found >= 0; found--) {
      sources.push(...this.#sources(ranking, prices, terms, found));
    }
    return { best: bestRows(sources, offset, count, this.listings.compareRows), total };
  }

  #total(ranking: Ranking, prices: readonly number[], { minReputationBp }: DiscoveryTerms): number {
    let total = 0;
    for (const price of prices) {
      total +=
        minReputationBp === 0
          ? ranking.prices.of(price)
          : ranking.count(
              price,
              3 * minReputationBp,
              (row) => this.standing.counted.reputationBp(row) >= minReputationBp,
            );
    }
    return total;
  }

  /** Sources of the rows that contain exactly `found` of the words. */
  #sources(ranking: Ranking, prices: readonly number[], terms: DiscoveryTerms, found: number): RowSource[] {
    const { levels, minReputationBp } = terms;
    const [candidates, more] = [levels.atLeast(found), levels.atLeast(found + 1)];
    const accepts = (row: number): boolean =>
      (!candidates || candidates.has(row)) &&
      !more?.has(row) &&
      (minReputationBp === 0 || this.standing.counted.reputationBp(row) >= minReputationBp);
    const relevance = relevanceBp(found, terms.words.length);
    const rowCount = candidates
      ? levels.countAtLeast(found) - levels.countAtLeast(found + 1)
      : Number.POSITIVE_INFINITY;
    if (rowCount === 0) return [];
    if (rowCount <= FEW_ROWS && rowCount <= ranking.size)
      return [this.#scored(candidates!, terms, relevance, accepts)];
    const minBase = 3 * minReputationBp;
    return prices.map((price) => {
      const rest = 3 * relevance + 2 * terms.priceBp(price);
      const scoreOf = (row: number): number => Math.floor((this.standing.baseBp(row) + rest) / 10);
      const maxScore = Math.floor((ranking.topBase(price, Number.POSITIVE_INFINITY)! + rest) / 10);
      return { maxScore, scoreOf, rows: ranking.inOrder(price, rest, minBase, accepts) };
    });
  }

  /** A few rows, scored one by one. */
  #scored(
    candidates: Bits,
    terms: DiscoveryTerms,
    relevance: number,
    accepts: (row: number) => boolean,
  ): RowSource {
    const { listings } = this;
    const rows: number[] = [];
    const scores: number[] = [];
    candidates.forEach((row) => {
      const price = listings.priceTok(row);
      const isIn = terms.category === ANY || listings.categoryOf(row) === terms.category;
      if (!isIn || price > terms.maxPriceTok || !accepts(row)) return;
      const [reputation, completion] = [terms.figures.reputationBp(row), terms.figures.completionBp(row)];
      rows.push(row);
      scores.push(compositeBp(relevance, reputation, completion, terms.priceBp(price)));
    });
    return scoredSource(rows, scores, listings.compareRows);
  }
}
