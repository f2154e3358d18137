// Standing: the fees that an agent's completed tasks brought to the treasury, by counterparty, as far as they count
// (protocol 6.17). Reputation is free among own identities; what the treasury has taken is not, so power rests on this.
// Keeps: a row for each agent, found by its index; a counterparty counts in one of BUCKETS, which several may share, so an
// error can only lower the standing; `sum` and `breadth` are those of the buckets. Moves no tokens.

import { Agent, agentIndex, keyOf } from '../ledger/agents';
import { BP } from '../ledger/rates';
import { copy32 } from '../lib/bytes';
import { sha256 } from '../lib/sha256';
import { writeLiteral } from '../lib/text';
import { daySecs } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';

export const STANDING_ROW_BYTES: u32 = 64;
/** Fees are counted in thousandths of a token, rounded down: the base fee of one token. */
export const STANDING_UNIT: u64 = 1000;
export const BUCKETS: u32 = 25;
/** Units of one bucket that count: 50 tokens; and those that count in the breadth: 1 token. */
export const MAX_BUCKET_UNITS: u32 = 50000;
const MAX_BREADTH_UNITS: u32 = 1000;
/** Half of a standing is left after so many days. */
const HALF_DAYS: u64 = 60;
/** Shifts from here on leave nothing of any sum. */
const MAX_HALVINGS: u64 = 32;
/** A token of standing carries so many tokens of trust limit or of vote weight: protocol 6.17 says why. */
const POWER_PER_TOKEN: u64 = 10;

const BUCKET: usize = 14;
// "standing:" and two keys: 73 bytes.
const TEXT: usize = memory.data(80, 8);
const HASH: usize = memory.data(32, 8);

@unmanaged
export class Standing {
  /** Second from which the next halving is counted; 0 while the sum has always been 0. */
  sinceSecs: u64;
  /** Units in all buckets. */
  sum: u32;
  /** Units in all buckets, at most MAX_BREADTH_UNITS of each. */
  breadth: u16;
}

export function standingRow(agent: u32): Standing {
  return changetype<Standing>(root().standings + <usize>agent * STANDING_ROW_BYTES);
}

function rowOf(agent: Agent): Standing {
  return standingRow(agentIndex(agent));
}

export function bucketAt(row: Standing, bucket: u32): usize {
  return changetype<usize>(row) + BUCKET + ((<usize>bucket) << 1);
}

function halfSecs(): u64 {
  return HALF_DAYS * daySecs();
}

function halvings(row: Standing, nowSecs: u64): u64 {
  return nowSecs <= row.sinceSecs ? 0 : min<u64>((nowSecs - row.sinceSecs) / halfSecs(), MAX_HALVINGS);
}

/** The bucket in which a counterparty counts. The hash is keyed by the agent, so nobody collides with everybody. */
export function bucketOfCounterparty(agent: Agent, counterparty: Agent): u32 {
  const keys = writeLiteral(TEXT, 'standing:');
  copy32(keys, keyOf(agent));
  copy32(keys + 32, keyOf(counterparty));
  sha256(TEXT, 73, HASH);
  return <u32>(bswap<u64>(load<u64>(HASH)) % BUCKETS);
}

// Sets both sums from the buckets; `shift` halves these first.
function sumUp(row: Standing, shift: u64): void {
  let sum: u32 = 0;
  let breadth: u32 = 0;
  for (let bucket: u32 = 0; bucket < BUCKETS; bucket++) {
    const at = bucketAt(row, bucket);
    const units = <u32>(<u64>load<u16>(at) >> shift);
    store<u16>(at, <u16>units);
    sum += units;
    breadth += min<u32>(units, MAX_BREADTH_UNITS);
  }
  row.sum = sum;
  row.breadth = <u16>breadth;
}

function markRow(row: Standing): void {
  markBytes(changetype<usize>(row), STANDING_ROW_BYTES);
}

/** Counts what a task completed for a counterparty brought to the treasury, micro-units. The caller touches the agent. */
export function noteFee(agent: Agent, counterparty: Agent, fee: u64, nowSecs: u64): void {
  const units = fee / STANDING_UNIT;
  if (units == 0) return;
  const row = rowOf(agent);
  const shift = halvings(row, nowSecs);
  sumUp(row, shift);
  row.sinceSecs = row.sum == 0 ? nowSecs : row.sinceSecs + shift * halfSecs();
  const at = bucketAt(row, bucketOfCounterparty(agent, counterparty));
  store<u16>(at, <u16>min<u64>(load<u16>(at) + units, MAX_BUCKET_UNITS));
  sumUp(row, 0);
  markRow(row);
}

/** The standing at a time, micro-units. */
export function standingOf(agent: Agent, nowSecs: u64): u64 {
  const row = rowOf(agent);
  return (<u64>row.sum >> halvings(row, nowSecs)) * STANDING_UNIT;
}

/** Second of the next halving, 0 without a standing. */
export function halvesAtSecs(agent: Agent, nowSecs: u64): u64 {
  if (standingOf(agent, nowSecs) == 0) return 0;
  const row = rowOf(agent);
  return row.sinceSecs + (halvings(row, nowSecs) + 1) * halfSecs();
}

/**
 * How far a record is backed, 0..10000 bp: ten counterparties with a token of fees each are enough. As of the last fee:
 * the router reads it, which knows no time.
 */
export function backingBp(agent: Agent): u64 {
  return min<u64>(rowOf(agent).breadth, BP);
}

/** The completions among `completed` that are backed: 100 bp for each. */
export function backedTasks(agent: Agent, completed: u32): u32 {
  return min<u32>(completed, <u32>(backingBp(agent) / 100));
}

/** What reputation may add to a trust limit or a vote weight, micro-units: at most 12,500 tokens. */
export function standingPower(agent: Agent, nowSecs: u64): u64 {
  return standingOf(agent, nowSecs) * POWER_PER_TOKEN;
}

/** Changes the date of a standing from before the start of the clock. */
export function dateStanding(agent: u32, from: u64, to: u64): void {
  const row = standingRow(agent);
  if (row.sinceSecs != from) return;
  row.sinceSecs = to;
  markRow(row);
}

/** True when a row is one that `noteFee` can have written. */
export function isSaneStanding(agent: u32): bool {
  const row = standingRow(agent);
  let sum: u32 = 0;
  let breadth: u32 = 0;
  for (let bucket: u32 = 0; bucket < BUCKETS; bucket++) {
    const units = <u32>load<u16>(bucketAt(row, bucket));
    if (units > MAX_BUCKET_UNITS) return false;
    sum += units;
    breadth += min<u32>(units, MAX_BREADTH_UNITS);
  }
  return row.sum == sum && row.breadth == breadth;
}
