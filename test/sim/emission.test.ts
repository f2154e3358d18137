// P10 and P17 of consensus 8.1: whatever wakes the network, every payload becomes final, and then nobody
// makes another vertex. With 20 parents at most, so that larger networks need merging vertices.

import { describe, expect, test } from 'vitest';
import { coreEngine } from './engine.ts';
import { calmScenario, type Scenario } from './scenario.ts';
import { type RunResult, World } from './world.ts';

const core = coreEngine();
const MAX_PARENTS = 20;
// 64 and 100 seats take up to half a minute of one core: part of the nightly run, with VWS_SEEDS set.
const IS_NIGHTLY = process.env.VWS_SEEDS !== undefined;
const SIZES = [1, 2, 3, 4, 31, ...(IS_NIGHTLY ? [64, 100] : [])];
const LONELY_SIZES = [4, ...(IS_NIGHTLY ? [31] : [])];

function run(seats: number, changes: Partial<Scenario>): { result: RunResult; world: World } {
  const world = new World(calmScenario(seats, { maxParents: MAX_PARENTS, ...changes }), core);
  const result = world.run();
  expect(result.fault).toBeUndefined();
  return { result, world };
}

const one = (node: number, atMs = 0): Scenario['transactions'][number] => ({
  node,
  atMs,
  entry: `tx${node} note 0`,
});

describe('P17: final, then silent', () => {
  for (const seats of SIZES) {
    test(`cold start of ${seats} seats by one payload`, () => {
      const { result } = run(seats, { transactions: [one(seats - 1)], healMs: 100 });
      expect(result.blocks).toBeGreaterThan(0);
    }, 300_000);
  }

  for (const seats of LONELY_SIZES) {
    test(`${seats} seats that all spent K_max alone heal`, () => {
      // A first payload brings time and rounds up to date; then every seat is cut off with plenty to say.
      const transactions: Scenario['transactions'] = [one(0)];
      for (let node = 0; node < seats; node++) {
        for (let i = 0; i < 90; i++) {
          transactions.push({ node, atMs: 3050 + 12 * i, entry: `tx${node}x${i} note 0` });
        }
      }
      let before: number[] = [];
      let alone: number[] = [];
      const scenario = calmScenario(seats, {
        maxParents: MAX_PARENTS,
        transactions,
        minIntervalMs: 0,
        healMs: 4600,
        partitions: [{ atMs: 3050, groups: Array.from({ length: seats }, (_, i) => i) }],
      });
      const world = new World(scenario, core);
      world.queue.after(3050, () => (before = world.nodes.map((node) => node.vertexCount)));
      world.queue.after(
        4599,
        () => (alone = world.nodes.map((node) => node.vertexCount - before[node.index]!)),
      );
      expect(world.run().fault).toBeUndefined();
      // Its witness, and K_max vertices that bring nothing new; the rest of its payload waited.
      expect(Math.min(...alone)).toBeGreaterThanOrEqual(64);
      expect(Math.max(...alone)).toBeLessThan(80);
    });
  }

  test('an orphaned fork in view keeps nobody awake', () => {
    const scenario = calmScenario(4);
    const nodes = [...scenario.nodes, { seat: 3, kind: 'twin' as const, skewMs: 0 }];
    nodes[3] = { seat: 3, kind: 'twin', skewMs: 3 };
    // Both twins start a chain with payload of their own, and both reach everybody.
    const transactions = [
      one(0, 300),
      { node: 3, atMs: 0, entry: 'a note 0' },
      { node: 4, atMs: 0, entry: 'b note 0' },
    ];
    const world = new World(calmScenario(4, { nodes, transactions: transactions.slice(0, 1) }), core);
    for (const { node, entry } of transactions.slice(1)) world.nodes[node]!.submit(entry);
    expect(world.run().fault).toBeUndefined();
  });

  for (const skewMs of [3_600_000, -3_600_000]) {
    test(`a clock off by ${skewMs} ms at one seat, which has payload as well`, () => {
      const scenario = calmScenario(4);
      const nodes = scenario.nodes.map((node) =>
        node.seat === 2 ? { ...node, skewMs, kind: 'liar' as const } : node,
      );
      run(4, { nodes, transactions: [one(0), one(2, 50), one(2, 500)] });
    });
  }

  test('a timer fires without further payload', () => {
    const { world } = run(4, { transactions: [{ node: 1, atMs: 0, entry: 'tx0 timer 3' }], healMs: 100 });
    for (const node of world.nodes) expect(node.ledger.s.fired.size).toBe(1);
  });

  test('seats of weight 0 bring payload in and make nothing else', () => {
    const seats = Array.from({ length: 5 }, (_, i) => ({ weight: 100n, isActive: i < 4 }));
    const { world } = run(5, { seats, transactions: [one(4), one(4, 900)], healMs: 1500 });
    expect(world.nodes[4]!.vertexCount).toBeLessThan(8);
  });
});

describe('P8: after silence the first payload meets a fresh time', () => {
  for (const seats of [1, 4, 7]) {
    test(`an hour of silence, ${seats} seats`, () => {
      const { world } = run(seats, {
        transactions: [one(0), { node: seats - 1, atMs: 3_600_000, entry: 'late timer 5' }],
        healMs: 3_600_100,
      });
      // Its deadline counts from a time near the clocks, so it fires about 5 s after the payload came.
      for (const node of world.nodes) expect(node.ledger.s.fired.has('late')).toBe(true);
      expect(world.queue.nowMs - 3_600_000).toBeGreaterThan(3000);
      expect(world.queue.nowMs - 3_600_000).toBeLessThan(16_000);
    });
  }
});

describe('P10: one, two and three seats', () => {
  test('one seat: a payload vertex is final by itself, with no wait', () => {
    const world = new World(calmScenario(1, { transactions: [one(0)], healMs: 100 }), core);
    expect(world.run().fault).toBeUndefined();
    // Round 1 has the time of the seal before, which is stale: an empty vertex wakes, payload follows.
    expect(world.nodes[0]!.vertexCount).toBe(1 + 1);
  });

  for (const seats of [2, 3]) {
    test(`${seats} seats stall with one away and go on when it is back`, () => {
      const { world, result } = run(seats, {
        transactions: [one(0, 200)],
        crashes: [{ node: 1, atMs: 100, forMs: 4000 }],
        healMs: 4100,
      });
      expect(world.nodes[0]!.ledger.s.applied.size).toBe(1);
      expect(result.healMs).toBeLessThan(3000);
    });
  }
});
