// Whether imported tasks are consistent: references, chains of subtasks, bars and votes, reserved rows.
// Keeps: read only; every walk is bounded, so it ends even on damaged rows.

import {
  ITEM_DISPUTE,
  ITEM_SUBMISSION,
  LANE_ENTERPRISE,
  LANE_NONE,
  NO_QUORUM_POSTER,
  PAYOUT_HELD,
  POOL_REPLAY_CODE,
  POOL_REPLAY_GENERAL,
  SHARES,
  TASK_CANCELLED,
  TASK_CHECKING,
  TASK_CLAIMED,
  TASK_DISPUTED,
  TASK_OPEN,
  TASK_OPENED,
  TASK_RESERVED,
  TASK_RESERVED_OR_REFUND,
  TASK_SEALED,
  TASK_SUBMITTED,
} from '../abi';
import { Item, itemAt, MAX_ASSIGNED } from '../settlement/items';
import { voteAt, voterOf } from '../settlement/votes';
import { header } from '../state/header';
import { barAt } from '../tasks/bars';
import { isLeaving } from '../tasks/block-end';
import {
  contractOf,
  Delivery,
  deliveryOf,
  isDelivered,
  judgingOf,
  MAX_TAGS,
  panelMember,
  Task,
  taskAt,
  taskRow,
} from '../tasks/rows';
import { holdsBond, reservedItems } from '../tasks/status';
import { MAX_SUBTASKS } from '../tasks/subtasks';

/** Sums over all tasks, compared with the header. */
@unmanaged
class Totals {
  live: u32;
  items: u32;
  barRows: u32;
  /** Number of tasks that name a parent, and of those in a parent's chain. */
  subtasks: u32;
  chained: u32;
  /** Tasks whose run is due. */
  due: u32;
}
const TOTALS: usize = memory.data(24, 8);

function totals(): Totals {
  return changetype<Totals>(TOTALS);
}

// A reserved task names its agent, and while open the time until which; without TASK_RESERVED nothing is said of the refund.
function hasSaneReservation(task: Task): bool {
  if ((task.flags & TASK_RESERVED) == 0) return (task.flags & TASK_RESERVED_OR_REFUND) == 0;
  return task.routedTo != 0 && (task.status == TASK_OPEN) == (task.exclusiveUntilSecs != 0);
}

// A run is due of a claimed task, or of a disputed one whose sealed delivery was opened; only what was sealed is opened.
function hasSaneRun(task: Task): bool {
  if ((task.flags & TASK_OPENED) != 0 && (task.flags & TASK_SEALED) == 0) return false;
  if ((task.flags & TASK_CHECKING) == 0) return contractOf(task).isFeeHeld == 0;
  const isOpened = task.status == TASK_DISPUTED && (task.flags & TASK_OPENED) != 0;
  return contractOf(task).fuel != 0 && (task.status == TASK_CLAIMED || isOpened);
}

// Between blocks there are no final rows except completed subtasks with a parent, and retained tasks.
function hasSaneFields(task: Task): bool {
  const h = header();
  if (task.status > <u8>TASK_CANCELLED || task.lane > <u8>LANE_ENTERPRISE) return false;
  if (task.poster >= h.agentCount || task.claimer > h.agentCount || task.routedTo > h.agentCount)
    return false;
  if (task.reserve < <u8>POOL_REPLAY_CODE || task.reserve > <u8>POOL_REPLAY_GENERAL) return false;
  if (task.category >= h.categoryCount || (task.status != TASK_OPEN && task.claimer == 0)) return false;
  if (!hasSaneReservation(task)) return false;
  if (task.cancelSecs != 0 && task.status != TASK_CLAIMED) return false;
  if (!hasSaneRun(task)) return false;
  if (judgingOf(task).posterHeld != 0 && task.status != TASK_DISPUTED) return false;
  if (judgingOf(task).workerHeld != 0 && !holdsBond(task.status)) return false;
  if (judgingOf(task).noQuorum > <u8>NO_QUORUM_POSTER || judgingOf(task).share > <u8>SHARES) return false;
  if (judgingOf(task).panels > 2) return false;
  if (isDelivered(task) == task.status <= 2) return false;
  if (!isDelivered(task) && task.tagCount > <u8>MAX_TAGS) return false;
  if (isLeaving(task) || (task.parent == 0 && task.payout == PAYOUT_HELD)) return false;
  if (task.parent == 0) return true;
  if (task.parent > h.tasksUsed || task.childHead != 0 || task.lane != LANE_NONE) return false;
  const parent = taskAt(task.parent - 1);
  return parent.status != 0 && parent.parent == 0;
}

// A chain of live subtasks that name this parent, ending at its tail.
function hasSaneChildren(task: Task): bool {
  let link = task.childHead;
  let last: u32 = 0;
  for (let i: u32 = 0; i < <u32>MAX_SUBTASKS && link != 0; i++) {
    if (link > header().tasksUsed) return false;
    const child = taskAt(link - 1);
    if (child.status == 0 || child.parent != taskRow(task) + 1) return false;
    totals().chained++;
    last = link;
    link = child.next;
  }
  return link == 0 && last == task.childTail;
}

// Counts the bars of a task; more than there are rows in use means a cycle.
function hasSaneBars(task: Task): bool {
  const h = header();
  for (let link = task.barHead; link != 0; link = barAt(link - 1).next) {
    if (link > h.barsUsed || barAt(link - 1).agent >> 1 >= h.agentCount) return false;
    if (++totals().barRows > h.barsLive) return false;
  }
  return true;
}

function hasSaneKeptVotes(task: Task): bool {
  let left = header().votesLive;
  for (let link = task.voteHead; link != 0; link = voteAt(link - 1).next) {
    if (link > header().votesUsed || left-- == 0) return false;
    if (voterOf(voteAt(link - 1)) >= header().validatorCount) return false;
  }
  return true;
}

function isItemOf(task: Task, link: u32, kind: u32): bool {
  if (link > header().itemsUsed) return false;
  const item = itemAt(link - 1);
  return item.kind == kind && item.task == taskRow(task) + 1;
}

function hasSaneDelivery(task: Task, delivery: Delivery): bool {
  if (delivery.panelCount > <u8>MAX_ASSIGNED) return false;
  for (let position: u32 = 0; position < delivery.panelCount; position++) {
    if (panelMember(delivery, position) >= header().validatorCount) return false;
  }
  const submission = delivery.submissionItem;
  if (submission != 0 && !isItemOf(task, submission, ITEM_SUBMISSION)) return false;
  if (submission != 0 && task.status != TASK_SUBMITTED && task.status != TASK_DISPUTED) return false;
  const isDisputed = task.status == TASK_DISPUTED;
  if ((delivery.disputeItem != 0) != isDisputed) return false;
  return !isDisputed || isItemOf(task, delivery.disputeItem, ITEM_DISPUTE);
}

/** True when a submission or dispute belongs to a task that names it. */
export function hasSaneTask(item: Item, row: u32): bool {
  if (item.task == 0 || item.task > header().tasksUsed) return false;
  const task = taskAt(item.task - 1);
  if (task.status == 0 || !isDelivered(task)) return false;
  const delivery = deliveryOf(task);
  return (item.kind == ITEM_DISPUTE ? delivery.disputeItem : delivery.submissionItem) == row + 1;
}

// The queue of due runs: each names the one before it, and it ends where the header says.
function hasSaneQueue(): bool {
  const h = header();
  let before: u32 = 0;
  let link = h.dueHead;
  for (let i: u32 = 0; i < h.dueCount; i++) {
    if (link == 0 || link > h.tasksUsed) return false;
    const task = taskAt(link - 1);
    if ((task.flags & TASK_CHECKING) == 0 || contractOf(task).previousDue != before) return false;
    before = link;
    link = contractOf(task).nextDue;
  }
  return link == 0 && before == h.dueTail;
}

/** True when all tasks are consistent and match the counts of the header. */
export function hasSaneTasks(): bool {
  const h = header();
  memory.fill(TOTALS, 0, 24);
  const t = totals();
  for (let row: u32 = 0; row < h.tasksUsed; row++) {
    const task = taskAt(row);
    if (task.status == 0) continue;
    if (!hasSaneFields(task) || !hasSaneChildren(task)) return false;
    if (!hasSaneBars(task) || !hasSaneKeptVotes(task)) return false;
    if (isDelivered(task) && !hasSaneDelivery(task, deliveryOf(task))) return false;
    t.live++;
    if (task.parent != 0) t.subtasks++;
    if ((task.flags & TASK_CHECKING) != 0) t.due++;
    t.items += reservedItems(task);
  }
  if (t.due != h.dueCount || !hasSaneQueue()) return false;
  if (t.live != h.tasksLive || t.barRows != h.barsLive || t.subtasks != t.chained) return false;
  return t.items == h.itemsReserved;
}
