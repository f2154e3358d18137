// The start of a node with many listings: lists and texts are built behind it, in turns, while listings change.

import { describe, expect, it } from 'vitest';
import type { ReadContext } from '../../../../host/api/context.ts';
import { capabilities, categories, discover, search } from '../../../../host/api/handlers/market.ts';
import type { ReadArgs } from '../../../../host/api/route.ts';
import type { AgentFigures, State } from '../../../../host/core/state.ts';
import type { IdOrder } from '../../../../host/execution/id-order.ts';
import type { EventDoc } from '../../../../host/store/documents.ts';
import type { CapabilityDoc, ListingDoc } from '../../../../host/store/market-documents.ts';
import { MemoryStore } from '../../../../host/store/memory-store.ts';
import { rowKey } from '../../../../host/store/prefixes.ts';
import { IndexBuilds } from '../../../../host/views/index-builds.ts';
import { Market } from '../../../../host/views/market/market.ts';
import type { LineClock } from '../../../../host/views/market/text-line.ts';
import { utf8 } from '../../../../host/wire/bytes.ts';

const LISTINGS = 600;

const docOf = (agent: number, name: string, category = 'code'): ListingDoc =>
  ({
    agent_id: `a${agent}`,
    name,
    description: 'ice',
    category,
    tags: [],
    price_tok: 1,
    active: true,
    updated_at: agent,
  }) as unknown as ListingDoc;

const state = {
  header: () => ({ timeMs: 1_000_000 }),
  figures: () => ({ reputationBp: 0, completed: 0, failed: 0, backingBp: 0, lastActive: 0 }) as AgentFigures,
  findAgent: () => 200,
  records: () => [],
} as unknown as State;

/** Nothing takes time by it. */
const still = { monotonicMs: () => 0, soon: () => {}, setTimer: () => () => {} };

/** The agent that `findAgent` finds for every event. */
const CHANGED = 200;

async function started(clock: LineClock = still) {
  const store = new MemoryStore();
  const put = (agent: number, name: string, category?: string) =>
    store.write([{ key: rowKey.listing(agent), value: utf8(JSON.stringify(docOf(agent, name, category))) }]);
  for (let agent = 0; agent < LISTINGS; agent++) await put(agent, `scan ${agent}`);
  const market = new Market(store, state, { compare: (a, b) => a - b } as IdOrder, 86_400, clock);
  const builds = new IndexBuilds([market.build(), market.indexTexts()]);
  const context = { market, store, state } as unknown as ReadContext;
  const ask = (read: typeof search, q: string) =>
    read(context, {
      path: {},
      query: { q },
      page: { number: 1, size: 2000, offset: 0 },
    } as unknown as ReadArgs);
  const change = (event_type: string): void =>
    market.apply([{ event_type, agent_id: 'b'.repeat(64) } as EventDoc], [CHANGED]);
  return { put, store, market, builds, ask, change };
}

const refused = (read: () => unknown): void =>
  expect(read).toThrow(expect.objectContaining({ code: 'not_ready', headers: { 'Retry-After': '1' } }));

describe('listings behind the start', () => {
  it('are not shown before all are in their lists, nor searched before all texts are indexed', async () => {
    const { market, builds, ask } = await started();
    let [steps, listed] = [0, 0];
    for (; !market.isSearchable; steps++) {
      for (const read of [search, discover]) refused(() => ask(read, 'scan'));
      if (market.isListed) {
        listed += 1;
        expect(ask(search, '').total).toBe(LISTINGS);
        expect(ask(discover, '').total).toBe(LISTINGS);
        expect(ask(categories, '').total).toBe(1);
        expect(ask(capabilities, '').total).toBe(0);
      } else for (const read of [search, discover, categories, capabilities]) refused(() => ask(read, ''));
      await builds.atOnce(1);
    }
    expect(listed).toBeGreaterThan(10);
    expect(steps - listed).toBeGreaterThan(3);
    expect([ask(search, 'SCAN').total, ask(search, 'scan 29').total]).toEqual([LISTINGS, 11]);
  });

  it('a listing or capability that changes in any step is shown as it is then', async () => {
    for (let step = 0; ; step++) {
      const { put, store, market, builds, ask, change } = await started();
      await builds.atOnce(step);
      const isOver = market.isSearchable;
      await put(CHANGED, 'melt', 'cold');
      change('service_listed');
      const capability = {
        categories: ['code'],
        available: true,
        registered_at: 5,
      } as unknown as CapabilityDoc;
      await store.write([{ key: rowKey.capability(CHANGED), value: utf8(JSON.stringify(capability)) }]);
      change('router_registered');
      await builds.atOnce();
      expect(market.isSearchable).toBe(true);
      expect([ask(search, 'melt').total, ask(search, 'scan').total]).toEqual([1, LISTINGS - 1]);
      expect(ask(search, '').total).toBe(LISTINGS);
      for (const query of ['', 'melt'])
        expect(market.listings.search(query, 'cold', 0, 10)).toEqual({ agents: [CHANGED], total: 1 });
      expect(market.listings.search('', 'code', 0, 10).total).toBe(LISTINGS - 1);
      expect(market.capabilities.page('code', true, 0, 10)).toEqual({ agents: [CHANGED], total: 1 });
      if (isOver) break;
    }
  });
});

it('a text that waits is found by no word, and its listing shown by all else', async () => {
  const timers: (() => void)[] = [];
  let nowMs = 0;
  const monotonicMs = (): number => {
    nowMs += 10;
    return nowMs;
  };
  const { put, market, builds, ask, change } = await started({
    monotonicMs,
    soon: (fn) => void timers.push(fn),
    setTimer: (fn) => {
      timers.push(fn);
      return () => {};
    },
  });
  await builds.atOnce();
  const list = async (name: string): Promise<void> => {
    await put(CHANGED, name, 'cold');
    change('service_listed');
  };
  await list('melt');
  expect([ask(search, 'melt').total, ask(search, 'scan').total]).toEqual([1, LISTINGS - 1]);
  for (let i = 0; ask(search, 'melt').total === 1; i++) {
    expect(i).toBeLessThan(10);
    await list(`melt ${i}`);
  }
  // Neither the earlier text nor the new one.
  expect(ask(search, 'melt').total).toBe(0);
  expect(market.listings.search('', 'cold', 0, 10)).toEqual({ agents: [CHANGED], total: 1 });
  expect([ask(discover, 'melt').total, ask(search, '').total]).toEqual([LISTINGS, LISTINGS]);
  while (timers.length > 0) timers.shift()!();
  expect(ask(search, 'melt').total).toBe(1);
});

describe('builds of indexes', () => {
  /** Each look at the clock takes 3 ms, so that a turn has two steps. */
  const stepped = () => {
    const turns: (() => void)[] = [];
    let nowMs = 0;
    const clock = { soon: (run: () => void) => void turns.push(run), monotonicMs: () => (nowMs += 3) };
    const turn = async (): Promise<void> => {
      while (turns.length === 0) await Promise.resolve();
      turns.shift()!();
    };
    return { clock, turn };
  };

  it('are done in turns, in the order given', async () => {
    const done: string[] = [];
    const steps = function* (name: string): Generator<void> {
      for (let i = 0; i < 5; i++) {
        done.push(name + i);
        yield;
      }
    };
    const builds = new IndexBuilds([steps('a'), steps('b')]);
    await builds.atOnce(2);
    expect(done).toEqual(['a0', 'a1']);
    const { clock, turn } = stepped();
    builds.behind(clock, () => {});
    await turn();
    const afterOne = done.length;
    expect(afterOne).toBeGreaterThan(2);
    expect(afterOne).toBeLessThan(6);
    while (done.length < 10) await turn();
    expect(done).toEqual([0, 1, 2, 3, 4].map((i) => `a${i}`).concat([0, 1, 2, 3, 4].map((i) => `b${i}`)));
  });

  it('end when the node stops: nothing is read from the store any more', async () => {
    const { market, builds } = await started();
    while (!market.isListed) await builds.atOnce(1);
    const { clock, turn } = stepped();
    builds.behind(clock, () => {});
    await turn();
    const ended = builds.end();
    await turn();
    await ended;
    const left = market.listings.textsLeft;
    expect(left).toBeGreaterThan(0);
    await builds.atOnce();
    expect(market.listings.textsLeft).toBe(left);
  });

  it('report a failure', async () => {
    const failing = function* (): Generator<void> {
      yield;
      throw new Error('the store is gone');
    };
    const failed = new Promise<unknown>((resolve) => {
      new IndexBuilds([failing()]).behind({ soon: (run) => run(), monotonicMs: () => 0 }, resolve);
    });
    expect(await failed).toEqual(new Error('the store is gone'));
  });
});
