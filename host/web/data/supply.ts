// The parts of the supply in words, and which of them are in circulation.
// Keeps: every part that the node names is shown, so what is shown is the whole, or visibly not.

import type { SupplyParts, Trend } from '../../client/index.ts';

export type Part = keyof SupplyParts & string;

interface PartWords {
  name: string;
  about: string;
  /** Held by agents, or for them. */
  circulates?: true;
  colour: number;
}

export const PARTS: Readonly<Record<Part, PartWords>> = {
  balances: { name: 'Agents, free', about: 'What agents can spend now', circulates: true, colour: 0 },
  stakes: {
    name: 'Stakes',
    about: 'Pledged by agents for trust, and by validators',
    circulates: true,
    colour: 1,
  },
  task_escrows: { name: 'Task budgets', about: 'Of unfinished tasks', circulates: true, colour: 2 },
  subtask_escrows: {
    name: 'Subtask budgets',
    about: 'Of subtasks that are unfinished, or wait for their parent',
    circulates: true,
    colour: 3,
  },
  claim_bonds: {
    name: 'Bonds of claims',
    about: 'Of workers, from the claim to the end of the task',
    circulates: true,
    colour: 5,
  },
  pending_transfers: {
    name: 'Transfers under way',
    about: 'Until their verdicts are in',
    circulates: true,
    colour: 6,
  },
  held: {
    name: 'Other bonds and deposits',
    about: 'Of disputes and challenges; of API keys and services',
    circulates: true,
    colour: 7,
  },
  replay_rewards: {
    name: 'Replay rewards',
    about: 'Promised to who runs a task again',
    circulates: true,
    colour: 4,
  },
  onboarding: { name: 'Onboarding', about: 'Grants for new agents', colour: 0 },
  rewards: { name: 'Rewards', about: 'Genesis pool', colour: 1 },
  public: { name: 'Public', about: 'Genesis pool', colour: 2 },
  founders: { name: 'Founders', about: 'Genesis pool', colour: 3 },
  investors: { name: 'Investors', about: 'Genesis pool', colour: 4 },
  faucet: { name: 'Faucet', about: 'Test tokens for whoever asks', colour: 5 },
  treasury: { name: 'Treasury', about: 'Fees and what was forfeited', colour: 5 },
  dispute_reserve: { name: 'Dispute reserve', about: 'Pays judges', colour: 5 },
  canary_reserve: { name: 'Canary reserve', about: 'Pays for planted checks', colour: 5 },
  replay_reserves: { name: 'Replay reserves', about: 'Pay for work that is run again', colour: 5 },
};

export const PART_NAMES = Object.keys(PARTS) as Part[];

/** Sum of all parts that the node names, known to this page or not. */
export const sumOf = (parts: SupplyParts): bigint =>
  Object.values(parts).reduce((sum, amount) => sum + BigInt(amount), 0n);

export const circulating = (parts: SupplyParts): bigint =>
  PART_NAMES.filter((part) => PARTS[part].circulates).reduce((sum, part) => sum + BigInt(parts[part]), 0n);

/** `0.42 %`; what is more than nothing is never shown as nothing. */
export function share(part: bigint, whole: bigint): string {
  if (part === 0n || whole === 0n) return '0 %';
  const hundredths = (part * 10_000n) / whole;
  if (hundredths === 0n) return 'below 0.01 %';
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')} %`;
}

/** The supply as it was, with what it is compared. */
export interface Before {
  parts: SupplyParts;
  /** Unix seconds. */
  time: number;
  span: 'day' | 'hour';
}

/** The oldest record of a day or an hour that has every part; undefined if there is none but that of now. */
export function beforeOf({ samples, step_seconds: step }: Trend, span: Before['span']): Before | undefined {
  // Samples of an earlier version lack parts.
  const whole = samples.filter(({ parts }) => PART_NAMES.every((part) => parts[part] !== undefined));
  const [first] = whole;
  // A sample is taken at the end of its step.
  return first && whole.length > 1 ? { parts: first.parts, time: first.time + step, span } : undefined;
}

export interface Moved {
  part: Part;
  /** Above 0. */
  amount: bigint;
}

/** Parts that shrank and parts that grew, each the largest first; of one supply, both have the same sum. */
export function moved(before: SupplyParts, now: SupplyParts): { from: Moved[]; to: Moved[] } {
  const changes = PART_NAMES.map(
    (part): Moved => ({ part, amount: BigInt(now[part]) - BigInt(before[part]) }),
  );
  const size = (a: Moved, b: Moved): number => (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0);
  const from = changes.flatMap(({ part, amount }) => (amount < 0n ? [{ part, amount: -amount }] : []));
  return { from: from.sort(size), to: changes.filter(({ amount }) => amount > 0n).sort(size) };
}
