// What one seed determines: seats, faulty nodes, a network, a schedule of troubles and transactions.
// Keeps: faulty weight stays at most W - Q in every epoch that joins and exits can lead to, unless a
// test asks for more; honest seats that are never down hold a quorum.

import { Dice } from '../model/consensus/random-dag.ts';
import { faultyLimit } from '../model/consensus/rules.ts';
import type { SealRule } from './ledger.ts';
import type { Message, NodeKind } from './surroundings.ts';

export interface NodePlan {
  seat: number;
  kind: NodeKind;
  skewMs: number;
}

export interface Link {
  lossPercent: number;
  duplicatePercent: number;
  minDelayMs: number;
  maxDelayMs: number;
}

/** What stands between nodes in place of a link, if delays depend on who sends what. */
export interface Wires {
  /** Milliseconds until a message sent now has arrived. */
  carryMs(from: number, to: number, message: Message, nowMs: number): number;
  /** Milliseconds until the node that it reached now has worked on it. */
  workMs(to: number, message: Message, nowMs: number): number;
}

export interface Scenario {
  seed: number;
  seats: { weight: bigint; isActive: boolean }[];
  /** Seats that are late in the first epoch, as if another one had been before it. */
  late?: readonly number[];
  minParticipants: number;
  nodes: NodePlan[];
  rule: SealRule;
  link: Link;
  wires?: Wires;
  maxParents: number;
  minIntervalMs: number;
  /** Troubles end here: links are whole and everybody is up. */
  healMs: number;
  /** Most simulated time from the heal to silence. */
  settleMs: number;
  partitions: { atMs: number; groups: number[] }[];
  /** Do twins reach only a changing part of the others. */
  hasTwinLinks: boolean;
  crashes: { node: number; atMs: number; forMs: number; losesStore?: boolean }[];
  transactions: { node: number; atMs: number; entry: string }[];
}

export interface ScenarioWishes {
  seats?: number;
  /** Faulty seats beyond the limit: the run must then find disagreement or stall. */
  isOverLimit?: boolean;
}

const FAULTS: readonly NodeKind[] = ['twin', 'twin', 'silent', 'liar', 'withholder', 'stale'];

function planSeats(dice: Dice, count: number): { weight: bigint; isActive: boolean }[] {
  const isEqual = dice.chance(60);
  return Array.from({ length: count }, (_, seat) => ({
    weight: isEqual ? 100n : BigInt(dice.between(50, 150)),
    isActive: seat < 3 || !dice.chance(15),
  }));
}

/** Faulty seats: greedy over a shuffle while the rest stays a quorum of what is surely active. */
function planFaulty(
  dice: Dice,
  seats: readonly { weight: bigint; isActive: boolean }[],
  leavers: ReadonlySet<number>,
  isOverLimit: boolean,
): Set<number> {
  const staying = seats.map((seat, i) => (seat.isActive && !leavers.has(i) ? seat.weight : 0n));
  const total = staying.reduce((sum, weight) => sum + weight, 0n);
  const limit = isOverLimit ? (total * 2n) / 3n : faultyLimit(total);
  const faulty = new Set<number>();
  let heavy = 0n;
  for (const seat of dice.shuffle(seats.map((_, i) => i))) {
    if (leavers.has(seat) || !seats[seat]!.isActive || heavy + seats[seat]!.weight > limit) continue;
    if (!isOverLimit && dice.chance(25)) continue;
    heavy += seats[seat]!.weight;
    faulty.add(seat);
  }
  return faulty;
}

/** Honest seats that may leave in the run: few, and never so many that three would not stay. */
function planLeavers(dice: Dice, seats: readonly { isActive: boolean }[]): Set<number> {
  const active = seats.flatMap((seat, i) => (seat.isActive ? [i] : []));
  const most = Math.max(0, Math.min(2, active.length - 4));
  return new Set(dice.shuffle(active).slice(0, dice.between(0, most)));
}

function planNodes(
  dice: Dice,
  seatCount: number,
  faulty: ReadonlySet<number>,
  isOverLimit: boolean,
): NodePlan[] {
  const nodes: NodePlan[] = [];
  for (let seat = 0; seat < seatCount; seat++) {
    const skewMs = dice.between(-150, 150);
    if (!faulty.has(seat)) {
      nodes.push({ seat, kind: 'honest', skewMs });
      continue;
    }
    const kind = isOverLimit ? 'twin' : dice.pick(FAULTS);
    const copies = kind === 'twin' ? dice.between(2, 3) : 1;
    for (let i = 0; i < copies; i++) {
      const lie = kind === 'liar' || (kind === 'twin' && dice.chance(30));
      nodes.push({ seat, kind, skewMs: lie ? dice.pick([-3_600_000, 3_600_000]) : skewMs });
    }
  }
  return nodes;
}

export function randomScenario(seed: number, wishes: ScenarioWishes = {}): Scenario {
  const dice = new Dice(seed);
  const count = wishes.seats ?? dice.pick([1, 2, 3, 4, 4, 5, 5, 6, 7, 7, 8, 10]);
  const isOverLimit = wishes.isOverLimit ?? false;
  const seats = planSeats(dice, count);
  const leavers = planLeavers(dice, seats);
  const faulty = planFaulty(dice, seats, leavers, isOverLimit);
  const nodes = planNodes(dice, count, faulty, isOverLimit);
  const losers = planLosers(new Dice(seed ^ 0x1057), nodes);
  const honest = nodes.flatMap((node, i) => (node.kind === 'honest' ? [i] : []));
  const healMs = dice.between(4, 12) * 1000;
  const minDelayMs = dice.between(2, 40);
  const active = seats.filter((seat) => seat.isActive).length;
  return {
    seed,
    seats,
    // Faulty seats may be silent, excluded or gone: what is asked for must still be there without them.
    minParticipants: dice.chance(60) ? 1 : Math.max(1, Math.min(3, active - faulty.size - leavers.size)),
    nodes,
    rule: {
      blocks: dice.between(12, 60),
      vertices: dice.between(60, 600),
      earlyBlocks: dice.between(2, 8),
      timeMs: dice.between(2, 20) * 1000,
    },
    link: {
      lossPercent: dice.pick([0, 2, 10, 20]),
      duplicatePercent: dice.pick([0, 5, 20]),
      minDelayMs,
      maxDelayMs: minDelayMs + dice.pick([10, 50, 200, 800]),
    },
    maxParents: dice.pick([2, 3, 4, 32, 32, 32, 32, 32]),
    minIntervalMs: dice.pick([0, 10, 50, 100]),
    healMs,
    settleMs: 90_000,
    partitions: isOverLimit ? [splitTwins(nodes)] : planPartitions(dice, nodes.length, healMs),
    hasTwinLinks: !isOverLimit,
    crashes: [
      ...planCrashes(dice, honest, healMs),
      ...losers.map((node) => ({ node, atMs: healMs / 2, forMs: healMs / 4, losesStore: true })),
    ],
    transactions: planTransactions(dice, { honest, leavers, seats, nodes, healMs }),
  };
}

/** Some silent seats are instead ones that work until they lose part of their store. */
function planLosers(dice: Dice, nodes: NodePlan[]): number[] {
  const losers: number[] = [];
  for (const [index, node] of nodes.entries()) {
    if (node.kind !== 'silent' || !dice.chance(60)) continue;
    node.kind = 'loser';
    losers.push(index);
  }
  return losers;
}

/** Equal honest seats on whole links, nothing to do: a test changes what it is about. */
export function calmScenario(seats: number, changes: Partial<Scenario> = {}): Scenario {
  return {
    seed: 1,
    seats: Array.from({ length: seats }, () => ({ weight: 100n, isActive: true })),
    minParticipants: 1,
    nodes: Array.from({ length: seats }, (_, seat) => ({ seat, kind: 'honest' as const, skewMs: 0 })),
    rule: { blocks: 4096, vertices: 5000, earlyBlocks: 64, timeMs: 600_000 },
    link: { lossPercent: 0, duplicatePercent: 0, minDelayMs: 20, maxDelayMs: 22 },
    maxParents: 32,
    minIntervalMs: 20,
    healMs: 1000,
    settleMs: 60_000,
    partitions: [],
    hasTwinLinks: false,
    crashes: [],
    transactions: [],
    ...changes,
  };
}

/** Two worlds: half of the honest nodes and one twin of every faulty seat in each. */
function splitTwins(nodes: readonly NodePlan[]): Scenario['partitions'][number] {
  let honest = 0;
  const groups = nodes.map((node, i) => {
    if (node.kind === 'honest') return honest++ % 2;
    return nodes.slice(0, i).filter((other) => other.seat === node.seat).length % 2;
  });
  return { atMs: 0, groups };
}

function planPartitions(dice: Dice, nodes: number, healMs: number): Scenario['partitions'] {
  const partitions: Scenario['partitions'] = [];
  if (dice.chance(40)) return partitions;
  for (let atMs = dice.between(0, 1500); atMs < healMs; atMs += dice.between(300, 3000)) {
    const groups = dice.between(1, 3);
    partitions.push({ atMs, groups: Array.from({ length: nodes }, () => dice.below(groups)) });
  }
  return partitions;
}

function planCrashes(dice: Dice, honest: readonly number[], healMs: number): Scenario['crashes'] {
  const crashes: Scenario['crashes'] = [];
  if (honest.length === 0 || dice.chance(40)) return crashes;
  for (const node of dice.shuffle(honest).slice(0, dice.between(1, 3))) {
    const atMs = dice.between(100, healMs - 500);
    crashes.push({ node, atMs, forMs: dice.between(50, healMs - atMs) });
  }
  return crashes;
}

function planTransactions(
  dice: Dice,
  plan: {
    honest: readonly number[];
    leavers: ReadonlySet<number>;
    seats: readonly { isActive: boolean }[];
    nodes: readonly NodePlan[];
    healMs: number;
  },
): Scenario['transactions'] {
  const { honest, leavers, seats, healMs } = plan;
  const out: Scenario['transactions'] = [];
  const submit = (text: string): void => {
    if (honest.length === 0) return;
    const entry = `tx${out.length} ${text}`;
    out.push({ node: dice.pick(honest), atMs: dice.between(0, healMs), entry });
    // The same request through a second seat runs once.
    if (dice.chance(15)) out.push({ node: dice.pick(honest), atMs: dice.between(0, healMs), entry });
  };
  const count = dice.between(3, 40);
  for (let i = 0; i < count; i++) submit('note 0');
  for (const seat of leavers) if (dice.chance(70)) submit(`exit ${seat}`);
  for (let seat = 0; seat < seats.length; seat++) {
    if (!seats[seat]!.isActive && dice.chance(80)) submit(`join ${seat}`);
    if (dice.chance(10)) submit(`rotate ${seat}`);
  }
  if (dice.chance(50)) submit(`timer ${dice.between(1, 5)}`);
  return out;
}
