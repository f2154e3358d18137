// Who voted for the completion of a task, and the share of each in an amount, by weight.
// Keeps: nobody gets two shares; shares are floored and never exceed the amount (protocol 6.2, 6.4). Votes on
// the dispute have the weights of its decision, those of the panel current weights.

import { balanceOf, payPart } from '../ledger/money';
import { mulDiv } from '../lib/u128';
import { isApproval, voteAt, voterOf } from '../settlement/votes';
import { operatorOf, validatorAt } from '../validators/validators';
import { allJudge, voteWeight } from '../validators/weight';
import { deliveryOf, panelMember, Task } from './rows';

/** Those who voted for completion in the dispute, on the panel, or in either. */
export const BY_DISPUTE: u32 = 1;
export const BY_PANEL: u32 = 2;
export const BY_BOTH: u32 = 3;

function approvedInDispute(task: Task, validator: u32): bool {
  for (let link = task.voteHead; link != 0; link = voteAt(link - 1).next) {
    const vote = voteAt(link - 1);
    if (voterOf(vote) == validator && isApproval(vote) && vote.value != 0) return true;
  }
  return false;
}

// Weight of a panel member's approval, 0 when there is none or it is counted with the dispute.
function panelWeight(task: Task, position: u32, who: u32, nowSecs: u64): u64 {
  const delivery = deliveryOf(task);
  if (((delivery.panelApproved >> <u8>position) & 1) == 0) return 0;
  const validator = panelMember(delivery, position);
  if ((who & BY_DISPUTE) != 0 && approvedInDispute(task, validator)) return 0;
  return voteWeight(validatorAt(validator), nowSecs);
}

/** Sum of the weights of these voters; 0 when there are none. */
export function judgeWeight(task: Task, who: u32, nowSecs: u64): u64 {
  let sum: u64 = 0;
  if ((who & BY_DISPUTE) != 0) {
    for (let link = task.voteHead; link != 0; link = voteAt(link - 1).next) {
      if (isApproval(voteAt(link - 1))) sum += voteAt(link - 1).value;
    }
  }
  if ((who & BY_PANEL) == 0) return sum;
  allJudge(nowSecs);
  for (let position: u32 = 0; position < deliveryOf(task).panelCount; position++) {
    sum += panelWeight(task, position, who, nowSecs);
  }
  return sum;
}

function pay(validator: u32, amount: u64, weight: u64, sum: u64): u64 {
  const share = mulDiv(amount, weight, sum);
  if (share != 0) payPart(balanceOf(operatorOf(validatorAt(validator))), share);
  return share;
}

/** Shares an amount of the open split by weight, each share floored; returns what was paid. */
export function shareAmong(task: Task, amount: u64, who: u32, nowSecs: u64): u64 {
  const sum = judgeWeight(task, who, nowSecs);
  if (sum == 0) return 0;
  let paid: u64 = 0;
  if ((who & BY_DISPUTE) != 0) {
    for (let link = task.voteHead; link != 0; link = voteAt(link - 1).next) {
      const vote = voteAt(link - 1);
      if (isApproval(vote)) paid += pay(voterOf(vote), amount, vote.value, sum);
    }
  }
  if ((who & BY_PANEL) == 0) return paid;
  const delivery = deliveryOf(task);
  for (let position: u32 = 0; position < delivery.panelCount; position++) {
    const weight = panelWeight(task, position, who, nowSecs);
    if (weight != 0) paid += pay(panelMember(delivery, position), amount, weight, sum);
  }
  return paid;
}
