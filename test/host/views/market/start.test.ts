// The start of a node with many listings: their texts are indexed behind it, in turns, while listings change.

import { describe, expect, it } from 'vitest';
import type { ReadContext } from '../../../../host/api/context.ts';
import { discover, search } from '../../../../host/api/handlers/market.ts';
import type { ReadArgs } from '../../../../host/api/route.ts';
import type { AgentState, State } from '../../../../host/core/state.ts';
import type { IdOrder } from '../../../../host/execution/id-order.ts';
import type { EventDoc } from '../../../../host/store/documents.ts';
import type { ListingDoc } from '../../../../host/store/market-documents.ts';
import { MemoryStore } from '../../../../host/store/memory-store.ts';
import { rowKey } from '../../../../host/store/prefixes.ts';
import { Market } from '../../../../host/views/market/market.ts';
import { utf8 } from '../../../../host/wire/bytes.ts';

const LISTINGS = 300;
const AT_ONCE = 40;

const docOf = (agent: number, name: string): ListingDoc =>
  ({
    agent_id: `a${agent}`,
    name,
    description: 'ice',
    category: 'code',
    tags: [],
    price_tok: 1,
    active: true,
    updated_at: agent,
  }) as unknown as ListingDoc;

const state = {
  header: () => ({ timeMs: 1_000_000 }),
  agent: (index: number) =>
    ({ index, reputationBp: 0, completed: 0, failed: 0, backingBp: 0, lastActive: 0 }) as AgentState,
  findAgent: () => 200,
} as unknown as State;

async function started() {
  const store = new MemoryStore();
  const put = (agent: number, name: string) =>
    store.write([{ key: rowKey.listing(agent), value: utf8(JSON.stringify(docOf(agent, name))) }]);
  for (let agent = 0; agent < LISTINGS; agent++) await put(agent, `scan ${agent}`);
  const market = new Market(store, state, { compare: (a, b) => a - b } as IdOrder, 86_400);
  await market.load(AT_ONCE);
  const turns: (() => void)[] = [];
  let nowMs = 0;
  // Each look at the clock takes 3 ms, so that a turn indexes one group of listings.
  const clock = { soon: (run: () => void) => void turns.push(run), monotonicMs: () => (nowMs += 3) };
  const context = { market, store } as unknown as ReadContext;
  const ask = (read: typeof search, q: string) =>
    read(context, {
      path: {},
      query: { q },
      page: { number: 1, size: 1000, offset: 0 },
    } as unknown as ReadArgs);
  return { put, market, turns, clock, ask };
}

describe('texts of listings behind the start', () => {
  it('are not searched before all are indexed; lists are there at once', async () => {
    const { market, turns, clock, ask } = await started();
    expect(market.listings.textsLeft).toBe(LISTINGS - AT_ONCE);
    expect(ask(search, '').total).toBe(LISTINGS);
    for (const read of [search, discover]) {
      expect(() => ask(read, 'scan')).toThrow(
        expect.objectContaining({ code: 'not_ready', headers: { 'Retry-After': '1' } }),
      );
    }
    market.indexTexts(clock);
    let ran = 0;
    for (; turns.length > 0; ran++) {
      expect(market.isSearchable).toBe(false);
      turns.shift()!();
    }
    expect(ran).toBeGreaterThan(3);
    expect(market.isSearchable).toBe(true);
    expect([ask(search, 'SCAN').total, ask(search, 'scan 29').total]).toEqual([LISTINGS, 11]);
  });

  it('a listing that changes meanwhile is found by what it says then', async () => {
    const { put, market, turns, clock, ask } = await started();
    market.indexTexts(clock);
    await put(200, 'melt');
    market.apply([{ event_type: 'service_listed', agent_id: 'b'.repeat(64) } as EventDoc], []);
    while (turns.length > 0) turns.shift()!();
    expect([ask(search, 'melt').total, ask(search, 'scan').total]).toEqual([1, LISTINGS - 1]);
  });

  it('ends when the node stops: nothing is read from the store any more', async () => {
    const { market, turns, clock } = await started();
    const end = market.indexTexts(clock);
    const left = market.listings.textsLeft;
    expect(left).toBeLessThan(LISTINGS - AT_ONCE);
    end();
    while (turns.length > 0) turns.shift()!();
    expect(market.listings.textsLeft).toBe(left);
  });
});
