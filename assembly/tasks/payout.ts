// The payout of a completed task: fees, reward, recognised value, record (DECISIONS 6.2, 6.4, 6.10, 6.12, 6.13).
// Keeps: payout + base fee + assurance fee is what was in escrow, every part is credited in the same step, and
// remainders are the treasury's. When the escrow is smaller than the fees, the assurance fee falls short.

import {
  GENERATION_RECOGNIZED,
  LANE_NONE,
  PAYOUT_PAID,
  POOL_CANARY,
  POOL_DISPUTE,
  POOL_REWARDS,
  POOL_TREASURY,
  RESOLUTION_DISPUTE_QUORUM,
  TASK_GENERATION_ELIGIBLE,
} from '../abi';
import { eventIdOf } from '../io/system-event';
import { Agent, agentAt, touchAgent } from '../ledger/agents';
import { baseFee, creditBalance, creditPool, debitPool, poolBalance, releaseEscrow } from '../ledger/money';
import { BP, TOKEN } from '../ledger/rates';
import { addCapped, mulDiv } from '../lib/u128';
import { extendFingerprint } from '../reputation/fingerprint';
import { recordGenerated } from '../reputation/generated';
import { recordCompleted } from '../reputation/records';
import { voterCut } from '../settlement/voter-fees';
import { removeVotes } from '../settlement/votes';
import { daySecs, header } from '../state/header';
import { noteAssuredCompleted } from '../validators/assured-window';
import { beginSettled } from './refund';
import { deliveryOf, isSubtask, Task, taskAt } from './rows';
import { BY_BOTH, BY_DISPUTE, BY_PANEL, judgeWeight, shareAmong } from './shares';
import { touchTask } from './touched';

// 6.4, without replay.
const VERIFIERS_BP: u64 = 6000;
const RESERVE_BP: u64 = 2500;
const PROTOCOL_BP: u64 = 1500;
const DISPUTE_BP: u64 = 2000;
const CANARY_BP: u64 = 1300;
// 6.12
const REWARD_VOLUME: u64 = 100000 * TOKEN;
const REWARD_DAYS: u64 = 1095;

/**
 * Whether the completion of an assured task is re-executed. A replay needs an executor, and no validator offers to
 * be one yet: "without any other candidate there is no replay" (DECISIONS 6.9, no-replay split).
 */
export function replayDrawn(_task: Task): bool {
  return false;
}

/** Agent whose funds a task's escrow is, shown as its `reserved`: the poster, of a subtask the parent's. */
export function escrowOwner(task: Task): Agent {
  return agentAt(isSubtask(task) ? taskAt(task.parent - 1).poster : task.poster);
}

/** Part of the escrow that the assurance fee takes, after the base fee. */
export function assurancePart(task: Task, base: u64): u64 {
  return min<u64>(task.assuranceFee, task.escrow - base);
}

// 6.2; returns the treasury's part.
function payBaseFee(task: Task, fee: u64, nowSecs: u64): u64 {
  header().baseFees = addCapped(header().baseFees, fee);
  const who = task.resolution == RESOLUTION_DISPUTE_QUORUM ? BY_DISPUTE : BY_PANEL;
  const rest = fee - shareAmong(task, voterCut(fee), who, nowSecs);
  creditPool(POOL_TREASURY, rest);
  return rest;
}

// 6.4; returns the treasury's part.
function payAssuranceFee(task: Task, fee: u64, nowSecs: u64): u64 {
  header().assuranceFees = addCapped(header().assuranceFees, fee);
  const verifiers = shareAmong(task, mulDiv(fee, VERIFIERS_BP, BP), BY_BOTH, nowSecs);
  const reserve = mulDiv(fee, RESERVE_BP, BP);
  const protocol = mulDiv(fee, PROTOCOL_BP, BP);
  const dispute = mulDiv(protocol, DISPUTE_BP, BP);
  const canary = mulDiv(protocol, CANARY_BP, BP);
  creditPool(task.reserve, reserve);
  creditPool(POOL_DISPUTE, dispute);
  creditPool(POOL_CANARY, canary);
  const rest = fee - verifiers - reserve - dispute - canary;
  creditPool(POOL_TREASURY, rest);
  return rest;
}

/** Bootstrap reward for `volume` of assured budgets completed before (6.12). 25,000 tokens: 750,000. */
export function rewardFor(volume: u64): u64 {
  return mulDiv(TOKEN, REWARD_VOLUME - min<u64>(volume, REWARD_VOLUME), REWARD_VOLUME);
}

// Returns the reward r; what flooring the verifiers' shares of it leaves stays in genesis:rewards.
function payReward(task: Task, nowSecs: u64): u64 {
  const h = header();
  if (h.launchSecs != 0 && nowSecs >= h.launchSecs + REWARD_DAYS * daySecs()) return 0;
  if (judgeWeight(task, BY_BOTH, nowSecs) == 0) return 0;
  const reward = min<u64>(rewardFor(h.assuredVolume), poolBalance(POOL_REWARDS));
  debitPool(POOL_REWARDS, shareAmong(task, reward, BY_BOTH, nowSecs));
  return reward;
}

// 6.13
function recognizeValue(task: Task, worker: Agent): void {
  if ((task.flags & TASK_GENERATION_ELIGIBLE) == 0) return;
  const value = mulDiv(task.budget, task.overallBp, BP);
  worker.generated = addCapped(worker.generated, value);
  touchAgent(worker);
  recordGenerated(value);
  task.generation = <u8>GENERATION_RECOGNIZED;
}

/** Pays a completed task whose escrow is still whole, and tells it as task_settled. */
export function payTask(task: Task, nowSecs: u64): void {
  const worker = agentAt(task.claimer - 1);
  const base = baseFee(task.escrow);
  const assurance = assurancePart(task, base);
  const payout = task.escrow - base - assurance;
  releaseEscrow(escrowOwner(task), task.escrow);
  task.escrow = 0;
  task.payout = <u8>PAYOUT_PAID;
  task.paid = payout;
  task.baseFee = base;
  creditBalance(worker, payout);
  let treasury = payBaseFee(task, base, nowSecs);
  let reward: u64 = 0;
  if (task.lane != LANE_NONE) {
    treasury += payAssuranceFee(task, assurance, nowSecs);
    reward = payReward(task, nowSecs);
    noteAssuredCompleted(task.budget);
    recognizeValue(task, worker);
  }
  removeVotes(task.voteHead);
  task.voteHead = 0;
  touchTask(task);

  const record = beginSettled(task);
  store<u64>(record, payout, 88);
  store<u64>(record, base, 104);
  store<u64>(record, assurance, 112);
  store<u64>(record, reward, 120);
  store<u64>(record, treasury, 128);
  store<u32>(record, task.lane != LANE_NONE && replayDrawn(task) ? 1 : 0, 136);
  const delivery = deliveryOf(task).submittedSecs - task.claimedSecs;
  recordCompleted(worker, task.category, payout, task.overallBp, delivery, nowSecs);
  extendFingerprint(worker, eventIdOf(record), task.category, true, payout, task.overallBp);
}
