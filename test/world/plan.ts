// What one seed stands for: seats, seats that do not follow the protocol, agents, wires, and a schedule of faults.
// Keeps: seats that lie or lose what they signed are at most f of n = 3f + 1 (consensus 1); every fault ends before the heal.

import { Dice } from '../model/consensus/random-dag.ts';
import type { Fault, FaultKind } from './faults.ts';
import type { Wire } from './wires.ts';

/** How a seat breaks the protocol. */
export type Deviation = 'twin' | 'silent' | 'partial' | 'late' | 'lying_heads' | 'junk';
const DEVIATIONS: readonly Deviation[] = ['twin', 'silent', 'partial', 'late', 'lying_heads'];

export interface Plan {
  seed: number;
  seats: number;
  deviants: readonly { seat: number; how: Deviation }[];
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
const FORGETTING: readonly FaultKind[] = ['old_copy', 'lost_disk', 'bit_flip'];

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
  const deviantCount = o.isOverLimit ? limit + 1 : isForgetful ? 0 : dice.below(limit + 1);
  const chosen = dice.shuffle(Array.from({ length: seats }, (_, seat) => seat));
  const deviants = chosen.slice(0, deviantCount).map((seat) => ({ seat, how: dice.pick(DEVIATIONS) }));
  const honest = chosen.slice(deviantCount).map((seat) => `n${seat}`);
  const healMs = dice.between(20_000, 60_000);
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
  if (isForgetful) {
    for (const name of dice.shuffle(honest).slice(0, limit)) {
      const kind = dice.pick(FORGETTING);
      const atMs = dice.between(3000, healMs - 2000);
      faults.push({ kind, on: [name], forMs: dice.between(200, 8000), atMs, amount: amountOf(dice, kind) });
    }
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
    agents: dice.between(2, 8),
    pauseMs: dice.pick([200, 1000, 4000]),
    wire,
    healMs,
    faults,
  };
}
