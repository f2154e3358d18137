// Inner functions of the core, exported for tests in addition to the core's exports (test/core/probes.ts).
// Keeps: nothing here is a rule; each probe calls one function of the core as its callers do.

import { minBond } from '../../../assembly/assurance/challenge-opening';
import { slashFor } from '../../../assembly/assurance/challenge-outcomes';
import { compareChecks, verdict } from '../../../assembly/assurance/replay-verdict';
import { jobAt } from '../../../assembly/cases/jobs';
import { isReplayDrawn, ReplayCase, replayRateBp, replayReason } from '../../../assembly/cases/replay-draw';
import { workerOf } from '../../../assembly/credit/workers';
import { setOutputBytes } from '../../../assembly/io/output';
import { agentAt } from '../../../assembly/ledger/agents';
import { balanceOf, baseFee } from '../../../assembly/ledger/money';
import { voterCut } from '../../../assembly/settlement/voter-fees';
import { voteAt } from '../../../assembly/settlement/votes';
import { blockHash, header, poolAddress } from '../../../assembly/state/header';
import { inputAddress } from '../../../assembly/state/root';
import { payAssuranceFee } from '../../../assembly/tasks/assurance-fee';
import { assuranceFee } from '../../../assembly/tasks/lanes';
import { rewardFor } from '../../../assembly/tasks/payout';
import { Task, taskAt } from '../../../assembly/tasks/rows';
import { countVote, noteCanary } from '../../../assembly/validators/calibration';
import { punish } from '../../../assembly/validators/discipline';
import { validatorAt } from '../../../assembly/validators/validators';
import { requiredStakeFor } from '../../../assembly/validators/weight';

export function probe_base_fee(amount: u64): u64 {
  return baseFee(amount);
}

export function probe_voter_cut(fee: u64): u64 {
  return voterCut(fee);
}

export function probe_assurance_fee(lane: u32, budget: u64): u64 {
  return assuranceFee(lane, budget);
}

export function probe_least_bond(budget: u64): u64 {
  return minBond(budget);
}

export function probe_slash(staked: u64, offense: u32): u64 {
  return slashFor(staked, offense);
}

export function probe_reward(volume: u64): u64 {
  return rewardFor(volume);
}

export function probe_required_stake(volume: u64, active: u64, largest: u64): u64 {
  return requiredStakeFor(volume, active, largest);
}

// Votes of a dispute, one by each of that many validators; in buffer: u64 weight, u64 share, for each.
function putVotes(task: Task, votes: u32): void {
  for (let i: u32 = 0; i < votes; i++) {
    const at = inputAddress() + ((<usize>i) << 4);
    const vote = voteAt(i);
    vote.next = i + 1 < votes ? i + 2 : 0;
    vote.voter = <u16>i;
    vote.share = <u8>load<u32>(at, 8);
    vote.value = load<u64>(at);
    validatorAt(i).agent = i;
    agentAt(i).balance = 0;
  }
  task.voteHead = votes == 0 ? 0 : 1;
}

/**
 * Shares a fee of a task on a fresh core among that many votes (see putVotes): the shares are then in the pools, which
 * are emptied first, and in the balances of the voters' agents. Returns the executor's reward.
 */
export function probe_fee_split(fee: u64, hasReplay: bool, reserve: u32, held: u64, votes: u32): u64 {
  for (let pool: u32 = 0; pool < 14; pool++) store<u64>(poolAddress(pool), 0);
  store<u64>(poolAddress(reserve), held);
  header().replayEscrow = 0;
  const task = taskAt(0);
  task.reserve = <u8>reserve;
  task.job = hasReplay ? 1 : 0;
  jobAt(0).reward = 0;
  // The bounds on what one poster draws are shown elsewhere (tasks/reserves.spec.ts).
  const poster = workerOf(task.poster);
  poster.fees = u64.MAX_VALUE;
  poster.drawn = 0;
  putVotes(task, votes);
  const payer = agentAt(votes);
  payer.balance = fee;
  payAssuranceFee(task, balanceOf(payer), fee, 1);
  return header().replayEscrow;
}

export function probe_balance(agent: u32): u64 {
  return agentAt(agent).balance;
}

/** Rate in bp, and the reason times 65536. */
export function probe_replay_rate(
  isOver: bool,
  isEligible: bool,
  hasProbation: bool,
  hasCluster: bool,
  completed: u32,
): u32 {
  header().bootstrapOver = isOver ? 1 : 0;
  const facts = changetype<ReplayCase>(inputAddress());
  facts.isEligible = isEligible;
  facts.hasProbation = hasProbation;
  facts.hasCluster = hasCluster;
  facts.completed = completed;
  return <u32>replayRateBp(facts) | (replayReason(facts) << 16);
}

/** Whether the task whose 16-byte id, followed by the block's hash, is in the in buffer is drawn. */
export function probe_replay_draw(rateBp: u64): bool {
  memory.copy(blockHash(), inputAddress() + 16, 32);
  return isReplayDrawn(inputAddress(), rateBp);
}

/** Verdict on that many checks in the in buffer: outcome, action, severity, mismatches, 16 bits each. */
export function probe_verdict(checks: u32): u64 {
  compareChecks(inputAddress(), checks);
  const v = verdict();
  return <u64>v.outcome | ((<u64>v.action) << 16) | ((<u64>v.severityBp) << 32) | ((<u64>v.mismatches) << 48);
}

/** Votes of a validator on events that a quorum decided. */
export function probe_votes(index: u32, right: u32, wrong: u32): void {
  for (let i: u32 = 0; i < right; i++) countVote(index, 2, true, true);
  for (let i: u32 = 0; i < wrong; i++) countVote(index, 2, false, true);
}

/** Canaries that a validator judged, with that many points each. */
export function probe_canaries(index: u32, count: u32, points: u32, nowSecs: u64): void {
  setOutputBytes(0);
  for (let i: u32 = 0; i < count; i++) noteCanary(index, 2, points, nowSecs);
}

export function probe_punish(index: u32, offense: u32, nowSecs: u64): void {
  setOutputBytes(0);
  punish(index, offense, nowSecs);
}
