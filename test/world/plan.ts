// What one seed stands for: seats, seats that do not follow the protocol, agents, wires, and a schedule of faults.
// Keeps: seats that lie or lose what they signed are at most f of n = 3f + 1 (consensus 1); every fault ends before the heal.

import { Dice } from '../model/consensus/random-dag.ts';
import { DEVIATIONS, type Deviation, hasNode } from './deviants.ts';
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
/** A machine that forgets what it signed counts as one that lies. */
export const FORGETTING: readonly FaultKind[] = ['old_copy', 'lost_disk', 'bit_flip'];

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
  const dice = new Dice(seed ^ 0x5eed);
  const seats = o.seats ?? dice.pick([1, 3, 4, 4, 4, 4, 5, 7]);
  const limit = Math.floor((seats - 1) / 3);
  const isForgetful = limit > 0 && dice.chance(30);
  const mayDeviate = limit > 0 && !isForgetful && dice.chance(80);
  const deviantCount = o.isOverLimit ? limit + 1 : mayDeviate ? dice.between(1, limit) : 0;
  const chosen = dice.shuffle(Array.from({ length: seats }, (_, seat) => seat));
  const deviants = chosen.slice(0, deviantCount).flatMap((seat, i) => {
    // Seeds that follow each other go through all of them.
    const how = DEVIATIONS[(seed + i) % DEVIATIONS.length]!;
    const more = dice.pick(DEVIATIONS.filter((other) => hasNode(other) && other !== how));
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
