// How many message delays a write takes until the node that took it has executed it: equal wires, and wires that differ.
// Keeps: the policy and the module are those of the program; only links, clocks and execution are simulated.

import { describe, expect, test } from 'vitest';
import { meanDelayMs, wanDelayMs } from '../../tools/scale/wan.ts';
import { coreEngine } from './engine.ts';
import { calmScenario, type Scenario, type Wires } from './scenario.ts';
import { World } from './world.ts';

const DELAY_MS = 200;
const core = coreEngine();

interface Finality {
  p50: number;
  p99: number;
  /** Vertices of all seats for each write. */
  vertices: number;
}

/**
 * Message delays from the submission of each write to its execution at the same node. `warmUp`: writes at the start, whose T is
 * that of no clock yet, and while seats come into step.
 */
function finality(
  seats: number,
  writes: readonly { node: number; atMs: number }[],
  warmUp: number,
  wires?: Wires,
): Finality {
  const transactions = writes.map(({ node, atMs }, i) => ({ node, atMs, entry: `tx${i} note 0` }));
  const endMs = Math.max(...writes.map(({ atMs }) => atMs)) + 20 * DELAY_MS;
  const link: Scenario['link'] = {
    lossPercent: 0,
    duplicatePercent: 0,
    minDelayMs: DELAY_MS,
    maxDelayMs: DELAY_MS + 4,
  };
  const world = new World(
    calmScenario(seats, { transactions, link, wires, minIntervalMs: 0, healMs: endMs }),
    core,
  );
  const delays: number[] = [];
  for (const [i, { node, atMs }] of writes.entries()) {
    world.queue.after(atMs, () => {
      onceDone(world, node, `tx${i}`, () => {
        if (i >= warmUp) delays.push((world.queue.nowMs - atMs) / DELAY_MS);
      });
    });
  }
  const result = world.run();
  expect(result.fault).toBeUndefined();
  return { ...percentiles(delays), vertices: result.vertices / writes.length };
}

/** Calls back when the node that took it has executed a transaction. */
function onceDone(world: World, node: number, txId: string, then: () => void): void {
  if (world.nodes[node]!.ledger.s.applied.has(txId)) then();
  else world.queue.after(1, () => onceDone(world, node, txId, then));
}

function percentiles(delays: number[]): { p50: number; p99: number } {
  delays.sort((a, b) => a - b);
  const at = (share: number): number =>
    delays[Math.min(delays.length - 1, Math.floor(share * delays.length))]!;
  return { p50: at(0.5), p99: at(0.99) };
}

/** Four clients at each seat; each writes again `pauseMs` after it was answered, so often. */
function again(seats: number, pauseMs: number, times: number): { p50: number; p99: number } {
  const endMs = times * 4 * DELAY_MS;
  const link = { lossPercent: 0, duplicatePercent: 0, minDelayMs: DELAY_MS, maxDelayMs: DELAY_MS + 4 };
  const world = new World(
    calmScenario(seats, { transactions: [], link, minIntervalMs: 0, healMs: endMs }),
    core,
  );
  const delays: number[] = [];
  const write = (node: number, client: number, i: number): void => {
    const sentMs = world.queue.nowMs;
    if (sentMs > endMs - 20 * DELAY_MS) return;
    const txId = `tx${node}-${client}-${i}`;
    world.nodes[node]!.submit(`${txId} note 0`);
    onceDone(world, node, txId, () => {
      if (i > 5) delays.push((world.queue.nowMs - sentMs) / DELAY_MS);
      world.queue.after(pauseMs, () => write(node, client, i + 1));
    });
  };
  for (let node = 0; node < seats; node++) {
    for (let client = 0; client < 4; client++) world.queue.after(37 * client, () => write(node, client, 0));
  }
  expect(world.run().fault).toBeUndefined();
  return percentiles(delays);
}

/** Without the message in 33 that takes up to four times as long on a link. */
function equalWires(): Wires {
  let sent = 0;
  return { carryMs: () => DELAY_MS + ((sent++ * 7) % 5), workMs: () => 0 };
}

/** After a silence 16 clients at each seat write at the same time, so often, each again once it is answered. */
function burst(seats: number, times: number): { p50: number; p99: number }[] {
  const [silenceMs, pauseMs] = [25 * DELAY_MS, 10];
  const endMs = silenceMs + times * 10 * DELAY_MS;
  const world = new World(
    calmScenario(seats, { transactions: [], wires: equalWires(), minIntervalMs: 0, healMs: endMs }),
    core,
  );
  const delays: number[][] = Array.from({ length: times }, () => []);
  const write = (node: number, client: number, i: number): void => {
    if (i === times) return;
    const sentMs = world.queue.nowMs;
    const txId = `tx${node}-${client}-${i}`;
    world.nodes[node]!.submit(`${txId} note 0`);
    onceDone(world, node, txId, () => {
      delays[i]!.push((world.queue.nowMs - sentMs) / DELAY_MS);
      world.queue.after(pauseMs + (client % 4), () => write(node, client, i + 1));
    });
  };
  // A client of before, which did not write again.
  world.queue.after(100, () => world.nodes[0]!.submit('first note 0'));
  for (let node = 0; node < seats; node++) {
    for (let client = 0; client < 16; client++) {
      world.queue.after(silenceMs + client, () => write(node, client, 0));
    }
  }
  expect(world.run().fault).toBeUndefined();
  return delays.map(percentiles);
}

/** One client: each write a pause, in delays, after the answer to the one before, at the node that `at` says. */
function inTurn(
  seats: number,
  { count, at, pause }: { count: number; at(i: number): number; pause(i: number): number },
): Finality {
  const endMs = 20 * count * DELAY_MS;
  const link = { lossPercent: 0, duplicatePercent: 0, minDelayMs: DELAY_MS, maxDelayMs: DELAY_MS + 4 };
  const world = new World(
    calmScenario(seats, { transactions: [], link, minIntervalMs: 0, healMs: endMs }),
    core,
  );
  const delays: number[] = [];
  const write = (i: number): void => {
    if (i === count) return;
    const sentMs = world.queue.nowMs;
    world.nodes[at(i)]!.submit(`tx${i} note 0`);
    onceDone(world, at(i), `tx${i}`, () => {
      if (i > 4) delays.push((world.queue.nowMs - sentMs) / DELAY_MS);
      world.queue.after(Math.floor(pause(i) * DELAY_MS), () => write(i + 1));
    });
  };
  world.queue.after(10, () => write(0));
  const result = world.run();
  expect(result.fault).toBeUndefined();
  return { ...percentiles(delays), vertices: result.vertices / count };
}

/** One write at a time, at all seats in turn, each long after the one before is final. */
const quiet = (seats: number, count: number): { node: number; atMs: number }[] =>
  Array.from({ length: count }, (_, i) => ({ node: i % seats, atMs: 12 * DELAY_MS * i }));

/** Writes at all seats all the time, at every phase of a round. */
const busy = (seats: number, count: number): { node: number; atMs: number }[] =>
  Array.from({ length: count }, (_, i) => ({
    node: i % seats,
    atMs: Math.floor((i * DELAY_MS * 3.7) / seats),
  }));

describe.each([4, 10])('%i seats', (seats) => {
  test('quiet: half of the writes are final after four message delays, all after six', () => {
    const { p50, p99, vertices } = finality(seats, quiet(seats, 20), 2);
    expect(p50).toBeLessThan(seats === 4 ? 4.2 : 4.5);
    expect(p99).toBeLessThan(6.5);
    // The rounds of the write, of its votes and of its certificates: a vertex of each seat, and few more.
    expect(vertices).toBeLessThan(3.3 * seats);
  });

  test('busy: half of the writes are final within five message delays, all within eight', () => {
    const { p50, p99 } = finality(seats, busy(seats, 40 * seats), 3 * seats);
    expect(p50).toBeLessThan(seats === 4 ? 4.3 : 4.95);
    expect(p99).toBeLessThan(8);
  });
});

describe.each([3, 4, 7])('%i seats that go ahead as the network falls silent', (seats) => {
  const pause = (i: number): number => 2 + (i % 7);

  test('a client that stays at one seat: half of its writes are final after three message delays', () => {
    for (const node of [0, seats - 1]) {
      const { p50, p99, vertices } = inTurn(seats, { count: 60, at: () => node, pause });
      // Of three seats two lead, and the write of the third one waits for a leader.
      expect(p50).toBeLessThan(seats === 3 ? 3.95 : 3.6);
      expect(p99).toBeLessThan(7.5);
      expect(vertices).toBeLessThan(3.3 * seats);
    }
  });

  test('clients that are spread over the seats in turn: the same', () => {
    const { p50, p99, vertices } = inTurn(seats, { count: 60, at: (i) => i % seats, pause });
    expect(p50).toBeLessThan(seats === 3 ? 3.95 : 3.6);
    expect(p99).toBeLessThan(7.5);
    expect(vertices).toBeLessThan(3.4 * seats);
  });

  test('clients at any seats: four at most for half of the writes, with no more vertices', () => {
    const at = (i: number): number => ((i + 1) * 2_654_435_761) % seats;
    const { p50, p99, vertices } = inTurn(seats, { count: 60, at, pause });
    expect(p50).toBeLessThan(4.15);
    expect(p99).toBeLessThan(7.5);
    expect(vertices).toBeLessThan(3.4 * seats);
  });
});

describe.each([4, 7, 10])('%i seats on equal wires', (seats) => {
  test('busy: half of the writes are final after four and a half message delays at most', () => {
    const { p50, p99 } = finality(seats, busy(seats, 40 * seats), 3 * seats, equalWires());
    expect(p50).toBeLessThan(seats === 10 ? 4.4 : 3.9);
    expect(p99).toBeLessThan(5.3);
  });

  test('many clients at once after a silence: from their second write on they lose no round', () => {
    const [first, second] = burst(seats, 2);
    expect(first!.p50).toBeLessThan(4.3);
    expect(second!.p50).toBeLessThan(3.4);
    expect(second!.p99).toBeLessThan(4.8);
  });
});

test('clients that write again once they are answered lose no round: three delays where their seat leads', () => {
  const { p50, p99 } = again(4, 2, 120);
  expect(p50).toBeLessThan(3.6);
  expect(p99).toBeLessThan(7);
  // A client that takes two fifths of a round to write again is not waited for.
  expect(again(4, 80, 120).p50).toBeGreaterThan(3.6);
});

test('wires that differ: once an epoch has shown which seats are far, writes no longer wait for their slots', () => {
  const seats = 10;
  const unitMs = meanDelayMs(seats);
  const wires = { carryMs: (from: number, to: number) => wanDelayMs(from, to, seats), workMs: () => 0 };
  const writes = Array.from({ length: 600 }, (_, i) => ({
    node: i % seats,
    atMs: Math.floor(i * 0.37 * unitMs + ((i * 61) % 97)),
  }));
  const transactions = writes.map(({ node, atMs }, i) => ({ node, atMs, entry: `tx${i} note 0` }));
  const healMs = writes.at(-1)!.atMs + 1000;
  const rule = { blocks: 12, vertices: 5000, earlyBlocks: 64, timeMs: 600_000 };
  const world = new World(calmScenario(seats, { transactions, wires, rule, minIntervalMs: 0, healMs }), core);
  const delays: { first: number[]; later: number[] } = { first: [], later: [] };
  for (const [i, { node, atMs }] of writes.entries()) {
    world.queue.after(atMs, () => {
      const { epoch } = world.nodes[node]!.ledger.s;
      onceDone(world, node, `tx${i}`, () => {
        // Those of an epoch that ends meanwhile are made again in the next one.
        if (world.nodes[node]!.ledger.s.epoch !== epoch || i < 3 * seats) return;
        (epoch === 0 ? delays.first : delays.later).push((world.queue.nowMs - atMs) / unitMs);
      });
    });
  }
  expect(world.run().fault).toBeUndefined();
  const { seats: table } = world.nodes[0]!.ledger.s.config;
  // Sao Paulo, Sydney and Cape Town.
  expect(table.flatMap(({ isLate }, seat) => (isLate ? [seat] : []))).toEqual([4, 8, 9]);
  expect(delays.later.length).toBeGreaterThan(100);
  expect(percentiles(delays.later).p50).toBeLessThan(4.75);
  expect(percentiles(delays.later).p50).toBeLessThan(0.95 * percentiles(delays.first).p50);
});
