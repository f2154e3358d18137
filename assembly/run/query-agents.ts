// Answers about agents: look-up, profile, reputation records.
// Keeps: read only; what depends on time uses the T of the last executed block.

import { AGENT_BYTES, RECORD_BYTES } from '../abi';
import { daysStaked, effectiveTasks, trustLimit, trustMultiplier } from '../credit/trust';
import { Agent, agentAt, findAgent, fingerprintOf, keyOf, publicKeyOf } from '../ledger/agents';
import { copy32 } from '../lib/bytes';
import { fingerprintVersion, ReputationRecord, recordAt, totalEarned } from '../reputation/records';
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
  store<u64>(out, agent.balance, 96);
  store<u64>(out, agent.staked, 104);
  store<u64>(out, agent.reserved, 112);
  store<u64>(out, agent.exposure, 120);
  store<u64>(out, trustLimit(agent, secs), 128);
  store<u64>(out, agent.stakedSinceSecs, 136);
  store<u64>(out, agent.firstSeenSecs, 144);
  store<u64>(out, agent.lastActiveSecs, 152);
  store<u64>(out, agent.generated, 160);
  store<u64>(out, agent.transferred, 168);
  store<u64>(out, totalEarned(agent), 176);
  store<u64>(out, agent.faucetAtSecs, 184);
}

/** QUERY_AGENT: fields AGENT_* of abi.ts. */
export function answerAgent(index: u32): i32 {
  if (index >= header().agentCount) return -1;
  const agent = agentAt(index);
  const secs = nowSecs();
  const out = root().output;
  copy32(out, keyOf(agent));
  copy32(out + 32, publicKeyOf(agent));
  copy32(out + 64, fingerprintOf(agent));
  putAmounts(out, agent, secs);
  store<u32>(out, agent.completed, 192);
  store<u32>(out, agent.failed, 196);
  store<u32>(out, fingerprintVersion(agent), 200);
  store<u32>(out, <u32>reputationBp(agent, secs), 204);
  store<u32>(out, <u32>trustMultiplier(agent, secs), 208);
  store<u32>(out, <u32>effectiveTasks(agent, secs), 212);
  store<u32>(out, <u32>min<u64>(daysStaked(agent, secs), u32.MAX_VALUE), 216);
  store<u32>(out, agent.validator, 220);
  return AGENT_BYTES;
}

function putRecord(at: usize, record: ReputationRecord, secs: u64): void {
  const completed = max<u64>(record.completed, 1);
  store<u32>(at, record.category);
  store<u32>(at, record.completed, 4);
  store<u32>(at, record.failed, 8);
  store<u32>(at, <u32>min<u64>(record.lastActiveSecs, u32.MAX_VALUE), 12);
  store<u64>(at, record.earned, 16);
  store<u32>(at, <u32>(record.scoreBpSum / completed), 24);
  store<u32>(at, <u32>min<u64>(record.deliverySecsSum / completed, u32.MAX_VALUE), 28);
  store<u32>(at, <u32>completionRateBp(record.completed, record.failed), 32);
  store<u32>(at, <u32>recordScoreBp(record, secs), 36);
}

/** QUERY_RECORDS: records with something in them; one that is only reserved is left out. */
export function answerRecords(index: u32): i32 {
  if (index >= header().agentCount) return -1;
  const out = root().output;
  let at = out;
  for (let link = agentAt(index).recordHead; link != 0; ) {
    const record = recordAt(link - 1);
    link = record.next;
    if (record.completed == 0 && record.failed == 0) continue;
    putRecord(at, record, nowSecs());
    at += RECORD_BYTES;
  }
  return <i32>(at - out);
}
