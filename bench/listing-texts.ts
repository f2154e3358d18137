// Realistic listings: words of natural frequency (the n-th most common is n times rarer than the first), about 250
// bytes each, a phrase shared by a fifth of them, a hundred categories.

import type { ListingDoc } from '../host/store/market-documents.ts';
import type { SeededRandom } from '../tools/load/seeded-random.ts';

const SYLLABLES =
  'in vo ce par ser da ta ro bot tion al er ing ma ker lo gic text pro ne qua ri sum um'.split(' ');
const WORDS = 30_000;
const CATEGORIES = 100;
const PHRASE = 'An agent that works for you, day and night.';

export class ListingTexts {
  readonly words: string[];

  constructor(private readonly random: SeededRandom) {
    const words = new Set<string>();
    while (words.size < WORDS) {
      const size = 1 + random.below(5);
      words.add(Array.from({ length: size }, () => random.pick(SYLLABLES)).join(''));
    }
    this.words = [...words];
  }

  /** A random word, by natural frequency. */
  word(): string {
    return this.words[Math.floor(WORDS ** (this.random.next() / 2 ** 32)) - 1]!;
  }

  category(): string {
    return `category-${this.random.below(CATEGORIES)}`;
  }

  listing(agent: number): ListingDoc {
    const { random } = this;
    const some = (count: number): string => Array.from({ length: count }, () => this.word()).join(' ');
    return {
      agent_id: `agent-${agent}`,
      name: some(2 + random.below(3)),
      description: `${some(15 + random.below(25))}. ${random.below(5) === 0 ? PHRASE : ''}`,
      category: this.category(),
      tags: Array.from({ length: random.below(4) }, () => this.word()),
      price_tok: random.below(20),
      active: true,
      created_at: 1,
      updated_at: 1_800_000_000 + random.below(1_000_000),
    };
  }
}
