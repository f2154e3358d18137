// The payout of a completed task: fees, replay, reward, recognised value, record (DECISIONS 6.2, 6.10, 6.12, 6.13).
// Keeps: payout + base fee + assurance fee is what was in escrow, every part is credited in the same step, and
// remainders are the treasury's. When the escrow is smaller than the fees, the assurance fee falls short.

import {
  LANE_NONE,
  OUT_TASK_SETTLED_ASSURANCE_FEE,
  OUT_TASK_SETTLED_BASE_FEE,
  OUT_TASK_SETTLED_IS_REPLAYED,
  OUT_TASK_SETTLED_PAYOUT,
  OUT_TASK_SETTLED_REWARD,
  OUT_TASK_SETTLED_TREASURY,
  PAYOUT_PAID,
  POOL_REWARDS,
  POOL_TREASURY,
  RESOLUTION_DISPUTE_QUORUM,
} from '../abi';
import { jobAt } from '../cases/jobs';
import { eventIdOf } from '../io/system-event';
import { Agent, agentAt } from '../ledger/agents';
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
import { beginReplay, tellAttempt } from './replays';
import { deliveryOf, isSubtask, Task, taskAt, touchTask } from './rows';
import { BY_BOTH, BY_DISPUTE, BY_PANEL, judgeWeight, shareAmong } from './shares';

// 6.12
const REWARD_VOLUME: u64 = 100000 * TOKEN;
const REWARD_DAYS: u64 = 1095;

/** Agent whose funds a task's escrow is, shown as its `reserved`: the poster, of a subtask the parent's. */
export function escrowOwner(task: Task): Agent {
  return agentAt(isSubtask(task) ? taskAt(task.parent - 1).poster : task.poster);
}

/** Part of the escrow that the assurance fee takes, after the base fee. */
export function assurancePart(task: Task, base: u64): u64 {
  return min<u64>(task.assuranceFee, task.escrow - base);
}

// 6.2; returns the treasury's part.
function payBaseFee(task: Task, from: Account, fee: u64, nowSecs: u64): u64 {
  header().baseFees = addCapped(header().baseFees, fee);
  const who = task.resolution == RESOLUTION_DISPUTE_QUORUM ? BY_DISPUTE : BY_PANEL;
  beginSplit(from, fee);
  shareAmong(task, voterCut(fee), who, nowSecs);
  return endSplit(poolOf(POOL_TREASURY));
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
  beginSplit(poolOf(POOL_REWARDS), reward);
  shareAmong(task, reward, BY_BOTH, nowSecs);
  endSplit(poolOf(POOL_REWARDS));
  return reward;
}

/** What an assured task brings about besides. */
@unmanaged
class Assured {
  /** Bootstrap reward, and the treasury's part of the assurance fee. */
  reward: u64;
  treasury: u64;
}
const ASSURED: usize = memory.data(16, 8);

// Replay, fee, reward, and value of an assured task; the draw comes first, since the fee is shared by it.
function payAssured(task: Task, from: Account, fee: u64, nowSecs: u64): void {
  const assured = changetype<Assured>(ASSURED);
  beginReplay(task, nowSecs);
  assured.treasury = payAssuranceFee(task, from, fee, nowSecs);
  assured.reward = payReward(task, nowSecs);
  noteAssuredCompleted(task.budget);
  if (task.job != 0) holdValue(task);
  else recognizeValue(task, nowSecs);
}

function dropVotes(task: Task): void {
  removeVotes(task.voteHead);
  task.voteHead = 0;
}

/** Pays a completed task whose escrow is still whole, and tells it as task_settled, then its replay. */
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
  // Those who judged an assured task may be called to account, so their votes stay with it.
  if (isAssured) payAssured(task, escrow, assurance, nowSecs);
  else dropVotes(task);
  touchTask(task);

  const record = beginSettled(task);
  store<u64>(record, payout, OUT_TASK_SETTLED_PAYOUT);
  store<u64>(record, base, OUT_TASK_SETTLED_BASE_FEE);
  store<u64>(record, assurance, OUT_TASK_SETTLED_ASSURANCE_FEE);
  store<u64>(record, changetype<Assured>(ASSURED).reward, OUT_TASK_SETTLED_REWARD);
  store<u64>(record, baseTreasury + changetype<Assured>(ASSURED).treasury, OUT_TASK_SETTLED_TREASURY);
  store<u32>(record, task.job != 0 ? 1 : 0, OUT_TASK_SETTLED_IS_REPLAYED);
  const delivery = deliveryOf(task).submittedSecs - task.claimedSecs;
  recordCompleted(worker, task.category, payout, task.overallBp, delivery, nowSecs);
  extendFingerprint(worker, eventIdOf(record), task.category, true, payout, task.overallBp);
  if (task.job != 0) tellAttempt(jobAt(task.job - 1));
}
