// Reputation records: an agent's settled work in one category, chained from the agent's row.
// Keeps: one record for each agent and category, in order of category index, never freed. A record is
// reserved when the work begins, so that a settlement, which nobody can refuse, always finds its row.

import { CATEGORY_TRANSFER } from '../abi';
import { Agent, touchAgent } from '../ledger/agents';
import { addCapped } from '../lib/u128';
import { capacity, header, RECORDS } from '../state/header';
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

/** The agent's record in a category as row + 1, or 0. */
export function findRecord(agent: Agent, category: u32): u32 {
  let link = agent.recordHead;
  while (link != 0) {
    const record = recordAt(link - 1);
    if (record.category == category) return link;
    if (record.category > category) return 0;
    link = record.next;
  }
  return 0;
}

/** True when the record exists or there is room for it. */
export function hasRecordRow(agent: Agent, category: u32): bool {
  return header().recordCount < capacity(RECORDS) || findRecord(agent, category) != 0;
}

/** Makes sure that the record exists, empty if it is new. The caller has checked hasRecordRow. */
export function reserveRecord(agent: Agent, category: u32): void {
  if (findRecord(agent, category) != 0) return;
  const row = header().recordCount++;
  const record = recordAt(row);
  record.category = category;
  let before: u32 = 0;
  let link = agent.recordHead;
  while (link != 0 && recordAt(link - 1).category < category) {
    before = link;
    link = recordAt(link - 1).next;
  }
  record.next = link;
  markBytes(changetype<usize>(record), RECORD_ROW_BYTES);
  if (before == 0) {
    agent.recordHead = row + 1;
    touchAgent(agent);
  } else {
    recordAt(before - 1).next = row + 1;
    markBytes(changetype<usize>(recordAt(before - 1)), RECORD_ROW_BYTES);
  }
}

function reserved(agent: Agent, category: u32): ReputationRecord {
  const link = findRecord(agent, category);
  assert(link != 0, 'a reputation record was not reserved');
  return recordAt(link - 1);
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
  const record = reserved(agent, category);
  record.completed++;
  record.earned = addCapped(record.earned, value);
  record.scoreBpSum += scoreBp;
  record.deliverySecsSum += deliverySecs;
  record.lastActiveSecs = nowSecs;
  markBytes(changetype<usize>(record), RECORD_ROW_BYTES);
  if (category != CATEGORY_TRANSFER) agent.completed++;
  agent.lastActiveSecs = nowSecs;
  touchAgent(agent);
}

/** Work failed. This is not activity in the sense of protocol 6.8, so the record continues to decay. */
export function recordFailed(agent: Agent, category: u32, nowSecs: u64): void {
  const record = reserved(agent, category);
  record.failed++;
  if (record.lastActiveSecs == 0) record.lastActiveSecs = nowSecs;
  markBytes(changetype<usize>(record), RECORD_ROW_BYTES);
  if (category != CATEGORY_TRANSFER) agent.failed++;
  touchAgent(agent);
}

/** Steps of the agent's fingerprint so far: one for each completion and failure in any category (protocol 6.15). */
export function fingerprintVersion(agent: Agent): u32 {
  let sum: u32 = 0;
  for (let link = agent.recordHead; link != 0; ) {
    const record = recordAt(link - 1);
    sum += record.completed + record.failed;
    link = record.next;
  }
  return sum;
}

/** Value earned over all categories except `transfer`, capped for display. */
export function totalEarned(agent: Agent): u64 {
  let sum: u64 = 0;
  for (let link = agent.recordHead; link != 0; ) {
    const record = recordAt(link - 1);
    if (record.category != <u32>CATEGORY_TRANSFER) sum = addCapped(sum, record.earned);
    link = record.next;
  }
  return sum;
}
