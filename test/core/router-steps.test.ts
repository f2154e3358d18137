// The router in the core: what holds when its work is cut into steps, and what it refuses.

import { describe, expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { COMMAND_STEPS, VERTEX_STEPS } from '../model/router.ts';
import { decodeOutcomes, type EventOutcome, type Outcome, SMALL, unhex } from './driver.ts';
import { hash } from './fixture.ts';
import * as records from './market-records.ts';
import { Market, type MarketAgent } from './router-world.ts';

const TOKEN = 1_000_000n;
const TASKS = 300;
const routesIn = (outcomes: Outcome[]): EventOutcome[] =>
  outcomes.filter((o): o is EventOutcome => o.kind === 'event' && o.type === abi.EVENT_TASK_ROUTED);

// A market in which TASKS tasks wait for somebody who does code.
function backlog(capacities = SMALL): { market: Market; poster: MarketAgent; worker: MarketAgent } {
  const market = new Market({ capacities });
  const [poster, worker] = [market.join(), market.join()];
  market.compare(market.run());
  market.skip();
  for (let i = 0; i < TASKS; i++)
    market.post(poster, { exclusive: i % 2 === 0, tags: i % 3 === 0 ? ['x'] : [] });
  market.compare(market.run());
  market.skip();
  return { market, poster, worker };
}

function step(market: Market): Outcome[] {
  const outcomes = market.run();
  market.compare(outcomes);
  market.skip();
  return outcomes;
}

describe('work in steps', () => {
  test('a registration routes the oldest tasks at once, the next vertices the others, each once', () => {
    const { market, worker } = backlog();
    market.offer(worker, {});
    const told = [step(market), step(market)].map((outcomes) => routesIn(outcomes).length);
    expect(told).toEqual([COMMAND_STEPS, VERTEX_STEPS]);
    market.reload();
    expect(routesIn(step(market)).length).toBe(TASKS - COMMAND_STEPS - VERTEX_STEPS);
    expect(routesIn(step(market)).length).toBe(0);
    expect(market.model.isIdle()).toBe(true);
  });

  test('a label woken again is gone through once more, after the others', () => {
    const { market, poster, worker } = backlog();
    const [dear, tagged] = [market.join(), market.join()];
    step(market);
    market.offer(dear, { price: 3n * TOKEN });
    market.offer(tagged, { price: 3n * TOKEN, categories: ['law'], tags: ['x'] });
    market.offer(worker, { tags: ['x'] });
    expect(routesIn(step(market)).length).toBeGreaterThan(0);
    market.reload();
    for (let i = 0; i < 5; i++) step(market);
    expect(market.model.isIdle()).toBe(true);
    expect(market.model.waiting.length).toBe(0);
    market.post(poster, {});
    expect(routesIn(step(market)).length).toBe(1);
  });

  test('assignments of a removed agent are cleared in steps, those made after it came back are kept', () => {
    const { market, poster, worker } = backlog();
    market.offer(worker, {});
    for (let i = 0; i < 4; i++) step(market);
    market.withdraw(worker);
    market.compare(market.run());
    market.reload();
    expect(market.model.waiting.length).toBe(COMMAND_STEPS);
    market.skip();
    market.offer(worker, { categories: ['law'] });
    market.post(poster, { category: 'law' });
    for (let i = 0; i < 4; i++) step(market);
    expect(market.model.waiting.length).toBe(TASKS);
    expect([...market.tasks.values()].filter((t) => t.routedTo !== undefined).length).toBe(1);
  });

  // So many settlements leave less room in the out buffer than the routing of a vertex may need.
  const CLAIMS = 45_500;

  test('a vertex whose out buffer is full goes on with routing after it was drained', () => {
    const { market, worker } = backlog([1000, 120_000, 1000, 200_000, 100, 1000, 10, 20, 500, 500, 64, 10]);
    for (let left = CLAIMS; left > 0; left -= 10_000) {
      for (let i = 0; i < Math.min(left, 10_000); i++) market.claimValue(worker);
      step(market);
    }
    // The claims are due from 300 s on; all of them are when the next vertex opens.
    market.skip(280);
    market.offer(worker, {});
    market.compare(market.run());
    market.skip(25);
    const told: Outcome[][] = [];
    const { core } = market;
    const once = core.applyOnce.bind(core);
    core.applyOnce = (bytes) => {
      const consumed = once(bytes);
      told.push(decodeOutcomes(core.output()));
      return consumed;
    };
    const outcomes = market.run();
    market.compare(outcomes);
    const settled = told.map((call) =>
      call.filter((o) => o.kind === 'event' && o.type === abi.EVENT_SETTLEMENT),
    );
    expect(settled.map((call) => call.length)).toEqual([CLAIMS, 0]);
    expect(told.map((call) => routesIn(call).length)).toEqual([0, VERTEX_STEPS]);
    const seqs = outcomes.flatMap((o) => (o.kind === 'event' ? [o.seq] : []));
    expect(seqs).toEqual(seqs.map((_, i) => seqs[0]! + i));
  });
});

describe('refusals', () => {
  const actor = (name: string, key: Uint8Array): records.Actor => ({ txid: unhex(hash(name)), key });
  const terms = { price: 0n, most: 1, categories: ['code'], tags: [] };

  test('without a capability nothing is removed or switched; a dry run says so and changes nothing', () => {
    const market = new Market();
    const agent = market.join();
    step(market);
    const before = market.core.stateHash();
    for (const record of [
      records.removeOffer(actor('a', agent.key)),
      records.setAvailable(actor('b', agent.key), true),
    ]) {
      expect(market.core.check(record, market.now).code).toBe(abi.CAPABILITY_NOT_FOUND);
    }
    expect(market.core.check(records.registerOffer(actor('c', agent.key), terms), market.now).code).toBe(
      abi.OK,
    );
    expect(market.core.stateHash()).toBe(before);
    market.withdraw(agent);
    expect(() => market.run()).toThrow();
  });

  test('full tables: rows of capabilities, and labels of all of them together', () => {
    const market = new Market({ capacities: [...SMALL.slice(0, 10), 2, ...SMALL.slice(11)] });
    const agents = [market.join(), market.join(), market.join()];
    step(market);
    market.offer(agents[0]!, { categories: ['a', 'b', 'c', 'd'] });
    step(market);
    // 2 rows have 8 labels; 4 are taken.
    const check = (agent: MarketAgent, categories: string[]): number =>
      market.core.check(records.registerOffer(actor('x', agent.key), { ...terms, categories }), market.now)
        .code;
    const five = ['a', 'b', 'c', 'd', 'e'];
    expect(check(agents[1]!, five)).toBe(abi.CAPACITY);
    expect(check(agents[0]!, five)).toBe(abi.OK);
    market.offer(agents[1]!, {});
    step(market);
    expect(check(agents[2]!, ['a'])).toBe(abi.CAPACITY);
    market.withdraw(agents[0]!);
    step(market);
    expect(check(agents[2]!, five)).toBe(abi.OK);
  });

  test('malformed records are none', () => {
    const market = new Market();
    const agent = market.join();
    step(market);
    const good = records.registerOffer(actor('x', agent.key), { ...terms, tags: ['t'] });
    const change = (at: number, value: number): Uint8Array => {
      const copy = good.slice();
      new DataView(copy.buffer).setUint32(at, value, true);
      return copy;
    };
    expect(market.core.check(good, market.now).code).toBe(abi.OK);
    for (const [at, value] of [
      [104, 0],
      [104, 101],
      [108, 0],
      [108, 2],
      [112, 2],
      [100, 0x7fffffff],
    ] as const) {
      expect(market.core.check(change(at, value), market.now).code).toBe(-1);
    }
  });
});
