// Random texts and listings whose parts repeat, so that random queries find something.

import type { ListingDoc } from '../../../../host/store/market-documents.ts';
import type { SeededRandom } from '../../../../tools/load/seeded-random.ts';

const SYLLABLES = ['in', 'vo', 'ice', 'A', 'par', 'ser', 'É', 'x', '1', '42', 'data', 'ß', 'İ', '漢', 'Zw'];
const SIGNS = [' ', ' ', ' ', ', ', '. ', '-', ' (', '/', '  ', '\n', '+++++', '^', '$'];
const CATEGORIES = ['code', 'data', 'writing'];

export function randomText(random: SeededRandom, parts: number): string {
  let text = '';
  for (let i = 0; i < parts; i++) text += random.below(3) === 0 ? random.pick(SIGNS) : random.pick(SYLLABLES);
  return text;
}

export function randomListing(random: SeededRandom, agentId: string, updatedAt: number): ListingDoc {
  return {
    agent_id: agentId,
    name: randomText(random, 1 + random.below(6)),
    description: randomText(random, random.below(25)),
    category: random.pick(CATEGORIES),
    tags: Array.from({ length: random.below(4) }, () => randomText(random, 1 + random.below(2))),
    price_tok: random.pick([0, 0, 1, 3, 7, 10, 1_000_000_000]),
    active: random.below(4) > 0,
    created_at: 1,
    updated_at: updatedAt,
  };
}

/** A piece of a text, or a text of its own. */
export function randomQuery(random: SeededRandom, texts: readonly string[]): string {
  const source = random.below(4) === 0 || texts.length === 0 ? randomText(random, 2) : random.pick(texts);
  const from = random.below(source.length + 1);
  return source.slice(from, from + random.below(9));
}
