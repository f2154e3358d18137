// Answers about agents: look-up, profile, reputation records.
// Keeps: read only; what depends on time uses the T of the last executed block.

import {
  AGENT_BACKING_BP,
  AGENT_BALANCE,
  AGENT_BYTES,
  AGENT_COMPLETED,
  AGENT_DAYS_STAKED,
  AGENT_DISPUTES,
  AGENT_DISPUTES_LOST,
  AGENT_DISPUTES_WON,
  AGENT_EARNED,
  AGENT_EFFECTIVE_TASKS,
  AGENT_EXPOSURE,
  AGENT_FAILED,
  AGENT_FAUCET_AT,
  AGENT_FINGERPRINT,
  AGENT_FINGERPRINT_VERSION,
  AGENT_FIRST_SEEN,
  AGENT_GENERATED,
  AGENT_KEY,
  AGENT_LAST_ACTIVE,
  AGENT_MULTIPLIER,
  AGENT_PUBLIC_KEY,
  AGENT_REPUTATION_BP,
  AGENT_RESERVED,
  AGENT_STAKED,
  AGENT_STAKED_SINCE,
  AGENT_STANDING,
  AGENT_STANDING_HALVES,
  AGENT_TASKS_PAID,
  AGENT_TRANSFERRED,
  AGENT_TRUST_LIMIT,
  AGENT_VALIDATOR,
  RECORD_AVG_DELIVERY_SECS,
  RECORD_AVG_SCORE_BP,
  RECORD_BYTES,
  RECORD_CATEGORY,
  RECORD_COMPLETED,
  RECORD_EARNED,
  RECORD_FAILED,
  RECORD_LAST_ACTIVE,
  RECORD_RATE_BP,
  RECORD_SCORE_BP,
} from '../abi';
import { backingBp, halvesAtSecs, standingOf } from '../credit/standing';
import { daysStaked, effectiveTasks, trustLimit, trustMultiplier } from '../credit/trust';
import { PosterRecord, posterRecordOf } from '../credit/workers';
import { Agent, agentAt, findAgent, fingerprintOf, keyOf, publicKeyOf } from '../ledger/agents';
import { copy32 } from '../lib/bytes';
import { ReputationRecord, recordAt, totalEarned } from '../reputation/records';
import { completionRateBp, recordScoreBp, reputationBp } from '../reputation/score';
import { header, nowSecs } from '../state/header';
import { root } from '../state/root';

/** QUERY_AGENT_FIND; the argument is the address of a key. */
export function answerAgentIndex(key: usize): i32 {
  const index = findAgent(key);
  if (index < 0) return -1;
  store<u64>(root().output, <u64>index);
  return 8;
}

function putAmounts(out: usize, agent: Agent, secs: u64): void {
  store<u64>(out, agent.balance, AGENT_BALANCE);
  store<u64>(out, agent.staked, AGENT_STAKED);
  store<u64>(out, agent.reserved, AGENT_RESERVED);
  store<u64>(out, agent.exposure, AGENT_EXPOSURE);
  store<u64>(out, trustLimit(agent, secs), AGENT_TRUST_LIMIT);
  store<u64>(out, agent.stakedSinceSecs, AGENT_STAKED_SINCE);
  store<u64>(out, agent.firstSeenSecs, AGENT_FIRST_SEEN);
  store<u64>(out, agent.lastActiveSecs, AGENT_LAST_ACTIVE);
  store<u64>(out, agent.generated, AGENT_GENERATED);
  store<u64>(out, agent.transferred, AGENT_TRANSFERRED);
  store<u64>(out, totalEarned(agent), AGENT_EARNED);
  store<u64>(out, agent.faucetAtSecs, AGENT_FAUCET_AT);
}

function putPosterRecord(out: usize, record: PosterRecord): void {
  store<u32>(out, record.paid, AGENT_TASKS_PAID);
  store<u32>(out, record.disputes, AGENT_DISPUTES);
  store<u32>(out, record.won, AGENT_DISPUTES_WON);
  store<u32>(out, record.lost, AGENT_DISPUTES_LOST);
}

/** QUERY_AGENT: fields AGENT_* of abi.ts. */
export function answerAgent(index: u32): i32 {
  if (index >= header().agentCount) return -1;
  const agent = agentAt(index);
  const secs = nowSecs();
  const out = root().output;
  copy32(out + AGENT_KEY, keyOf(agent));
  copy32(out + AGENT_PUBLIC_KEY, publicKeyOf(agent));
  copy32(out + AGENT_FINGERPRINT, fingerprintOf(agent));
  putAmounts(out, agent, secs);
  store<u32>(out, agent.completed, AGENT_COMPLETED);
  store<u32>(out, agent.failed, AGENT_FAILED);
  store<u32>(out, agent.fingerprintSteps, AGENT_FINGERPRINT_VERSION);
  store<u32>(out, <u32>reputationBp(agent, secs), AGENT_REPUTATION_BP);
  store<u32>(out, <u32>trustMultiplier(agent, secs), AGENT_MULTIPLIER);
  store<u32>(out, <u32>effectiveTasks(agent, secs), AGENT_EFFECTIVE_TASKS);
  store<u32>(out, <u32>min<u64>(daysStaked(agent, secs), u32.MAX_VALUE), AGENT_DAYS_STAKED);
  store<u32>(out, agent.validator, AGENT_VALIDATOR);
  store<u64>(out, standingOf(agent, secs), AGENT_STANDING);
  store<u64>(out, halvesAtSecs(agent, secs), AGENT_STANDING_HALVES);
  store<u64>(out, backingBp(agent), AGENT_BACKING_BP);
  putPosterRecord(out, posterRecordOf(index));
  return AGENT_BYTES;
}

function putRecord(at: usize, record: ReputationRecord, secs: u64): void {
  const completed = max<u64>(record.completed, 1);
  store<u32>(at, record.category, RECORD_CATEGORY);
  store<u32>(at, record.completed, RECORD_COMPLETED);
  store<u32>(at, record.failed, RECORD_FAILED);
  store<u32>(at, <u32>min<u64>(record.lastActiveSecs, u32.MAX_VALUE), RECORD_LAST_ACTIVE);
  store<u64>(at, record.earned, RECORD_EARNED);
  store<u32>(at, <u32>(record.scoreBpSum / completed), RECORD_AVG_SCORE_BP);
  store<u32>(at, <u32>min<u64>(record.deliverySecsSum / completed, u32.MAX_VALUE), RECORD_AVG_DELIVERY_SECS);
  store<u32>(at, <u32>completionRateBp(record.completed, record.failed), RECORD_RATE_BP);
  store<u32>(at, <u32>recordScoreBp(record, secs), RECORD_SCORE_BP);
}

/** QUERY_RECORDS: records with something in them; an agent that sent nothing has none of transfers. */
export function answerRecords(index: u32): i32 {
  if (index >= header().agentCount) return -1;
  const out = root().output;
  let at = out;
  for (let link = index + 1; link != 0; ) {
    const record = recordAt(link - 1);
    link = record.next;
    if (record.completed == 0 && record.failed == 0) continue;
    putRecord(at, record, nowSecs());
    at += RECORD_BYTES;
  }
  return <i32>(at - out);
}
