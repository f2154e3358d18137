// Reputation records: an agent's decided work in one category, chained in order of category index.
// Keeps: one record for each agent and category, never freed. The first rows of the table are the agents' own, by their
// index, for transfers; the others are made by the first decision in a category. A decision is never refused for want of a
// row: it then counts for the agent's totals only (protocol 6.10, 6.18).

import { CATEGORY_TRANSFER } from '../abi';
import { Agent, agentIndex, touchAgent } from '../ledger/agents';
import { payFee, rowPrice } from '../ledger/row-price';
import { addCapped } from '../lib/u128';
import { AGENTS, capacity, header, RECORDS } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';

export const RECORD_ROW_BYTES: u32 = 48;

@unmanaged
export class ReputationRecord {
  category: u32;
  /** Next record of the agent, row + 1. */
  next: u32;
  completed: u32;
  failed: u32;
  /** Time of the last completion, or of the first failure while there is none; seconds. */
  lastActiveSecs: u64;
  /** Capped for display. */
  earned: u64;
  /** Sums over completed work, for the averages. */
  scoreBpSum: u64;
  deliverySecsSum: u64;
}

export function recordAt(row: u32): ReputationRecord {
  return changetype<ReputationRecord>(root().records + <usize>row * RECORD_ROW_BYTES);
}

/** The agent's own row: its record of transfers, and the head of its chain. It came with the agent. */
export function ownRecord(agent: Agent): ReputationRecord {
  return recordAt(agentIndex(agent));
}

/** The agent's record in a category as row + 1, or 0. */
export function findRecord(agent: Agent, category: u32): u32 {
  for (let link = agentIndex(agent) + 1; link != 0; link = recordAt(link - 1).next) {
    if (recordAt(link - 1).category == category) return link;
    if (recordAt(link - 1).category > category) return 0;
  }
  return 0;
}

// Adds an empty record to the agent's chain. It is not the first of the chain, which is the agent's own row.
function addRecord(agent: Agent, category: u32): u32 {
  const row = capacity(AGENTS) + header().recordCount++;
  const record = recordAt(row);
  let before = ownRecord(agent);
  while (before.next != 0 && recordAt(before.next - 1).category < category)
    before = recordAt(before.next - 1);
  record.category = category;
  record.next = before.next;
  before.next = row + 1;
  markBytes(changetype<usize>(record), RECORD_ROW_BYTES);
  markBytes(changetype<usize>(before), RECORD_ROW_BYTES);
  return row + 1;
}

/**
 * The agent's record in a category as row + 1, made if it is new; 0 when the table is full or the agent cannot pay for the
 * row. The first record beside that of transfers costs nothing, so that a newcomer's first work counts. protocol 6.18.
 */
export function makeRecord(agent: Agent, category: u32): u32 {
  const known = findRecord(agent, category);
  if (known != 0) return known;
  if (header().recordCount >= capacity(RECORDS)) return 0;
  if (ownRecord(agent).next != 0) {
    const fee = rowPrice(RECORDS, header().recordCount);
    if (agent.balance < fee) return 0;
    payFee(agent, fee);
  }
  return addRecord(agent, category);
}

/**
 * Work completed: `value` in micro-units, `scoreBp` 0..10000, seconds from claim to delivery. Also updates the agent's
 * last activity and, except for `transfer`, its totals (protocol 6.8, 6.10).
 */
export function recordCompleted(
  agent: Agent,
  category: u32,
  value: u64,
  scoreBp: u64,
  deliverySecs: u64,
  nowSecs: u64,
): void {
  const link = makeRecord(agent, category);
  if (link != 0) {
    const record = recordAt(link - 1);
    record.completed++;
    record.earned = addCapped(record.earned, value);
    record.scoreBpSum += scoreBp;
    record.deliverySecsSum += deliverySecs;
    record.lastActiveSecs = nowSecs;
    markBytes(changetype<usize>(record), RECORD_ROW_BYTES);
  }
  if (category != CATEGORY_TRANSFER) agent.completed++;
  agent.lastActiveSecs = nowSecs;
  touchAgent(agent);
}

/** Work failed. This is not activity in the sense of protocol 6.8, so the record continues to decay. */
export function recordFailed(agent: Agent, category: u32, nowSecs: u64): void {
  const link = makeRecord(agent, category);
  if (link != 0) {
    const record = recordAt(link - 1);
    record.failed++;
    if (record.lastActiveSecs == 0) record.lastActiveSecs = nowSecs;
    markBytes(changetype<usize>(record), RECORD_ROW_BYTES);
  }
  if (category != CATEGORY_TRANSFER) agent.failed++;
  touchAgent(agent);
}

/** Value earned over all categories except `transfer`, capped for display. */
export function totalEarned(agent: Agent): u64 {
  let sum: u64 = 0;
  for (let link = ownRecord(agent).next; link != 0; link = recordAt(link - 1).next) {
    sum = addCapped(sum, recordAt(link - 1).earned);
  }
  return sum;
}
