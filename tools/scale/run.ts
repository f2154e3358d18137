// One network of the scale model: the policy and the module of the program, lines and processors of `Machine`.

import { coreEngine } from '../../test/sim/engine.ts';
import { calmScenario } from '../../test/sim/scenario.ts';
import { World } from '../../test/sim/world.ts';
import { type Machine, Resources } from './resources.ts';
import { meanDelayMs } from './wan.ts';

export interface Load {
  seats: number;
  /** Transactions a second, spread evenly over the seats. */
  perSecond: number;
  secs: number;
  /** Entries that are simulated; each stands for its share of the load. */
  entries: number;
}

export interface Found {
  p50Ms: number;
  p99Ms: number;
  /** p50 in mean one-way delays of these wires. */
  p50Delays: number;
  /** Work or bytes that waited at the end, in seconds, at the busiest seat. */
  backlogSecs: number;
}

/** Rounds of an epoch that shows which seats are late. */
const TRIAL_ROUNDS = 20;

/** Seats that are late on these wires, once there was an epoch. Of a light load: it tells the same. */
function lateSeats(machine: Machine, seats: number): number[] {
  const unitMs = meanDelayMs(seats);
  const transactions = Array.from({ length: 3 * TRIAL_ROUNDS }, (_, i) => ({
    node: i % seats,
    atMs: Math.floor((i * unitMs) / 2),
    entry: `tx${i} note 0`,
  }));
  const world = new World(
    calmScenario(seats, {
      transactions,
      wires: new Resources(machine, seats, 1),
      minIntervalMs: 0,
      rule: { blocks: TRIAL_ROUNDS, vertices: 7000, earlyBlocks: TRIAL_ROUNDS, timeMs: 600_000 },
      healMs: Math.ceil(2 * TRIAL_ROUNDS * unitMs),
      settleMs: 600_000,
    }),
    coreEngine(),
  );
  const { fault } = world.run();
  if (fault) throw new Error(fault);
  return world.nodes[0]!.ledger.s.config.seats.flatMap(({ isLate }, seat) => (isLate ? [seat] : []));
}

/** Entries at the start are left out: T is that of no clock yet. */
const WARM_UP_SHARE = 0.2;

/** Errors: the run shows a fault of consensus. */
export function runNetwork(machine: Machine, load: Load): Found {
  const { seats, perSecond, secs, entries } = load;
  const wires = new Resources(machine, seats, (perSecond * secs) / entries);
  const endMs = secs * 1000;
  const writes = Array.from({ length: entries }, (_, i) => ({
    node: i % seats,
    // Not at equal steps, so that no seat keeps step with the rounds.
    atMs: Math.floor(((i + ((i * 0.618) % 1)) * endMs) / entries),
  }));
  const transactions = writes.map(({ node, atMs }, i) => ({ node, atMs, entry: `tx${i} note 0` }));
  const world = new World(
    calmScenario(seats, {
      transactions,
      wires,
      late: lateSeats(machine, seats),
      minIntervalMs: 0,
      healMs: endMs,
      settleMs: 600_000,
    }),
    coreEngine(),
  );
  const delays: number[] = [];
  let backlogMs = 0;
  world.queue.after(endMs, () => {
    backlogMs = wires.backlogMs(world.queue.nowMs);
  });
  for (const [i, { node, atMs }] of writes.entries()) {
    const watch = (): void => {
      if (!world.nodes[node]!.ledger.s.applied.has(`tx${i}`)) world.queue.after(1, watch);
      else if (i >= entries * WARM_UP_SHARE) delays.push(world.queue.nowMs - atMs);
    };
    world.queue.after(atMs, () => {
      wires.takeIn(node, atMs);
      watch();
    });
  }
  const { fault } = world.run();
  if (fault) throw new Error(fault);
  delays.sort((a, b) => a - b);
  const at = (share: number): number => delays[Math.floor(share * (delays.length - 1))]!;
  return {
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    p50Delays: at(0.5) / meanDelayMs(seats),
    backlogSecs: backlogMs / 1000,
  };
}
