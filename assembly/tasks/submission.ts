// Submission of a result, with its score, and the panel of an assured task (protocol 4.4, 6.9, 7.1).
// Keeps: a result is accepted once, from the claimer, without unfinished subtasks; where the task has a contract, once that
// has run (contract-runs.ts), unless it is sealed. Nothing is accepted without a delivery. The host has computed the score from the task's
// text; without a score (SUBMIT_SCORED) no result is accepted.

import {
  DELIVERY_MISMATCH,
  DELIVERY_MISSING,
  IN_SUBMIT_FLAGS,
  IN_SUBMIT_SCORE_BP,
  IN_TASK_ID,
  INSUFFICIENT_BALANCE,
  ITEM_SUBMISSION,
  LANE_NONE,
  NOT_CLAIMER,
  NOT_SEALED,
  OK,
  RESULT_AGENT,
  RESULT_HASH_MISMATCH,
  SUBMIT_ENCRYPTED,
  SUBMIT_FACTS_HOLD,
  SUBMIT_HAS_CONTENT,
  SUBMIT_HAS_PLACE,
  SUBMIT_HASH_MISMATCH,
  SUBMIT_SCORED,
  SUBMIT_SEALED,
  SUBTASKS_OPEN,
  TASK_CHECKING,
  TASK_CLAIMED,
  TASK_ENCRYPTED,
  TASK_EXTERNAL,
  TASK_FACTS_HOLD,
  TASK_NOT_FOUND,
  TASK_RESULT_ENCRYPTED,
  TASK_SEALED,
  TASK_STATE,
  TASK_SUBMITTED,
} from '../abi';
import { actor, commits, field32, fieldAddress, frame, refuse, setResult, txid } from '../io/frame';
import { copy32 } from '../lib/bytes';
import { assignedOf, itemRow, openItem } from '../settlement/items';
import { header } from '../state/header';
import { drawPanel } from '../validators/assignment';
import { exclude, excludeNobody } from '../validators/candidates';
import { isRunPaid, queueRun, runFee } from './due-runs';
import { coverOfTask, panelSize } from './lanes';
import {
  beginDelivery,
  contractOf,
  deliveryOf,
  findTask,
  panelOf,
  runsFirst,
  submissionEventOf,
  Task,
  taskAt,
  taskRow,
} from './rows';
import { moveTo } from './status';
import { hasLiveChild } from './subtasks';

const MAX_PANEL_BYTES: usize = 14;

/** Detail of TASK_NOT_FOUND when only the score is missing, so that a host can check before it scores. */
export const NOT_SCORED: u64 = 1;

// Opens the vote on the submission event and draws its panel; the item row was reserved by the claim.
function openPanel(task: Task, nowSecs: u64, deadlineSecs: u64): void {
  const claimer = task.claimer - 1;
  const item = openItem(txid(), ITEM_SUBMISSION, claimer, task.poster, task.budget, nowSecs, deadlineSecs);
  item.task = taskRow(task) + 1;
  excludeNobody();
  exclude(task.poster);
  exclude(claimer);
  const size = panelSize(task.lane);
  const cover = coverOfTask(task);
  item.assignedCount = <u16>drawPanel(txid(), task.category, size, assignedOf(item), nowSecs, cover);
  const delivery = deliveryOf(task);
  header().assuredSubmissions++;
  copy32(submissionEventOf(delivery), txid());
  delivery.submissionItem = itemRow(item) + 1;
  delivery.panelCount = <u8>item.assignedCount;
  memory.copy(panelOf(delivery), assignedOf(item), MAX_PANEL_BYTES);
}

/** The result of a claimed task is there: its review begins. */
export function acceptResult(task: Task, nowSecs: u64): void {
  const delivery = beginDelivery(task);
  delivery.submittedSecs = nowSecs;
  delivery.reviewDeadlineSecs = nowSecs + task.reviewSecs;
  task.cancelSecs = 0;
  moveTo(task, TASK_SUBMITTED);
}

// A result that nothing has to run for, with the score of its text.
function acceptScored(task: Task): void {
  const flags = field32(IN_SUBMIT_FLAGS);
  if ((flags & SUBMIT_ENCRYPTED) != 0) task.flags |= TASK_RESULT_ENCRYPTED;
  if ((flags & SUBMIT_SEALED) != 0) task.flags |= TASK_SEALED;
  if ((flags & SUBMIT_FACTS_HOLD) != 0) task.flags |= TASK_FACTS_HOLD;
  task.overallBp = <u16>field32(IN_SUBMIT_SCORE_BP);
  const nowSecs = frame().nowSecs;
  acceptResult(task, nowSecs);
  if (task.lane != LANE_NONE) openPanel(task, nowSecs, nowSecs + task.reviewSecs);
}

// Something is delivered: the bytes, or where the task allows it a hash and a place.
function isDelivery(task: Task, flags: u32): bool {
  if ((flags & SUBMIT_HAS_CONTENT) != 0) return true;
  return (task.flags & TASK_EXTERNAL) != 0 && (flags & SUBMIT_HAS_PLACE) != 0;
}

/**
 * OP_TASK_SUBMIT. Errors: TASK_NOT_FOUND, TASK_STATE (not claimed, or a run of its contract is due), NOT_CLAIMER,
 * SUBTASKS_OPEN, DELIVERY_MISMATCH, NOT_SEALED, DELIVERY_MISSING, RESULT_HASH_MISMATCH, INSUFFICIENT_BALANCE (balance, needed) for a run
 * that nobody has paid for, and TASK_NOT_FOUND with NOT_SCORED when the host did not have the task's text to score by.
 */
export function submitTask(): i32 {
  const row = findTask(fieldAddress(IN_TASK_ID));
  if (row < 0) return refuse(TASK_NOT_FOUND);
  const task = taskAt(<u32>row);
  if (task.status != TASK_CLAIMED || (task.flags & TASK_CHECKING) != 0) return refuse(TASK_STATE);
  if (task.claimer != frame().actor + 1) return refuse(NOT_CLAIMER);
  if (hasLiveChild(task)) return refuse(SUBTASKS_OPEN);
  const flags = field32(IN_SUBMIT_FLAGS);
  const isEncrypted = (flags & SUBMIT_ENCRYPTED) != 0;
  const wantsEncrypted = (task.flags & TASK_ENCRYPTED) != 0;
  const hasContent = (flags & SUBMIT_HAS_CONTENT) != 0;
  if (hasContent && isEncrypted != wantsEncrypted) return refuse(DELIVERY_MISMATCH);
  // Nobody could ever open it otherwise.
  if (hasContent && isEncrypted && (flags & SUBMIT_SEALED) == 0) return refuse(NOT_SEALED);
  if (!isDelivery(task, flags)) return refuse(DELIVERY_MISSING);
  if ((flags & SUBMIT_HASH_MISMATCH) != 0) return refuse(RESULT_HASH_MISMATCH);
  if (runsFirst(task) && !isRunPaid(task)) {
    return refuse(INSUFFICIENT_BALANCE, actor().balance, runFee(contractOf(task).fuel));
  }
  if ((flags & SUBMIT_SCORED) == 0) return refuse(TASK_NOT_FOUND, NOT_SCORED);
  if (!commits()) return OK;

  setResult(RESULT_AGENT, frame().actor);
  if (runsFirst(task)) queueRun(task);
  else acceptScored(task);
  return OK;
}
