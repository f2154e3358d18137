// The payout of a completed task: fees, replay, reward, recognised value, standing, record (protocol 6.2, 6.10, 6.12, 6.13,
// 6.17).
// Keeps: payout + base fee + assurance fee is the whole escrow, every part moves in the same step, and remainders go
// to the treasury. When the escrow is smaller than the fees, the assurance fee is reduced.

import {
  LANE_NONE,
  OUT_TASK_SETTLED_ASSURANCE_FEE,
  OUT_TASK_SETTLED_BASE_FEE,
  OUT_TASK_SETTLED_IS_REPLAYED,
  OUT_TASK_SETTLED_PAYOUT,
  OUT_TASK_SETTLED_REFUND,
  OUT_TASK_SETTLED_REWARD,
  OUT_TASK_SETTLED_TREASURY,
  PAYOUT_PAID,
  POOL_REWARDS,
  POOL_TREASURY,
  RESOLUTION_DISPUTE_QUORUM,
} from '../abi';
import { jobAt } from '../cases/jobs';
import { noteFee } from '../credit/standing';
import { markWorker, noteFees, posterRecordOf, workerOf } from '../credit/workers';
import { eventIdOf } from '../io/system-event';
import { Agent, agentAt, agentIndex } from '../ledger/agents';
import {
  Account,
  balanceOf,
  baseFee,
  beginSplit,
  endSplit,
  escrowOf,
  move,
  poolBalance,
  poolOf,
} from '../ledger/money';
import { TOKEN } from '../ledger/rates';
import { addCapped, mulDiv } from '../lib/u128';
import { extendFingerprint } from '../reputation/fingerprint';
import { recordCompleted } from '../reputation/records';
import { voterCut } from '../settlement/voter-fees';
import { removeVotes } from '../settlement/votes';
import { daySecs, header } from '../state/header';
import { noteAssuredCompleted } from '../validators/assured-window';
import { payAssuranceFee } from './assurance-fee';
import { holdValue, recognizeValue } from './recognition';
import { beginSettled } from './refund';
import { beginReplay, emitReplayCreated } from './replays';
import { deliveryOf, isSubtask, judgingOf, sharedWithWorker, Task, taskAt, touchTask } from './rows';
import { BY_BOTH, BY_DISPUTE, BY_PANEL, judgeWeight, shareAmong } from './shares';

// protocol 6.12: the bootstrap reward.
const REWARD_VOLUME: u64 = 100000 * TOKEN;
const REWARD_DAYS: u64 = 1095;

/** The agent whose funds are in a task's escrow (its `reserved`): the poster; for a subtask, the parent's poster. */
export function escrowOwner(task: Task): Agent {
  return agentAt(isSubtask(task) ? taskAt(task.parent - 1).poster : task.poster);
}

/** The assurance fee, by the worker's share, that the escrow can pay after the base fee. */
export function assurancePart(task: Task, base: u64): u64 {
  return min<u64>(sharedWithWorker(task, task.assuranceFee), task.escrow - base);
}

// protocol 6.2: the base fee; returns the treasury's part.
function payBaseFee(task: Task, from: Account, fee: u64, nowSecs: u64): u64 {
  header().baseFees = addCapped(header().baseFees, fee);
  const who = task.resolution == RESOLUTION_DISPUTE_QUORUM ? BY_DISPUTE : BY_PANEL;
  beginSplit(from, fee);
  shareAmong(task, voterCut(fee), who, nowSecs);
  return endSplit(poolOf(POOL_TREASURY));
}

/** Bootstrap reward after a `volume` of completed assured budgets (protocol 6.12). 25,000 tokens: 750,000. */
export function rewardFor(volume: u64): u64 {
  return mulDiv(TOKEN, REWARD_VOLUME - min<u64>(volume, REWARD_VOLUME), REWARD_VOLUME);
}

// Returns the reward r; the rounding remainder of the verifiers' shares stays in genesis:rewards.
function payReward(task: Task, nowSecs: u64): u64 {
  const h = header();
  if (h.launchSecs != 0 && nowSecs >= h.launchSecs + REWARD_DAYS * daySecs()) return 0;
  if (judgeWeight(task, BY_BOTH, nowSecs) == 0) return 0;
  const reward = min<u64>(rewardFor(h.assuredVolume), poolBalance(POOL_REWARDS));
  beginSplit(poolOf(POOL_REWARDS), reward);
  shareAmong(task, reward, BY_BOTH, nowSecs);
  endSplit(poolOf(POOL_REWARDS));
  return reward;
}

/** Extra amounts of an assured task, reported in task_settled. */
@unmanaged
class Assured {
  /** Bootstrap reward, and the treasury's part of the assurance fee. */
  reward: u64;
  treasury: u64;
}
const ASSURED: usize = memory.data(16, 8);

// Replay, fee, reward, and value of an assured task; the replay is drawn first, since the fee shares depend on it.
function payAssured(task: Task, from: Account, fee: u64, nowSecs: u64): void {
  const assured = changetype<Assured>(ASSURED);
  beginReplay(task, nowSecs);
  assured.treasury = payAssuranceFee(task, from, fee, nowSecs);
  assured.reward = payReward(task, nowSecs);
  noteAssuredCompleted(sharedWithWorker(task, task.budget));
  if (task.job != 0) holdValue(task);
  else recognizeValue(task, nowSecs);
}

function dropVotes(task: Task): void {
  removeVotes(task.voteHead);
  task.voteHead = 0;
}

/** Pays a completed task, whose escrow is still whole, and emits task_settled, then replay_created. */
export function payTask(task: Task, nowSecs: u64): void {
  const worker = agentAt(task.claimer - 1);
  const isAssured = task.lane != LANE_NONE;
  const base = baseFee(task.escrow);
  const assurance = assurancePart(task, base);
  const payout = task.escrow - base - assurance;
  const escrow = escrowOf(escrowOwner(task));
  move(escrow, balanceOf(worker), payout);
  const baseTreasury = payBaseFee(task, escrow, base, nowSecs);
  task.escrow = 0;
  task.payout = <u8>PAYOUT_PAID;
  task.paid = payout;
  task.baseFee = base;
  deliveryOf(task).assurancePaid = assurance;
  memory.fill(ASSURED, 0, offsetof<Assured>());
  // The judges of an assured task may be challenged, so their votes stay with it.
  if (isAssured) payAssured(task, escrow, assurance, nowSecs);
  else dropVotes(task);
  touchTask(task);
  const treasury = baseTreasury + changetype<Assured>(ASSURED).treasury;
  noteFees(task.claimer - 1, treasury);
  posterRecordOf(task.poster).paid++;
  markWorker(workerOf(task.poster));
  noteFees(agentIndex(escrowOwner(task)), treasury);

  const record = beginSettled(task);
  store<u64>(record, payout, OUT_TASK_SETTLED_PAYOUT);
  store<u64>(record, judgingOf(task).refunded, OUT_TASK_SETTLED_REFUND);
  store<u64>(record, base, OUT_TASK_SETTLED_BASE_FEE);
  store<u64>(record, assurance, OUT_TASK_SETTLED_ASSURANCE_FEE);
  store<u64>(record, changetype<Assured>(ASSURED).reward, OUT_TASK_SETTLED_REWARD);
  store<u64>(record, treasury, OUT_TASK_SETTLED_TREASURY);
  store<u32>(record, task.job != 0 ? 1 : 0, OUT_TASK_SETTLED_IS_REPLAYED);
  noteFee(worker, agentAt(task.poster), treasury, nowSecs);
  const delivery = deliveryOf(task).submittedSecs - task.claimedSecs;
  const score = sharedWithWorker(task, task.overallBp);
  recordCompleted(worker, task.category, payout, score, delivery, nowSecs);
  extendFingerprint(worker, eventIdOf(record), task.category, true, payout, score);
  if (task.job != 0) emitReplayCreated(jobAt(task.job - 1));
}
