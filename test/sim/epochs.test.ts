// P13 of consensus 8.1: all nodes seal at the same block, however far they were fed; what was cut off
// catches up from dead vertices; weights and keys change at a seal and nowhere else.

import { describe, expect, test } from 'vitest';
import { coreEngine } from './engine.ts';
import { ToyLedger } from './ledger.ts';
import { calmScenario, type Scenario } from './scenario.ts';
import { World } from './world.ts';

const core = coreEngine();
const RULE = { blocks: 12, vertices: 400, earlyBlocks: 4, timeMs: 60_000 };

const notes = (count: number, node: (i: number) => number, everyMs: number): Scenario['transactions'] =>
  Array.from({ length: count }, (_, i) => ({ node: node(i), atMs: everyMs * i, entry: `tx${i} note 0` }));

function run(seats: number, changes: Partial<Scenario>): World {
  const world = new World(calmScenario(seats, { rule: RULE, ...changes }), core);
  const { fault } = world.run();
  expect(fault).toBeUndefined();
  return world;
}

describe('P13: epochs', () => {
  test('a node cut off before several seals catches up from vertices that are dead already', () => {
    const world = new World(
      calmScenario(4, {
        rule: RULE,
        transactions: notes(60, (i) => i % 3, 50),
        partitions: [{ atMs: 100, groups: [0, 0, 0, 1] }],
        healMs: 12_000,
      }),
      core,
    );
    let made = 0;
    // The others are silent before the heal; nothing new may be needed from them.
    world.queue.after(11_990, () => (made = world.nodes.reduce((sum, node) => sum + node.vertexCount, 0)));
    expect(world.run().fault).toBeUndefined();
    expect(world.nodes[3]!.ledger.s.epoch).toBeGreaterThan(2);
    expect(world.nodes.slice(0, 3).reduce((sum, node) => sum + node.vertexCount, 0)).toBeLessThanOrEqual(
      made,
    );
  });

  test('one seat with seals inside its batches: each request runs once', () => {
    const world = run(1, {
      rule: { blocks: 5, vertices: 30, earlyBlocks: 2, timeMs: 1000 },
      transactions: notes(120, () => 0, 7),
      minIntervalMs: 0,
    });
    const { s } = world.nodes[0]!.ledger;
    expect([s.applied.size, s.duplicates]).toEqual([120, 0]);
    expect(s.epoch).toBeGreaterThan(20);
  });

  test('a seat that rotates all the time costs one seal in `earlyBlocks` blocks at most', () => {
    const rotations = Array.from({ length: 60 }, (_, i) => ({
      node: i % 4,
      atMs: 60 * i,
      entry: `tx${i} rotate 1`,
    }));
    const world = run(4, { transactions: rotations, healMs: 4000 });
    const { epoch, index, config } = world.nodes[0]!.ledger.s;
    expect(epoch).toBeGreaterThan(3);
    expect(epoch).toBeLessThanOrEqual(index / RULE.earlyBlocks);
    // At rest the running table is the one that the state asks for.
    expect(world.nodes[0]!.ledger.isChangeWaiting()).toBe(false);
    expect(config.seats.length).toBe(4);
  });

  test('a seat that joins votes from the next epoch on, and one that leaves no longer does', () => {
    const seats = Array.from({ length: 5 }, (_, i) => ({ weight: 100n, isActive: i < 4 }));
    const world = run(5, {
      seats,
      transactions: [
        { node: 0, atMs: 0, entry: 'tx0 join 4' },
        { node: 4, atMs: 2000, entry: 'tx1 exit 0' },
        ...notes(10, (i) => i % 5, 300).map((t) => ({ ...t, entry: `n${t.entry}` })),
      ],
      healMs: 4000,
    });
    const weights = world.nodes[2]!.ledger.s.config.seats.map((seat) => seat.weight);
    expect(weights).toEqual([0n, 100n, 100n, 100n, 100n]);
  });

  test('a seat that forks is excluded at the next seal on every node, and one branch counts', () => {
    const nodes = [0, 1, 2, 3, 3].map((seat, i) => ({
      seat,
      kind: i >= 3 ? ('twin' as const) : ('honest' as const),
      skewMs: i,
    }));
    // Each twin reaches one half until the heal, and the second one is the first to speak in its half, so that both branches
    // get honest children. The heal is soon: on a branch that is known as one nobody builds.
    const world = run(4, {
      nodes,
      transactions: [{ node: 4, atMs: 0, entry: 'tx40 note 0' }, ...notes(40, (i) => i % 3, 60)],
      partitions: [
        { atMs: 0, groups: [0, 0, 1, 0, 1] },
        { atMs: 200, groups: [0, 0, 0, 0, 0] },
      ],
      healMs: 3000,
    });
    for (const node of world.honest) {
      expect(node.ledger.s.seats[3]!.isExcluded).toBe(true);
      expect(node.ledger.s.config.seats[3]!.weight).toBe(0n);
    }
  });

  test('too few seats with weight: the sealed weights stay for all that are not excluded', () => {
    const world = run(3, {
      minParticipants: 3,
      transactions: [
        { node: 0, atMs: 0, entry: 'tx0 exit 1' },
        ...notes(9, (i) => i % 3, 100).map((t) => ({ ...t, entry: `n${t.entry}` })),
      ],
    });
    const weights = world.nodes[0]!.ledger.s.config.seats.map((seat) => seat.weight);
    expect(weights).toEqual([100n, 100n, 100n]);
  });
});

describe('late seats (consensus 5.11)', () => {
  /** Runs the network; which seats were late in each epoch. Every honest node opens the same ones. */
  function lateOf(seats: number, changes: Partial<Scenario>): number[][] {
    const world = new World(calmScenario(seats, { rule: RULE, ...changes }), core);
    const late: number[][] = [];
    for (const node of world.nodes) {
      const { openNext } = ToyLedger.prototype;
      const noted = function (this: ToyLedger, timely: readonly number[]): boolean {
        const isOpen = openNext.call(this, timely);
        const { config, epoch } = this.s;
        const now = config.seats.flatMap(({ isLate }, seat) => (isLate ? [seat] : []));
        late[epoch] ??= now;
        expect(now).toEqual(late[epoch]);
        return isOpen;
      };
      node.ledger.openNext = noted;
    }
    expect(world.run().fault).toBeUndefined();
    return late.slice(1);
  }

  test('a seat that is down leads nothing in the epochs after, and leads again from the second seal after its return', () => {
    const late = lateOf(4, {
      transactions: notes(160, (i) => i % 3, 50),
      partitions: [
        { atMs: 100, groups: [0, 0, 0, 1] },
        { atMs: 4000, groups: [0, 0, 0, 0] },
      ],
      healMs: 9000,
    });
    const [first, last] = [
      late.findIndex(([seat]) => seat === 3),
      late.findLastIndex(([seat]) => seat === 3),
    ];
    expect(first).toBe(0);
    expect(last).toBeGreaterThan(1);
    expect(late.slice(0, last).every(([seat]) => seat === 3)).toBe(true);
    // Epochs in which it leads.
    expect(late.length - last).toBeGreaterThan(3);
  });

  test('a seat whose vertices come a round late is late, and only that', () => {
    const wires = {
      carryMs: (from: number) => (from === 2 ? 60 : 20),
      workMs: () => 0,
    };
    const late = lateOf(5, { wires, transactions: notes(120, (i) => i % 5, 30), healMs: 4000 });
    expect(late.length).toBeGreaterThan(3);
    expect(new Set(late.map(String))).toEqual(new Set(['2']));
  });
});
