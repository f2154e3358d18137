// The formulas of discovery (protocol 6.16), in basis points, on integers only.

import { wordsOf } from './text-tokens.ts';

export const BP = 10_000;
const MIN_WORD_BYTES = 3;
/** Relevance for a query without words. */
const NO_WORDS_BP = 5000;
const TEN_BILLION = 1e10;

/** Distinct words of a query that count: those of at least 3 bytes. */
export const queryWords = (query: string): string[] =>
  [...wordsOf(query)].filter((word) => Buffer.byteLength(word) >= MIN_WORD_BYTES);

export const relevanceBp = (found: number, words: number): number =>
  words === 0 ? NO_WORDS_BP : Math.floor((found * BP) / words);

/**
 * mul(max_budget - price, 10000, max_budget), price = price_tok * 10^6, as a function of the price in whole tokens
 * up to 10^9; 10000 without a budget or price. The price must be within the budget (u, up to 2^53).
 * With s = price * 10^10 the value is 10000 - ceil(s / max), and ceil(s / max) is the smallest j with
 * price <= floor(j * max / 10^10): in that form every number stays below 2^53, so it is exact.
 */
export function priceScorer(maxBudget: number | undefined): (priceTok: number) => number {
  if (maxBudget === undefined) return () => BP;
  const high = Math.floor(maxBudget / TEN_BILLION);
  const low = maxBudget % TEN_BILLION;
  const priceAt = (j: number): number => j * high + Math.floor((j * low) / TEN_BILLION);
  return (priceTok) => {
    if (priceTok === 0) return BP;
    let j = Math.min(BP, Math.ceil((priceTok * TEN_BILLION) / maxBudget));
    while (j < BP && priceAt(j) < priceTok) j++;
    while (j > 0 && priceAt(j - 1) >= priceTok) j--;
    return BP - j;
  };
}

export const compositeBp = (
  relevance: number,
  reputation: number,
  completion: number,
  price: number,
): number => Math.floor((3 * relevance + 3 * reputation + 2 * completion + 2 * price) / 10);
