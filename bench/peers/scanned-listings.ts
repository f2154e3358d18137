// Peer of the market's indexes: search and discovery as a plain program does them, by scanning and sorting all listings.
// Keeps: the same answers as the index, by protocol 4.6 and 6.16; texts are folded once, in advance.

import type { ListingDoc } from '../../host/store/market-documents.ts';
import {
  compositeBp,
  priceScorer,
  queryWords,
  relevanceBp,
} from '../../host/views/market/discovery-score.ts';
import { wordsOf } from '../../host/views/market/text-tokens.ts';

interface Folded {
  agent: number;
  doc: ListingDoc;
  fields: string[];
  words: Set<string>;
}

export class ScannedListings {
  readonly #rows: Folded[];

  constructor(docs: readonly ListingDoc[]) {
    this.#rows = docs.map((doc, agent) => {
      const fields = [doc.name, doc.description, ...doc.tags].map((text) => text.toLowerCase());
      return { agent, doc, fields, words: new Set(fields.flatMap((field) => [...wordsOf(field)])) };
    });
  }

  search(query: string, category: string, count: number): { agents: number[]; total: number } {
    const folded = query.toLowerCase();
    const found = this.#rows.filter(
      ({ doc, fields }) =>
        (category === '' || doc.category === category) &&
        (folded === '' || fields.some((field) => field.includes(folded))),
    );
    found.sort((a, b) => b.doc.updated_at - a.doc.updated_at || a.agent - b.agent);
    return { agents: found.slice(0, count).map(({ agent }) => agent), total: found.length };
  }

  /** Nobody has a record: only relevance and price rank. */
  discover(
    query: string,
    category: string,
    maxBudget: number,
    count: number,
  ): { agents: number[]; total: number } {
    const words = queryWords(query);
    const priceBp = priceScorer(maxBudget);
    const found = this.#rows
      .filter(({ doc }) => category === '' || doc.category === category)
      .filter(({ doc }) => doc.price_tok * 1_000_000 <= maxBudget)
      .map(({ agent, doc, words: held }) => {
        const hits = words.filter((word) => held.has(word)).length;
        return { agent, score: compositeBp(relevanceBp(hits, words.length), 0, 0, priceBp(doc.price_tok)) };
      });
    found.sort((a, b) => b.score - a.score || a.agent - b.agent);
    return { agents: found.slice(0, count).map(({ agent }) => agent), total: found.length };
  }
}
