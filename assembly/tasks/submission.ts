// Submission of a result, with its score, and the panel of an assured task (protocol 4.4, 6.9, 7.1).
// Keeps: a result is accepted once, from the claimer, without unfinished subtasks. The host has computed the score
// from the task's text; without a score (SUBMIT_SCORED) no result is accepted.

import {
  DELIVERY_MISMATCH,
  IN_SUBMIT_FLAGS,
  IN_SUBMIT_SCORE_BP,
  IN_TASK_ID,
  ITEM_SUBMISSION,
  LANE_NONE,
  NOT_CLAIMER,
  OK,
  RESULT_AGENT,
  RESULT_HASH_MISMATCH,
  SUBMIT_ENCRYPTED,
  SUBMIT_GATES_HOLD,
  SUBMIT_HAS_CONTENT,
  SUBMIT_HASH_MISMATCH,
  SUBMIT_PASS,
  SUBMIT_SCORED,
  SUBTASKS_OPEN,
  TASK_CLAIMED,
  TASK_ENCRYPTED,
  TASK_GATES_HOLD,
  TASK_NOT_FOUND,
  TASK_RESULT_ENCRYPTED,
  TASK_SCORE_PASS,
  TASK_STATE,
  TASK_SUBMITTED,
} from '../abi';
import { commits, field32, fieldAddress, frame, refuse, setResult, txid } from '../io/frame';
import { copy32 } from '../lib/bytes';
import { assignedOf, itemRow, openItem } from '../settlement/items';
import { header } from '../state/header';
import { drawPanel } from '../validators/assignment';
import { exclude, excludeNobody } from '../validators/candidates';
import { panelSize } from './lanes';
import {
  beginDelivery,
  deliveryOf,
  findTask,
  panelOf,
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
  item.assignedCount = <u16>drawPanel(txid(), task.category, panelSize(task.lane), assignedOf(item), nowSecs);
  const delivery = deliveryOf(task);
  header().assuredSubmissions++;
  copy32(submissionEventOf(delivery), txid());
  delivery.submissionItem = itemRow(item) + 1;
  delivery.panelCount = <u8>item.assignedCount;
  memory.copy(panelOf(delivery), assignedOf(item), MAX_PANEL_BYTES);
}

function acceptResult(task: Task): void {
  const f = frame();
  const flags = field32(IN_SUBMIT_FLAGS);
  const deadlineSecs = f.nowSecs + task.reviewSecs;
  if ((flags & SUBMIT_ENCRYPTED) != 0) task.flags |= TASK_RESULT_ENCRYPTED;
  if ((flags & SUBMIT_PASS) != 0) task.flags |= TASK_SCORE_PASS;
  if ((flags & SUBMIT_GATES_HOLD) != 0) task.flags |= TASK_GATES_HOLD;
  task.overallBp = <u16>field32(IN_SUBMIT_SCORE_BP);
  const delivery = beginDelivery(task);
  delivery.submittedSecs = f.nowSecs;
  delivery.reviewDeadlineSecs = deadlineSecs;
  moveTo(task, TASK_SUBMITTED);
  if (task.lane != LANE_NONE) openPanel(task, f.nowSecs, deadlineSecs);
  setResult(RESULT_AGENT, f.actor);
}

/**
 * OP_TASK_SUBMIT. Errors: TASK_NOT_FOUND, TASK_STATE (not claimed), NOT_CLAIMER, SUBTASKS_OPEN, DELIVERY_MISMATCH,
 * RESULT_HASH_MISMATCH, and TASK_NOT_FOUND with NOT_SCORED when the host did not have the task's text to score by.
 */
export function submitTask(): i32 {
  const row = findTask(fieldAddress(IN_TASK_ID));
  if (row < 0) return refuse(TASK_NOT_FOUND);
  const task = taskAt(<u32>row);
  if (task.status != TASK_CLAIMED) return refuse(TASK_STATE);
  if (task.claimer != frame().actor + 1) return refuse(NOT_CLAIMER);
  if (hasLiveChild(task)) return refuse(SUBTASKS_OPEN);
  const flags = field32(IN_SUBMIT_FLAGS);
  const isEncrypted = (flags & SUBMIT_ENCRYPTED) != 0;
  const wantsEncrypted = (task.flags & TASK_ENCRYPTED) != 0;
  if ((flags & SUBMIT_HAS_CONTENT) != 0 && isEncrypted != wantsEncrypted) return refuse(DELIVERY_MISMATCH);
  if ((flags & SUBMIT_HASH_MISMATCH) != 0) return refuse(RESULT_HASH_MISMATCH);
  if ((flags & SUBMIT_SCORED) == 0) return refuse(TASK_NOT_FOUND, NOT_SCORED);
  if (!commits()) return OK;

  acceptResult(task);
  return OK;
}
