// Whether imported tasks are consistent: references, chains of subtasks, bars and votes, reserved rows.
// Keeps: read only; every walk is bounded, so it ends even on damaged rows.

import {
  ITEM_DISPUTE,
  ITEM_SUBMISSION,
  LANE_ENTERPRISE,
  LANE_NONE,
  PAYOUT_HELD,
  POOL_REPLAY_CODE,
  POOL_REPLAY_GENERAL,
  TASK_CANCELLED,
  TASK_DISPUTED,
  TASK_OPEN,
  TASK_SUBMITTED,
} from '../abi';
import { Item, itemAt, MAX_ASSIGNED } from '../settlement/items';
import { voteAt, voterOf } from '../settlement/votes';
import { header } from '../state/header';
import { barAt } from '../tasks/bars';
import { isLeaving } from '../tasks/block-end';
import {
  Delivery,
  deliveryOf,
  isDelivered,
  MAX_TAGS,
  panelMember,
  Task,
  taskAt,
  taskRow,
} from '../tasks/rows';
import { reservedBars, reservedItems } from '../tasks/status';
import { MAX_SUBTASKS } from '../tasks/subtasks';

/** Sums over all tasks, compared with the header. */
@unmanaged
class Totals {
  live: u32;
  items: u32;
  bars: u32;
  barRows: u32;
  /** Number of tasks that name a parent, and of those in a parent's chain. */
  subtasks: u32;
  chained: u32;
}
const TOTALS: usize = memory.data(24, 8);

function totals(): Totals {
  return changetype<Totals>(TOTALS);
}

// Between blocks there are no final rows except completed subtasks with a parent, and retained tasks.
function hasSaneFields(task: Task): bool {
  const h = header();
  if (task.status > <u8>TASK_CANCELLED || task.lane > <u8>LANE_ENTERPRISE) return false;
  if (task.poster >= h.agentCount || task.claimer > h.agentCount || task.routedTo > h.agentCount)
    return false;
  if (task.reserve < <u8>POOL_REPLAY_CODE || task.reserve > <u8>POOL_REPLAY_GENERAL) return false;
  if (task.status != TASK_OPEN && (task.claimer == 0 || task.category >= h.categoryCount)) return false;
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
    t.items += reservedItems(task);
    t.bars += reservedBars(task);
  }
  if (t.live != h.tasksLive || t.barRows != h.barsLive || t.subtasks != t.chained) return false;
  return t.items == h.itemsReserved && t.bars == h.barsReserved;
}
