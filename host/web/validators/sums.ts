// What a validator's votes weigh and bring in, by the formulas of protocol 6.2 and 6.9: for estimates on the page.
// Keeps: integers as in the core, each division rounded down.

import type { LedgerEvent } from '../../client/index.ts';

const BP = 10_000n;
/** Of a fee to those who voted with the outcome. */
const VOTERS_BP = 8000n;
/** How much of reputation above the baseline a token of standing carries. */
const STANDING_FACTOR = 10n;

const mul = (a: bigint, b: bigint, divisor: bigint): bigint => (a * b) / divisor;

export interface Plan {
  /** Micro-units. */
  stake: bigint;
  standing: bigint;
  /** Basis points. */
  score: bigint;
  baseline: bigint;
}

/** Vote weight of an active validator, micro-units. */
export function voteWeight({ stake, standing, score, baseline }: Plan): bigint {
  if (stake <= 0n) return 0n;
  const above = score > baseline ? score - baseline : 0n;
  const carried = mul(STANDING_FACTOR * standing, BP, stake);
  return mul(baseline + (above < carried ? above : carried), stake, BP);
}

/** Part of a fee for one of those who voted with the outcome. */
export const feeShare = (fee: bigint, weight: bigint, all: bigint): bigint =>
  all <= 0n ? 0n : mul(mul(fee, VOTERS_BP, BP), weight, all);

/** What a verdict came to. */
export interface Verdict {
  eventId: string;
  type: string;
  timestamp: number;
  approves: boolean;
  /** Undefined while nothing is decided, or nothing was by a quorum. */
  isRight: boolean | undefined;
  /** Micro-units of the base fee; undefined for work, whose fees are shared at the settlement of its task. */
  income: number | undefined;
}

const DECIDED: Readonly<Record<string, boolean>> = { verified: true, rejected: false };

/** The verdict of a validator on an event; undefined if it gave none. */
export function verdictOn(event: LedgerEvent, validatorId: string): Verdict | undefined {
  const own = event.voters?.find((voter) => voter.validator_id === validatorId);
  if (!own) return undefined;
  const outcome = DECIDED[event.settlement_reason ?? ''];
  const isRight = outcome === undefined ? undefined : own.verdict === outcome;
  const agreed = (event.voters ?? []).filter(({ verdict }) => verdict === outcome);
  const all = agreed.reduce((sum, { weight }) => sum + BigInt(weight), 0n);
  const isPaid = event.event_type === 'transfer' || event.event_type === 'generation';
  const share = isRight ? Number(feeShare(BigInt(event.fee ?? 0), BigInt(own.weight), all)) : 0;
  return {
    eventId: event.event_id,
    type: event.event_type,
    timestamp: own.timestamp,
    approves: own.verdict,
    isRight,
    income: isPaid && outcome !== undefined ? share : undefined,
  };
}

/** What some verdicts came to. */
export interface Tally {
  /** By a quorum, and of those the ones that agree with the outcome. */
  decided: number;
  right: number;
  /** Micro-units. */
  income: number;
}

export function tallyOf(verdicts: readonly Verdict[]): Tally {
  const decided = verdicts.filter(({ isRight }) => isRight !== undefined);
  return {
    decided: decided.length,
    right: decided.filter(({ isRight }) => isRight).length,
    income: verdicts.reduce((sum, { income = 0 }) => sum + income, 0),
  };
}
