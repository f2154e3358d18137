// Suite `market`: one search and one discovery over the in-memory index of listings, against a scan of all of them.
// Keeps: both sides get the same queries, each new to the index, and must find the same agents and counts.

import type { AgentFigures } from '../host/core/state.ts';
import type { ListingDoc } from '../host/store/market-documents.ts';
import { Discovery } from '../host/views/market/discovery.ts';
import { ListingIndex } from '../host/views/market/listing-index.ts';
import { Standing } from '../host/views/market/standing.ts';
import { SeededRandom } from '../tools/load/seeded-random.ts';
import { ListingTexts } from './listing-texts.ts';
import { ScannedListings } from './peers/scanned-listings.ts';
import { median, quantile, type Row, row, type SuiteRun, sameWork } from './row.ts';

const PAGE = 50;
const NOW_SECS = 1_900_000_000;
const BUDGET_MICRO = 15_000_000;
const PEER = 'scan of all listings';

interface Sizes {
  listings: readonly number[];
  queries: number;
  updates: number;
}
const FULL: Sizes = { listings: [1_000, 10_000, 100_000], queries: 100, updates: 2_000 };
const WARMUP_LISTINGS = 3_000;
const WARMUP: Sizes = { listings: [], queries: 200, updates: 0 };
const SMALL: Sizes = { listings: [500], queries: 5, updates: 50 };

interface Subject {
  docs: ListingDoc[];
  texts: ListingTexts;
  listings: ListingIndex;
  discovery: Discovery;
  scanned: ScannedListings;
}

type Answer = { agents: number[]; total: number };
interface Case {
  /** A query that was not used before, if possible. */
  query(s: Subject, random: SeededRandom): string;
  ours(s: Subject, query: string): Answer;
  peer(s: Subject, query: string): Answer;
}

function pieceOf(text: string, random: SeededRandom, bytes: number): string {
  const from = random.below(Math.max(1, text.length - bytes));
  return text.slice(from, from + bytes);
}

const searchFor = (query: Case['query']): Case => ({
  query,
  ours: (s, q) => s.listings.search(q, '', 0, PAGE),
  peer: (s, q) => s.scanned.search(q, '', PAGE),
});
const searchIn: Case = {
  query: (s) => s.texts.category(),
  ours: (s, category) => s.listings.search('', category, 0, PAGE),
  peer: (s, category) => s.scanned.search('', category, PAGE),
};
const discoverFor = (query: Case['query']): Case => ({
  query,
  ours(s, q) {
    const wish = { query: q, category: '', maxBudget: BUDGET_MICRO, minReputationBp: 0, inFull: false };
    const { rows, total } = s.discovery.page(wish, 0, PAGE, NOW_SECS);
    return { agents: rows.map(({ agent }) => agent), total };
  },
  peer: (s, q) => s.scanned.discover(q, '', BUDGET_MICRO, PAGE),
});

const CASES: Record<string, Case> = {
  'search, a word': searchFor((s) => s.texts.word()),
  'search, a piece of a word': searchFor((s, random) => pieceOf(s.texts.word(), random, 4)),
  'search, 12 bytes of a listing': searchFor((s, random) =>
    pieceOf(random.pick(s.docs).description, random, 12),
  ),
  'search, 2 to 5 bytes of a listing': searchFor((s, random) =>
    pieceOf(random.pick(s.docs).description, random, 2 + random.below(4)),
  ),
  'search, a phrase that a fifth has': searchFor((_, random) =>
    pieceOf('An agent that works for you, day', random, 16),
  ),
  'search, one letter': searchFor((_, random) => random.pick([...'abcdefgilmnoprstuvx'])),
  'search, a category': searchIn,
  'discover, three words': discoverFor((s) => `${s.texts.word()} ${s.texts.word()} ${s.texts.word()}`),
  'discover, no words': discoverFor(() => ''),
};

function subjectOf(count: number): Subject {
  const texts = new ListingTexts(new SeededRandom(11));
  const docs = Array.from({ length: count }, (_, agent) => texts.listing(agent));
  const listings = new ListingIndex((a, b) => a - b);
  const nobody = { reputationBp: 0, backingBp: 0, completed: 0, failed: 0, lastActive: 0 } as AgentFigures;
  const standing = new Standing({ figures: () => nobody }, 86_400);
  const discovery = new Discovery(listings, standing);
  for (const [agent, doc] of docs.entries()) standing.read(listings.set(agent, doc)!, agent, NOW_SECS);
  return { docs, texts, listings, discovery, scanned: new ScannedListings(docs) };
}

interface Measured {
  times: number[];
  checksum: string;
}

function measure(s: Subject, queries: readonly string[], ask: Case['ours']): Measured {
  const times: number[] = [];
  const answers: Answer[] = [];
  for (const query of queries) {
    const startedMs = performance.now();
    answers.push(ask(s, query));
    times.push(performance.now() - startedMs);
  }
  const sum = answers
    .flatMap(({ agents, total }) => [total, ...agents])
    .reduce((h, n) => (h * 31 + n) % 1e9, 7);
  return { times, checksum: String(sum).padStart(16, '0') };
}

function rowsOf(suite: SuiteRun, s: Subject, sizes: Sizes): Row[] {
  const random = new SeededRandom(23);
  return Object.entries(CASES).flatMap(([name, c]) => {
    const queries = Array.from({ length: sizes.queries }, () => c.query(s, random));
    const distinct = [...new Set(queries)];
    const ours = measure(s, distinct, c.ours);
    const peer = measure(s, distinct, c.peer);
    sameWork(suite, `${name}, ${distinct.length} queries`, { index: ours.checksum, scan: peer.checksum });
    const params = { listings: s.docs.length, queries: distinct.length };
    const p99 = (values: readonly number[]): number => quantile(values, 0.99);
    return [
      row('market', `${name}, median`, params, 'ms', median(ours.times), {
        name: PEER,
        value: median(peer.times),
      }),
      row('market', `${name}, p99`, params, 'ms', p99(ours.times), { name: PEER, value: p99(peer.times) }),
    ];
  });
}

/** The cost of an update, beside creating the scanned form of one listing. */
function updateRow(s: Subject, count: number): Row {
  const random = new SeededRandom(31);
  const agents = Array.from({ length: count }, () => random.below(s.docs.length));
  const docs = agents.map((agent) => s.texts.listing(agent));
  const timed = (work: (agent: number, doc: ListingDoc) => void): number => {
    const startedMs = performance.now();
    for (const [i, agent] of agents.entries()) work(agent, docs[i]!);
    return (performance.now() - startedMs) / count;
  };
  const ours = timed((agent, doc) => void s.listings.set(agent, doc));
  const peer = timed((_, doc) => void new ScannedListings([doc]));
  const params = { listings: s.docs.length, updates: count };
  return row('market', 'update a listing', params, 'ms', ours, { name: 'fold one listing', value: peer });
}

function memoryBytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

export async function run(suite: SuiteRun): Promise<Row[]> {
  const sizes = suite.small ? SMALL : FULL;
  // Both sides are compiled before anything is timed.
  if (!suite.small) rowsOf({ ...suite, say: () => {} }, subjectOf(WARMUP_LISTINGS), WARMUP);
  return sizes.listings.flatMap((count) => {
    globalThis.gc?.();
    const before = memoryBytes();
    const subject = subjectOf(count);
    globalThis.gc?.();
    const bytes = subject.docs.reduce(
      (n, { name, description, tags }) => n + `${name}${description}${tags}`.length,
      0,
    );
    suite.say(
      `  ${count} listings of ${Math.round(bytes / count)} bytes, ` +
        `both sides together ${((memoryBytes() - before) / count / 1024).toFixed(1)} KiB each`,
    );
    return [...rowsOf(suite, subject, sizes), updateRow(subject, sizes.updates)];
  });
}
