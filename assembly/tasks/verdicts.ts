// Verdicts on submissions and disputes: the effects of a vote, and of the quorum it completes, on the task.
// Keeps: a panel's quorum settles the submission event and is recorded, but the task does not change until its
// review ends; a dispute is decided when its votes are revealed (voting.ts; protocol 7.1, 15.8).

import { ITEM_SUBMISSION, SETTLED_NONE, SETTLED_VERIFIED, VOTE_ADJUSTED, VOTE_SETTLED } from '../abi';
import { frame } from '../io/frame';
import { Item, itemAt } from '../settlement/items';
import { commitToVote, decision, verify } from '../settlement/verify';
import { closeSubmission } from './completion';
import { deliveryOf, markTask, Task, taskAt } from './rows';
import { notePanelVote } from './verifiers';
import { noteCommitment, noteReveal } from './voting';

/** The panel's quorum: SETTLED_VERIFIED or _REJECTED. */
export function decidePanel(task: Task, reason: u32, nowSecs: u64): void {
  deliveryOf(task).panelVerdict = <u8>reason;
  closeSubmission(task, reason == SETTLED_VERIFIED ? VOTE_SETTLED : VOTE_ADJUSTED, reason, true, nowSecs);
  markTask(task);
}

function applyVote(item: Item, nowSecs: u64): void {
  const d = decision();
  const task = taskAt(item.task - 1);
  if (item.kind == ITEM_SUBMISSION) {
    notePanelVote(task, d.validator, d.approves != 0);
    if (d.reason != SETTLED_NONE) decidePanel(task, d.reason, nowSecs);
    return;
  }
  noteReveal(task, item, nowSecs);
}

/** OP_VERIFY on any open item, see settlement/verify. */
export function verifyAny(): i32 {
  const code = verify();
  if (decision().item != 0) applyVote(itemAt(decision().item - 1), frame().nowSecs);
  return code;
}

/** OP_VOTE_COMMIT, see settlement/verify. */
export function commitAny(): i32 {
  const code = commitToVote();
  if (decision().item == 0) return code;
  const item = itemAt(decision().item - 1);
  noteCommitment(taskAt(item.task - 1), item, frame().nowSecs);
  return code;
}
