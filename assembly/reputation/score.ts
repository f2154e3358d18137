// Scores in basis points from counts of completed and failed work.
// Keeps: pure functions, integers only, every division floored (protocol 6.10).

import { decayedTasks, wholeDays } from '../credit/trust';
import { Agent } from '../ledger/agents';
import { BP } from '../ledger/rates';
import { ReputationRecord } from './records';

const VOLUME_CAP: u64 = 100;

/** Completed share in bp, 0 when nothing is recorded. */
export function completionRateBp(completed: u32, failed: u32): u64 {
  const all = <u64>completed + <u64>failed;
  return all == 0 ? 0 : (<u64>completed * BP) / all;
}

/** score_bp of protocol 6.10: completion rate times volume; the volume decays with idle days. */
export function scoreBp(completed: u32, failed: u32, idleDays: u64): u64 {
  const all = <u64>completed + <u64>failed;
  if (all == 0) return 0;
  const volume = min<u64>(decayedTasks(completed, idleDays), VOLUME_CAP);
  return (<u64>completed * volume * 100) / all;
}

/** An agent's reputation_score, 0..10000. */
export function reputationBp(agent: Agent, nowSecs: u64): u64 {
  if (agent.completed == 0) return 0;
  return scoreBp(agent.completed, agent.failed, wholeDays(agent.lastActiveSecs, nowSecs));
}

/** Score of one category, 0..10000. */
export function recordScoreBp(record: ReputationRecord, nowSecs: u64): u64 {
  if (record.completed == 0) return 0;
  return scoreBp(record.completed, record.failed, wholeDays(record.lastActiveSecs, nowSecs));
}
