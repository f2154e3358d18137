import { describe, expect, it } from 'vitest';
import type { AgentState } from '../../../../host/core/state.ts';
import type { ListingDoc } from '../../../../host/store/market-documents.ts';
import { Discovery, type DiscoveryQuery } from '../../../../host/views/market/discovery.ts';
import { priceScorer, queryWords, relevanceBp } from '../../../../host/views/market/discovery-score.ts';
import { ANY, ListingIndex } from '../../../../host/views/market/listing-index.ts';
import { completionBp, Standing } from '../../../../host/views/market/standing.ts';
import { wordsOf } from '../../../../host/views/market/text-tokens.ts';
import { SeededRandom } from '../../../../tools/load/seeded-random.ts';
import { testSeed } from '../../../e2e/seed.ts';
import { finished } from '../finished.ts';
import { randomListing, randomQuery } from './texts.ts';

const AGENTS = 60;
const NOW = 2_000_000_000;
/** Agent indexes and ids in different orders. */
const idOf = (agent: number): string => `agent-${(agent * 37) % AGENTS}-${agent}`;
const byId = (a: number, b: number): number => (idOf(a) < idOf(b) ? -1 : idOf(a) > idOf(b) ? 1 : 0);
const textsOf = (doc: ListingDoc): string[] => [doc.name, doc.description, ...doc.tags];
const mul = (a: bigint, b: bigint, c: bigint): number => Number((a * b) / c);

class Model {
  constructor(private readonly compareIds: (a: number, b: number) => number = byId) {}

  readonly docs = new Map<number, ListingDoc>();
  readonly agents = new Map<number, AgentState>();

  search(query: string, category: string): number[] {
    const q = query.toLowerCase();
    return [...this.docs]
      .filter(([, doc]) => doc.active && (category === ANY || doc.category === category))
      .filter(([, doc]) => q === '' || textsOf(doc).some((text) => text.toLowerCase().includes(q)))
      .sort(([a, x], [b, y]) => y.updated_at - x.updated_at || byId(a, b))
      .map(([agent]) => agent);
  }

  /** protocol 6.16: each part of the record as far as it is backed, or in full. */
  #counted(agent: number, { inFull }: DiscoveryQuery): { reputationBp: number; completion: number } {
    const { reputationBp, completed, failed, backingBp } = this.agents.get(agent)!;
    const completion = completed === 0 ? 0 : mul(BigInt(completed), 10_000n, BigInt(completed + failed));
    if (inFull) return { reputationBp, completion };
    return { reputationBp: Math.min(reputationBp, backingBp), completion: Math.min(completion, backingBp) };
  }

  /** protocol 6.16, written from its text in BigInt. */
  discover(wanted: DiscoveryQuery): { agent: number; compositeBp: number }[] {
    const words = queryWords(wanted.query);
    const rows = [...this.docs].filter(([agent, doc]) => {
      const price = BigInt(doc.price_tok) * 1_000_000n;
      return (
        doc.active &&
        (wanted.category === ANY || doc.category === wanted.category) &&
        (wanted.maxBudget === undefined || price <= BigInt(wanted.maxBudget)) &&
        this.#counted(agent, wanted).reputationBp >= wanted.minReputationBp
      );
    });
    return rows
      .map(([agent, doc]) => {
        const held = new Set(textsOf(doc).flatMap((text) => [...wordsOf(text)]));
        const found = words.filter((word) => held.has(word)).length;
        const relevance = words.length === 0 ? 5000 : mul(BigInt(found), 10_000n, BigInt(words.length));
        const { reputationBp, completion } = this.#counted(agent, wanted);
        const price = BigInt(doc.price_tok) * 1_000_000n;
        const max = BigInt(wanted.maxBudget ?? 0);
        const priceBp =
          wanted.maxBudget === undefined || price === 0n ? 10_000 : mul(max - price, 10_000n, max);
        const sum = 3 * relevance + 3 * reputationBp + 2 * completion + 2 * priceBp;
        return { agent, compositeBp: Math.floor(sum / 10) };
      })
      .sort((a, b) => b.compositeBp - a.compositeBp || this.compareIds(a.agent, b.agent));
  }
}

function randomAgent(random: SeededRandom, index: number): AgentState {
  const completed = random.below(3) === 0 ? 0 : random.below(120);
  const reputationBp = completed === 0 ? 0 : random.below(101) * 100;
  const backingBp = random.pick([0, 40, 2500, 6000, 10_000]);
  const rest = { failed: random.below(9), lastActive: NOW - 5 };
  return { index, reputationBp, completed, backingBp, ...rest } as AgentState;
}

describe('against a naive model under random changes', () => {
  const seed = testSeed();
  const random = new SeededRandom(seed);
  const model = new Model();
  const standing = new Standing({ figures: (i) => model.agents.get(i) }, 86_400);
  const listings = new ListingIndex(byId);
  const discovery = new Discovery(listings, standing);
  const change = (step: number): void => {
    const agent = random.below(AGENTS);
    const doc = randomListing(random, idOf(agent), 1000 + Math.floor(step / 5));
    model.docs.set(agent, doc);
    model.agents.set(agent, randomAgent(random, agent));
    const row = listings.set(agent, doc);
    expect(row !== undefined).toBe(doc.active);
    if (row !== undefined) standing.read(row, agent, NOW);
  };
  const texts = (): string[] => [...model.docs.values()].flatMap(textsOf);

  it('searches, counts and ranks alike', () => {
    console.log(`seed ${seed} (repeat with VWS_SEED=${seed})`);
    let query = '';
    for (let step = 0; step < 3000; step++) {
      change(step);
      const category = random.pick([ANY, ANY, 'code', 'data', 'nothing']);
      // One in four is asked again after the change: what was kept of its answers must not be given.
      if (random.below(4) > 0) query = random.below(4) === 0 ? '' : randomQuery(random, texts());
      const [offset, count] = [random.below(12), 1 + random.below(12)];
      const want = model.search(query, category);
      const found = listings.search(query, category, offset, count);
      expect(found).toEqual({ agents: want.slice(offset, offset + count), total: want.length });

      const wanted: DiscoveryQuery = {
        query,
        category,
        maxBudget: random.pick([undefined, 0, 1, 999_999, 1_000_000, 7_654_321, 10_000_000, 2 ** 53 - 1]),
        minReputationBp: random.pick([0, 0, 1, 5000, 10_000]),
        inFull: random.below(3) === 0,
      };
      const ranking = model.discover(wanted);
      const page = discovery.page(wanted, offset, count, NOW);
      expect(page.total).toBe(ranking.length);
      expect(page.rows.map(({ agent, compositeBp }) => ({ agent, compositeBp }))).toEqual(
        ranking.slice(offset, offset + count),
      );
      expect(page.rows.map((row) => row.rank)).toEqual(page.rows.map((_, i) => offset + i + 1));
    }
    const counts: Record<string, number> = {};
    for (const { active, category } of model.docs.values()) {
      if (active) counts[category] = (counts[category] ?? 0) + 1;
    }
    expect({ ...listings.categories(0, 1000).counts }).toEqual(counts);
  });

  it('answers the same when it is built at a start, and after changes since', () => {
    const rebuilt = new ListingIndex(byId);
    const standingOf = new Standing({ figures: (i) => model.agents.get(i) }, 86_400);
    const ranked = new Discovery(rebuilt, standingOf);
    for (const [agent, doc] of model.docs) {
      const row = rebuilt.load(agent, doc);
      expect(row !== undefined).toBe(doc.active);
      if (row !== undefined) standingOf.load(row, agent, NOW);
    }
    const sorted = finished(rebuilt.sortLoaded());
    finished(standingOf.sortLoaded(sorted));
    finished(ranked.sortLoaded(sorted));
    const alike = (query: string): void => {
      for (const category of [ANY, 'code', 'data']) {
        expect(rebuilt.search(query, category, 0, 100)).toEqual(listings.search(query, category, 0, 100));
        for (const inFull of [false, true]) {
          const wanted = { query, category, maxBudget: 7_654_321, minReputationBp: 0, inFull };
          expect(ranked.page(wanted, 0, 100, NOW)).toEqual(discovery.page(wanted, 0, 100, NOW));
        }
      }
    };
    alike('');
    expect(rebuilt.textsLeft).toBe(model.search('', ANY).length);
    // Some change before their texts are indexed.
    const changeBoth = (): void => {
      const agent = random.below(AGENTS);
      const doc = randomListing(random, idOf(agent), 5000);
      model.docs.set(agent, doc);
      model.agents.set(agent, randomAgent(random, agent));
      for (const [index, of] of [
        [listings, standing],
        [rebuilt, standingOf],
      ] as const) {
        const row = index.set(agent, doc);
        if (row !== undefined) of.read(row, agent, NOW);
      }
    };
    for (let i = 0; i < 20; i++) changeBoth();
    for (const [agent, doc] of model.docs) if (rebuilt.isTextLeft(agent)) rebuilt.indexText(agent, doc);
    expect(rebuilt.textsLeft).toBe(0);
    for (let i = 0; i < 200; i++) {
      alike(randomQuery(random, texts()));
      changeBoth();
    }
  });
});

/** Few texts, prices and records over many listings, so that thousands share a word, a place or a score. */
describe('many listings against plain scans', () => {
  const seed = testSeed();
  const random = new SeededRandom(seed);
  const COUNT = 9000;
  const words = [
    'alpha',
    'beta',
    'gamma',
    'delta',
    'epsilon',
    'zeta',
    'eta',
    'theta',
    'iota',
    'kappa',
    'lambda',
  ];
  const bySize = (a: number, b: number): number => ((a * 7) % COUNT) - ((b * 7) % COUNT) || a - b;
  const docs = Array.from({ length: COUNT }, (_, i): ListingDoc => {
    const some = Array.from({ length: 5 }, () => words[Math.floor(random.below(121) ** 0.5)]!);
    return {
      agent_id: String(i),
      name: some.slice(0, 3).join(random.pick([' ', ', '])),
      description: some.slice(3).join(' '),
      category: i % 3 === 0 ? 'third' : 'rest',
      tags: [],
      price_tok: random.pick([0, 2, 2, 5]),
      active: true,
      created_at: 0,
      updated_at: i,
    };
  });
  const agents = docs.map((_, index) => {
    const completed = random.pick([0, 0, 1, 90]);
    const reputationBp = completed === 0 ? 0 : 5000 + random.below(12);
    const backingBp = random.pick([0, 5003, 10_000]);
    return { index, reputationBp, completed, backingBp, failed: 0, lastActive: NOW - 5 } as AgentState;
  });
  const standing = new Standing({ figures: (i) => agents[i] }, 86_400);
  const listings = new ListingIndex(bySize);
  const discovery = new Discovery(listings, standing);
  for (const [i, doc] of docs.entries()) standing.read(listings.set(i, doc)!, i, NOW);

  it('searches over several words', () => {
    console.log(`seed ${seed} (repeat with VWS_SEED=${seed})`);
    const fields = docs.map(({ name, description }) => [name, description]);
    const queries = [
      'a b',
      'ta z',
      'mma delta',
      'eta, the',
      'eta theta io',
      'lambda, lambda, l',
      'a gamma, e',
      'appa la',
    ];
    for (const query of [...queries, 'a lambda', 'delta ', ' beta', 'x a', 'lambda alpha alph', 'a zeta e']) {
      const want = fields.flatMap((texts, i) => (texts.some((text) => text.includes(query)) ? [i] : []));
      const { agents: page, total } = listings.search(query, ANY, 0, 10);
      expect([query, total, page]).toEqual([query, want.length, want.reverse().slice(0, 10)]);
    }
  });

  it('ranks, near and far, with all filters', () => {
    const model = new Model(bySize);
    for (const [i, doc] of docs.entries()) {
      model.docs.set(i, doc);
      model.agents.set(i, agents[i]!);
    }
    const many = words.slice(0, 9).join(' ');
    for (const query of [
      '',
      'lambda',
      'alpha',
      'lambda kappa alpha',
      'iota theta eta zeta',
      'nothing',
      many,
    ]) {
      const filters = [{ maxBudget: 2_000_003 }, { minReputationBp: 5007 }, { category: 'third' }];
      for (const more of [{}, ...filters, { inFull: true }]) {
        const wanted = {
          query,
          category: ANY,
          maxBudget: undefined,
          minReputationBp: 0,
          inFull: false,
          ...more,
        };
        const ranking = model.discover(wanted);
        for (const offset of [0, 37, 940, 2500, 8990]) {
          const { rows, total } = discovery.page(wanted, offset, 40, NOW);
          expect(total).toBe(ranking.length);
          expect(rows.map(({ agent, compositeBp }) => ({ agent, compositeBp }))).toEqual(
            ranking.slice(offset, offset + 40),
          );
        }
      }
    }
  });
});

it('walks and sorts to the same page', () => {
  const listings = new ListingIndex((a, b) => a - b);
  const doc = (i: number): ListingDoc => ({
    agent_id: String(i),
    name: i % 3 === 0 ? 'rare common' : 'common',
    description: '',
    category: i % 2 === 0 ? 'even' : 'odd',
    tags: [],
    price_tok: 0,
    active: true,
    created_at: 0,
    updated_at: i % 50,
  });
  const all = Array.from({ length: 6000 }, (_, i) => i);
  for (const i of all) listings.set(i, doc(i));
  const order = (a: number, b: number): number => (b % 50) - (a % 50) || a - b;
  const sorted = [...all].sort(order);
  // 6,000 are walked, 2,000 sorted.
  expect(listings.search('common', ANY, 4321, 5)).toEqual({ agents: sorted.slice(4321, 4326), total: 6000 });
  const rare = sorted.filter((i) => i % 3 === 0);
  expect(listings.search('rare', ANY, 1995, 9)).toEqual({ agents: rare.slice(1995), total: 2000 });
  const odd = sorted.filter((i) => i % 2 === 1);
  expect(listings.search('common', 'odd', 2990, 20)).toEqual({ agents: odd.slice(2990), total: 3000 });
});

describe('formulas of discovery (protocol 6.16)', () => {
  it('matches the worked example', () => {
    expect(relevanceBp(2, 3)).toBe(6666);
    expect(priceScorer(10_000_000)(4)).toBe(6000);
    expect(completionBp(48, 2)).toBe(9600);
    const listings = new ListingIndex(byId);
    const record = { reputationBp: 4608, completed: 48, failed: 2, backingBp: 10_000 };
    const agent = { index: 0, ...record, lastActive: NOW } as AgentState;
    const standing = new Standing({ figures: () => agent }, 86_400);
    const discovery = new Discovery(listings, standing);
    const doc = { ...randomListing(new SeededRandom(1), 'a', 1), active: true, price_tok: 4 };
    standing.read(listings.set(0, { ...doc, name: 'one two' })!, 0, NOW);
    const filters = { category: ANY, maxBudget: 10_000_000, minReputationBp: 0, inFull: false };
    const wanted = { query: 'one two three', ...filters };
    expect(discovery.page(wanted, 0, 10, NOW).rows[0]).toMatchObject({
      relevanceBp: 6666,
      reputationBp: 4608,
      completionBp: 9600,
      priceBp: 6000,
      compositeBp: 6502,
    });
    // Backed by a tenth: 0.3 * 6666 + 0.3 * 1000 + 0.2 * 1000 + 0.2 * 6000; the record is still shown.
    agent.backingBp = 1000;
    standing.read(0, 0, NOW);
    const shown = { reputationBp: 4608, completionBp: 9600, backingBp: 1000 };
    expect(discovery.page(wanted, 0, 10, NOW).rows[0]).toMatchObject({ ...shown, compositeBp: 3699 });
    const inFull = discovery.page({ ...wanted, inFull: true }, 0, 10, NOW).rows[0];
    expect(inFull).toMatchObject({ ...shown, compositeBp: 6502 });
  });

  it('scores prices exactly up to the largest amounts', () => {
    const random = new SeededRandom(7);
    for (let i = 0; i < 20_000; i++) {
      const max =
        random.pick([1e6, 3e6, 1e12, 1e15, 2 ** 53 - 1, 1 + random.below(2 ** 32)]) + random.below(5);
      const most = Math.min(1e9, Math.floor(max / 1e6));
      const price = random.pick([most, random.below(most + 1), Math.floor(most / 2), 0]);
      const exact =
        price === 0 ? 10_000 : mul(BigInt(max) - BigInt(price) * 1_000_000n, 10_000n, BigInt(max));
      expect([max, price, priceScorer(max)(price)]).toEqual([max, price, exact]);
    }
  });

  it('re-reads a reputation once its decay is due', () => {
    const record = { reputationBp: 5000, completed: 50, failed: 0, backingBp: 10_000 };
    const agent = { index: 0, ...record, lastActive: NOW } as AgentState;
    const listings = new ListingIndex(byId);
    const standing = new Standing({ figures: () => agent }, 10);
    const doc = { ...randomListing(new SeededRandom(1), 'a', 1), active: true };
    const discovery = new Discovery(listings, standing);
    standing.read(listings.set(0, doc)!, 0, NOW);
    const wanted = { query: '', category: ANY, maxBudget: undefined, minReputationBp: 0, inFull: false };
    agent.reputationBp = 2500;
    // 30 days of 10 s each.
    expect(discovery.page(wanted, 0, 1, NOW + 299).rows[0]!.reputationBp).toBe(5000);
    expect(discovery.page(wanted, 0, 1, NOW + 300).rows[0]!.reputationBp).toBe(2500);
    agent.reputationBp = 0;
    expect(discovery.page(wanted, 0, 1, NOW + 600).rows[0]!.reputationBp).toBe(0);
  });
});
