// What one seed stands for: seats, seats that do not follow the protocol, agents, wires, and a schedule of faults.
// Keeps: seats that lie, lose what they signed or die are at most f of n = 3f + 1 (consensus 1); every fault but a death for
// good ends before the heal.

import { Dice } from '../model/consensus/random-dag.ts';
import { DEVIATIONS, type Deviation, hasNode, isLater } from './deviants.ts';
import type { Fault, FaultKind } from './faults.ts';
import type { Wire } from './wires.ts';

/** A machine that comes later, with nothing on its disk: an observer, or a seat whose key has signed nothing. */
export interface Latecomer {
  name: string;
  isObserver: boolean;
  atMs: number;
  /** SERVICE_JOIN. */
  join: 'auto' | 'checkpoint' | 'replay';
}

export interface Plan {
  seed: number;
  seats: number;
  /** One seat may deviate in several ways. */
  deviants: readonly { seat: number; how: Deviation }[];
  latecomers: readonly Latecomer[];
  /** Addresses that open sockets at every peer port and say nothing in them. */
  strangers: number;
  agents: number;
  pauseMs: number;
  wire: Partial<Wire>;
  /** Faults strike until here. */
  healMs: number;
  faults: readonly Fault[];
  /** Seats keep a last-signed record (consensus 5.12). */
  hasRecords?: boolean;
  /** When a silent seat loses its weight (consensus 5.11), with epochs of `epochMs`; undefined: not in a run of this length. */
  silence?: { epochs: number; secs: number; epochMs: number };
}

const TEMPORARY: readonly FaultKind[] = [
  'kill',
  'kill',
  'kill_all',
  'pause',
  'power_before',
  'power_after',
  'disk_full',
  'disk_slow',
  'cut_one_way',
  'partition',
  'slow_link',
  'lossy_link',
  'clock_skew',
  'clock_jump',
  'suspend',
];
/** A node alone believes the clock that it starts with (consensus 5.8). */
const NEEDS_PEERS: readonly FaultKind[] = [
  'cut_one_way',
  'partition',
  'slow_link',
  'lossy_link',
  'clock_jump',
];
/** Of plans that have one of the kinds that came later. */
const MORE_PERCENT = 25;
/** Those of them that strike honest seats, whoever else is struck. */
const LATER_KINDS: readonly {
  kind: FaultKind;
  /** How many it strikes; one by default. */
  machines?: number;
  forMs: readonly [least: number, most: number];
  amounts: readonly number[];
}[] = [
  { kind: 'stop', forMs: [200, 5000], amounts: [0] },
  { kind: 'power_at_seal', forMs: [20_000, 60_000], amounts: [0, 1] },
  { kind: 'writes_fail', forMs: [500, 5000], amounts: [1, 2, 5] },
  { kind: 'links_break', machines: 2, forMs: [2000, 15_000], amounts: [100, 700, 3000] },
  { kind: 'link_sticks', machines: 2, forMs: [5000, 45_000], amounts: [0] },
  { kind: 'far_away', forMs: [20_000, 60_000], amounts: [60, 200] },
  { kind: 'stutter', forMs: [2000, 20_000], amounts: [50, 300] },
  { kind: 'clock_drift', forMs: [5000, 30_000], amounts: [-20, -3, 3, 20] },
];
/** A machine that forgets what it signed counts as one that lies. */
export const FORGETTING: readonly FaultKind[] = ['old_copy', 'lost_disk', 'bit_flip'];

const FIRST_DEVIATIONS = DEVIATIONS.filter((how) => !isLater(how));

const amountOf = (dice: Dice, kind: FaultKind): number => {
  switch (kind) {
    case 'disk_slow':
      return dice.pick([20, 100, 600]);
    case 'bit_flip':
      return dice.below(1000) / 1000;
    case 'old_copy':
      return dice.between(500, 15_000);
    case 'slow_link':
      return dice.pick([100, 300, 1000]);
    case 'lossy_link':
      return dice.pick([1, 5, 20]);
    case 'clock_skew':
      return dice.pick([-1, 1]) * dice.between(200, 5000);
    case 'clock_jump':
      return dice.pick([-1, 1]) * dice.pick([60_000, 3_600_000, 86_400_000]);
    default:
      return 0;
  }
};

function targets(dice: Dice, kind: FaultKind, honest: readonly string[]): readonly string[] {
  if (kind === 'kill_all') return honest;
  if (kind === 'partition')
    return dice.shuffle(honest).slice(0, dice.between(1, Math.max(1, honest.length - 1)));
  if (kind === 'cut_one_way' || kind === 'slow_link' || kind === 'lossy_link')
    return dice.shuffle(honest).slice(0, 2);
  return [dice.pick(honest)];
}

/** `spare`: seats that may be away besides those that deviate or forget. */
function latecomersOf(dice: Dice, honest: readonly string[], spare: number, healMs: number): Latecomer[] {
  const join = () => dice.pick(['auto', 'auto', 'auto', 'checkpoint', 'replay'] as const);
  const all: Latecomer[] = [];
  if (honest.length > 0 && dice.chance(50))
    all.push({ name: 'o0', isObserver: true, atMs: dice.below(healMs), join: join() });
  if (spare > 0 && dice.chance(60))
    all.push({ name: honest.at(-1)!, isObserver: false, atMs: dice.between(5000, healMs), join: join() });
  return all;
}

export interface PlanOptions {
  /** Faults at most. */
  faults?: number;
  seats?: number;
  /** Deviating seats beyond f, to see that the checks notice. */
  isOverLimit?: boolean;
}

export function planOf(seed: number, o: PlanOptions = {}): Plan {
  const plan = drawn(seed, o);
  if (o.isOverLimit) return plan;
  const whole = withDeadSeat(plan);
  return o.faults === 0 ? whole : withLaterKinds(whole);
}

/** Kinds that came later, drawn from dice of their own: what else is in a plan is as it was. */
function withLaterKinds(plan: Plan): Plan {
  const { seed, seats, deviants, latecomers, healMs, silence } = plan;
  if (silence) return plan;
  const dice = new Dice(seed ^ 0x1a7e5);
  const lying = new Set(deviants.map(({ seat }) => seat));
  const honest = Array.from({ length: seats }, (_, seat) => seat)
    .filter((seat) => !lying.has(seat))
    .map((seat) => `n${seat}`);
  const faults = [...plan.faults];
  const add = (kind: FaultKind, on: readonly string[], atMs: number, forMs: number, amount: number): void => {
    faults.push({ kind, on, atMs, forMs, amount });
  };
  if (dice.chance(MORE_PERCENT))
    add(
      'crash_loop',
      [dice.pick(honest)],
      dice.below(healMs - 8000),
      dice.between(1000, 6000),
      dice.pick([50, 300, 1000]),
    );
  if (honest.length > 1 && dice.chance(MORE_PERCENT))
    add(
      'flapping_link',
      dice.shuffle(honest).slice(0, 2),
      dice.below(healMs - 8000),
      dice.between(2000, 6000),
      dice.pick([50, 200, 700]),
    );
  for (const { name, atMs, join } of latecomers)
    if (join !== 'replay' && dice.chance(MORE_PERCENT))
      add('power_in_join', [name], atMs, 20_000, dice.below(2));
  for (const { kind, machines = 1, forMs, amounts } of LATER_KINDS) {
    if (!dice.chance(MORE_PERCENT) || honest.length < machines) continue;
    const ms = Math.min(healMs - 3000, dice.between(...forMs));
    add(kind, dice.shuffle(honest).slice(0, machines), dice.below(healMs - ms), ms, dice.pick(amounts));
  }
  // The power may fail between the two writes: then a seat waits as one that forgot, and counts as one.
  const areAllSound = deviants.length === 0 && !faults.some(({ kind }) => FORGETTING.includes(kind));
  const more = deviants
    .filter(({ how }) => hasNode(how) && dice.chance(MORE_PERCENT))
    .map(({ seat }) => ({ seat, how: dice.pick(DEVIATIONS.filter(isLater)) }));
  return {
    ...plan,
    faults,
    deviants: [...deviants, ...more],
    hasRecords: areAllSound && dice.chance(MORE_PERCENT),
  };
}

function drawn(seed: number, o: PlanOptions): Plan {
  const dice = new Dice(seed ^ 0x5eed);
  // Beyond the limit somebody has to be left who is deceived.
  const seats = o.seats ?? dice.pick(o.isOverLimit ? [3, 4, 4, 4, 4, 5, 7] : [1, 3, 4, 4, 4, 4, 5, 7]);
  const limit = Math.floor((seats - 1) / 3);
  const isForgetful = limit > 0 && dice.chance(30);
  const mayDeviate = limit > 0 && !isForgetful && dice.chance(80);
  const deviantCount = o.isOverLimit ? limit + 1 : mayDeviate ? dice.between(1, limit) : 0;
  const chosen = dice.shuffle(Array.from({ length: seats }, (_, seat) => seat));
  const deviants = chosen.slice(0, deviantCount).flatMap((seat, i) => {
    // Seeds that follow each other go through all of them.
    const how = FIRST_DEVIATIONS[(seed + i) % FIRST_DEVIATIONS.length]!;
    const more = dice.pick(FIRST_DEVIATIONS.filter((other) => hasNode(other) && other !== how));
    const isMore = hasNode(how) && dice.chance(30);
    return [{ seat, how }, ...(isMore ? [{ seat, how: more }] : [])];
  });
  const honest = chosen.slice(deviantCount).map((seat) => `n${seat}`);
  const healMs = dice.between(20_000, 60_000);
  const latecomers = latecomersOf(dice, honest, limit - deviantCount - (isForgetful ? limit : 0), healMs);
  const faults: Fault[] = [];
  for (let i = dice.below((o.faults ?? 8) + 1); i > 0; i--) {
    const kind = dice.pick(TEMPORARY);
    if (seats === 1 && NEEDS_PEERS.includes(kind)) continue;
    const on = targets(dice, kind, honest);
    if (on.length === 0 || (['cut_one_way', 'slow_link', 'lossy_link'].includes(kind) && on.length < 2))
      continue;
    const forMs = dice.between(200, 15_000);
    faults.push({ kind, on, forMs, atMs: dice.below(healMs - 2000), amount: amountOf(dice, kind) });
  }
  const [rotating, helper] = honest;
  if (helper !== undefined && !isForgetful && dice.chance(30)) {
    const atMs = dice.between(4000, healMs - 5000);
    faults.push({
      kind: 'rotate_key',
      on: [rotating!, helper],
      forMs: 0,
      atMs,
      amount: Number(rotating!.slice(1)),
    });
  }
  if (isForgetful) {
    for (const name of dice.shuffle(honest).slice(0, limit)) {
      const kind = dice.pick(FORGETTING);
      const atMs = dice.between(3000, healMs - 2000);
      faults.push({ kind, on: [name], forMs: dice.between(200, 8000), atMs, amount: amountOf(dice, kind) });
    }
  }
  // Observers sign nothing, so however many of them may forget.
  for (const { name } of latecomers.filter(({ isObserver }) => isObserver)) {
    const kind = dice.pick([...FORGETTING, 'kill', 'pause', 'power_after'] as const);
    const atMs = dice.between(5000, healMs - 2000);
    faults.push({ kind, on: [name], forMs: dice.between(200, 8000), atMs, amount: amountOf(dice, kind) });
  }
  const wire = dice.pick<Partial<Wire>>([
    {},
    { delayMs: 2, jitterMs: 1 },
    { delayMs: 50, jitterMs: 20 },
    { delayMs: 100, jitterMs: 80 },
  ]);
  return {
    seed,
    seats,
    deviants,
    latecomers,
    strangers: dice.pick([0, 0, 2, 6]),
    agents: dice.between(2, 8),
    // A fast wire makes hundreds of rounds a second while anything is open.
    pauseMs: dice.pick([wire.delayMs === 2 ? 1000 : 200, 1000, 4000]),
    wire,
    healMs,
    faults,
  };
}

/** Machines that a fault cannot do without. */
const needs = (kind: FaultKind): number =>
  ['cut_one_way', 'slow_link', 'lossy_link', 'rotate_key'].includes(kind) ? 2 : 1;

/** So many seats are left when one is removed (consensus 5.11). */
const MIN_LEFT = 4;
/** For the epoch in which it dies, those of the rule, and the one in which the order tells. */
const REMOVAL_MS = 70_000;

/**
 * Some seats die for good, or until they have been removed, where the others bear it. Drawn from dice of its own: plans
 * without one are what they were.
 */
function withDeadSeat(plan: Plan): Plan {
  const dice = new Dice(plan.seed ^ 0xdead00);
  const { seats, deviants, faults, latecomers } = plan;
  const isOff = new Set([
    ...deviants.map(({ seat }) => `n${seat}`),
    ...latecomers.map(({ name }) => name),
    ...faults.filter(({ kind }) => FORGETTING.includes(kind)).flatMap(({ on }) => on),
  ]);
  const names = Array.from({ length: seats }, (_, seat) => `n${seat}`);
  const others = names.filter((name) => !isOff.has(name));
  const spare = Math.floor((seats - 1) / 3) - (seats - others.length);
  if (seats <= MIN_LEFT || spare < 1 || !dice.chance(70)) return plan;
  const dead = dice.pick(others);
  const atMs = dice.between(2000, 10_000);
  const without = faults.flatMap((fault) => {
    const on = fault.on.filter((name) => name !== dead);
    return on.length < needs(fault.kind) ? [] : [{ ...fault, on }];
  });
  const amount = dice.below(2);
  return {
    ...plan,
    healMs: atMs + REMOVAL_MS,
    // So long a run of so many seats must not be a busy one as well.
    agents: 2,
    pauseMs: 4000,
    wire: { delayMs: 50, jitterMs: 20 },
    faults: [...without, { kind: 'dead_seat', on: [dead], atMs, forMs: REMOVAL_MS, amount }],
    silence: { epochs: 2, secs: dice.between(15, 25), epochMs: 10_000 },
  };
}
