// The router in the core against the model: random markets, compared after each block.
// VWS_SEED picks the first seed, VWS_OPS the number of commands; each market prints its seed on failure.
// Replay one market: VWS_SEED=<seed> VWS_OPS=1 npx vitest run test/core/router.test.ts

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { testSeed } from '../e2e/seed.ts';
import { SMALL } from './driver.ts';
import { Market, type MarketAgent, type MarketTask } from './router-world.ts';
import { Chance } from './world-setup.ts';

const OPS = Number(process.env.VWS_OPS ?? 4_500);
const FIRST_SEED = testSeed(1);
const OPS_PER_MARKET = 1_500;
const TOKEN = 1_000_000n;

const CATEGORIES = ['code', 'data', 'content', 'general', 'law'];
const TAGS = ['a', 'b', 'c', 'd', 'e', 'f'];
const BUDGETS = [500_000n, 2n * TOKEN, 2n * TOKEN + 1n, 3n * TOKEN, 5n * TOKEN, 5n * TOKEN + 1n, 18n * TOKEN];
const seen = new Map<string, number>();
const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);

class Game {
  readonly chance: Chance;
  readonly market: Market;
  ops = 0;

  constructor(readonly seed: number) {
    this.chance = new Chance(seed);
    this.market = new Market({ capacities: [...SMALL.slice(0, 10), 64, ...SMALL.slice(11)] }, seed);
    for (let i = 0; i < 14; i++)
      this.market.join(this.chance.hit(3) ? `${this.chance.pick(['x', '0', 'f', 'Z'])}${i}.s` : undefined);
  }

  #some(list: string[], most: number): string[] {
    return Array.from({ length: this.chance.int(most + 1) }, () => this.chance.pick(list));
  }

  #price(): bigint {
    const wide = BigInt(this.chance.int(3_000_000));
    return this.chance.pick([0n, 0n, 500n, 1_000_000n, wide]);
  }

  #step(): void {
    const { market: m, chance } = this;
    const agent = chance.pick(m.agents);
    const tasks = [...m.tasks.values()];
    const kind = chance.int(100);
    if (kind < 12) {
      const categories = [chance.pick(CATEGORIES), ...this.#some(CATEGORIES, 2)];
      m.offer(agent, {
        price: this.#price(),
        most: 1 + chance.int(3),
        categories,
        tags: this.#some(TAGS, 3),
      });
    } else if (kind < 16 && m.model.offers.has(agent.index)) m.withdraw(agent);
    else if (kind < 24 && m.model.offers.has(agent.index)) m.setAvailable(agent, chance.hit(2));
    else if (kind < 45 && tasks.length < 120) this.#post(agent);
    else if (tasks.length > 0) this.#onTask(kind, agent, chance.pick(tasks));
  }

  #post(agent: MarketAgent): void {
    const { chance } = this;
    this.market.post(agent, {
      budget: chance.pick(BUDGETS),
      category: chance.pick(CATEGORIES),
      tags: this.#some(TAGS, 4),
      exclusive: chance.hit(2),
    });
  }

  #onTask(kind: number, agent: MarketAgent, task: MarketTask): void {
    const { market: m, chance } = this;
    if (task.status === 'open' && kind < 80) {
      const isRouted = task.routedTo !== undefined && (task.exclusiveUntil > 0 || !chance.hit(3));
      const claimer = isRouted ? m.agents[task.routedTo! - 1]! : agent;
      if (claimer.index === task.poster || claimer.claimed >= 20) return;
      // Only a claim that expired bars from claiming; the market keeps one list for both kinds of bars.
      if (!task.barred.has(claimer.index)) m.claim(claimer, task);
    } else if (task.status === 'claimed' && kind < 92) m.submit(task, chance.pick([10_000, 8_001, 7_000]));
    else if (task.status === 'submitted') m.approve(task);
    else if (kind > 95 && task.cancelAt === 0) m.cancel(task);
  }

  // Submitted tasks are not left to their review deadline, which this market does not know.
  #gap(): number {
    const isSubmitted = [...this.market.tasks.values()].some((t) => t.status === 'submitted');
    return this.chance.pick(isSubmitted ? [0, 1, 2] : [0, 1, 1, 5, 61, 300, 601, 86_400 * 31]);
  }

  run(): number {
    this.market.compare(this.market.run());
    this.market.skip();
    while (this.ops < OPS_PER_MARKET) {
      for (let i = this.chance.int(8); i > 0; i--, this.ops++) this.#step();
      for (const t of [...this.market.tasks.values()]) if (t.status === 'submitted') this.market.approve(t);
      const told = this.market.run();
      this.market.compare(told);
      for (const o of told)
        count(o.kind === 'event' ? `event ${o.type}` : o.kind === 'tx' ? `op ${o.opcode}` : o.kind);
      if (this.chance.hit(12)) this.market.reload();
      this.market.skip(this.#gap());
    }
    for (const route of this.market.model.routes) count(route.reason);
    return this.ops;
  }
}

test('random markets: the core routes as the model does', () => {
  let ops = 0;
  let seed = FIRST_SEED;
  for (; ops < OPS; seed++) {
    const game = new Game(seed);
    try {
      ops += game.run();
    } catch (error) {
      throw new Error(`seed ${seed}, block ${game.market.blocks}: VWS_SEED=${seed} VWS_OPS=1`, {
        cause: error,
      });
    }
  }
  console.log(`router: ${ops} commands, seeds ${FIRST_SEED}..${seed - 1}`, Object.fromEntries(seen));
  const required = [
    'best_match',
    'newcomer',
    `event ${abi.EVENT_CLAIM_EXPIRED}`,
    `event ${abi.EVENT_TASK_SETTLED}`,
  ];
  if (OPS >= 4_500) expect(required.filter((what) => !seen.has(what))).toEqual([]);
}, 600_000);
