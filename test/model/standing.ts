// Standing as protocol 6.17 states it: what an agent's tasks brought to the treasury, counted by counterparty.
// Knows no sums: they are added up when somebody asks.

import { sha } from './hashing.ts';

const BUCKETS = 25n;
const HALF_DAYS = 60;

/** Units of a thousandth of a token, by bucket. */
export interface ModelStanding {
  since: number;
  buckets: Map<number, number>;
}

export const newStanding = (): ModelStanding => ({ since: 0, buckets: new Map() });

const total = (units: Iterable<number>): number => [...units].reduce((sum, n) => sum + n, 0);
const least = Math.min;

function bucketOf(agentKey: string, counterpartyKey: string): number {
  const keys = Buffer.from(agentKey + counterpartyKey, 'hex');
  const digest = sha(Buffer.concat([Buffer.from('standing:'), keys]));
  return Number(digest.readBigUInt64BE(0) % BUCKETS);
}

const periods = (of: ModelStanding, now: number, daySecs: number): number =>
  now < of.since ? 0 : Math.floor((now - of.since) / (HALF_DAYS * daySecs));

const halved = (units: number, times: number): number =>
  times === 0 ? units : halved(Math.floor(units / 2), times - 1);

export function noteFee(
  of: ModelStanding,
  keys: { agent: string; counterparty: string },
  fee: bigint,
  now: number,
  daySecs: number,
): void {
  const units = Number(fee / 1000n);
  if (units === 0) return;
  const passed = periods(of, now, daySecs);
  for (const [bucket, held] of of.buckets) of.buckets.set(bucket, halved(held, Math.min(passed, 40)));
  of.since = total(of.buckets.values()) === 0 ? now : of.since + passed * HALF_DAYS * daySecs;
  const bucket = bucketOf(keys.agent, keys.counterparty);
  of.buckets.set(bucket, least(50_000, (of.buckets.get(bucket) ?? 0) + units));
}

/** Micro-units at a time. */
export const standing = (of: ModelStanding, now: number, daySecs: number): bigint =>
  1000n * BigInt(halved(total(of.buckets.values()), Math.min(periods(of, now, daySecs), 40)));

/** Second of the next halving. */
export const halvesAt = (of: ModelStanding, now: number, daySecs: number): number =>
  standing(of, now, daySecs) === 0n ? 0 : of.since + (periods(of, now, daySecs) + 1) * HALF_DAYS * daySecs;

/** As of the last fee, in bp. */
export const backing = (of: ModelStanding): number =>
  least(10_000, total([...of.buckets.values()].map((units) => least(1000, units))));

/** Completions that are backed, of so many. */
export const backed = (of: ModelStanding, completed: number): number =>
  least(completed, Math.floor(backing(of) / 100));

/** What it may add to a trust limit or a vote weight. */
export const power = (of: ModelStanding, now: number, daySecs: number): bigint =>
  10n * standing(of, now, daySecs);
