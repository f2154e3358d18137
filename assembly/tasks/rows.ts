// The table of tasks: one row of 424 bytes for each task that is not final, and for final ones until the end of the
// block; a completed subtask stays until its parent is closed, an assured task as long as it may be challenged.
// Keeps: a row is in both the table and the index, or in neither. Status, timer and reserved rows change together
// in status.ts; money moves in payout.ts and refund.ts.

import { SHARES, TASK_ENCRYPTED, TASK_FACTS_HOLD } from '../abi';
import { addRow, attachIndex, clearIndex, findRow, KeyIndex, removeRow, slotCount } from '../lib/key-index';
import { mulDiv } from '../lib/u128';
import { CHANGED_ROWS_BYTES, ChangedRows, noteChanged } from '../state/changed-rows';
import { capacity, Header, header, TASKS } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';
import { giveRow, hasRow, RowStore, takeRow } from '../state/row-store';

export const TASK_ROW_BYTES: u32 = 424;
export const MAX_TAGS: u32 = 10;
/** tagCount of a task whose offer was replaced by a delivery. */
const DELIVERED: u8 = 255;
const BY_ID: usize = memory.data(64, 8);
const CHANGED: usize = memory.data(CHANGED_ROWS_BYTES, 8);

@unmanaged
export class Task {
  id0: u64;
  id1: u64;
  /** Amount at creation, micro-units; constant. */
  budget: u64;
  /** Amount in escrow for this task, without that of its subtasks. */
  escrow: u64;
  /** Fixed at creation; 0 when unassured. */
  assuranceFee: u64;
  /** The payout and the base fee; 0 before. */
  paid: u64;
  baseFee: u64;
  postedSecs: u64;
  /** Automatic cancel while open. */
  expiresSecs: u64;
  /** Until then only `routedTo` may claim; 0 = not exclusive. */
  exclusiveUntilSecs: u64;
  claimedSecs: u64;
  claimDeadlineSecs: u64;
  /** Completed or cancelled at. */
  endedSecs: u64;
  /** First 8 bytes of SHA-256 of the category's name; never changes. */
  categoryLabel: u64;
  /** TASK_* flags. */
  flags: u32;
  /** Agent index; for a subtask, the claimer of its parent. */
  poster: u32;
  /** Agent index + 1, 0 = none. */
  claimer: u32;
  /** Agent index + 1, 0 = none. */
  routedTo: u32;
  /** Parent, row + 1, 0 for a top-level task. */
  parent: u32;
  /** Subtasks of the current claim in order of creation, row + 1. */
  childHead: u32;
  childTail: u32;
  /** Next subtask of the same parent, row + 1; links free rows as well. */
  next: u32;
  /** First bar of this task (bars.ts), row + 1. */
  barHead: u32;
  /**
   * Votes of a dispute won by the worker, with their weights as values, until the payout; for an assured task, until it
   * leaves. Row + 1.
   */
  voteHead: u32;
  reviewSecs: u32;
  deliverySecs: u32;
  /** TASK_OPEN .. TASK_CANCELLED, 0 in a free row. */
  status: u8;
  /** Effective lane, and the requested one. */
  lane: u8;
  laneAsked: u8;
  resolution: u8;
  payout: u8;
  generation: u8;
  replay: u8;
  /** Pool POOL_REPLAY_* of the category. */
  reserve: u8;
  overallBp: u16;
  commitCount: u16;
  /** Category index of the records. */
  category: u16;
  /** Number of subtasks created by the current claim, whatever their status. */
  subtaskCount: u8;
  /** Tags in the offer. */
  tagCount: u8;
  /** First challenge of this task in order of opening, row + 1. */
  challengeHead: u32;
  /** Open challenges, and a pending replay. */
  openCases: u32;
  /** Replay job, row + 1, 0 = none. */
  job: u32;
  /** 1: its retention is over; it leaves at the end of the block in which no case of it is open. */
  isReleased: u32;
  /** Agent index + 1 of the last route that an event told of, and the number of such events (router/routing.ts). */
  announcedTo: u32;
  announcements: u32;
  /** When its value was recognised, 0 = not recognised (protocol 6.13). */
  recognizedSecs: u64;
  /** While claimed: when the poster's cancellation takes effect, 0 = none was asked for. */
  cancelSecs: u64;
  // The next 136 bytes are an offer until the submission, and a delivery from then on; then the contract and the judging;
  // the last 8 bytes are the router's.
  // The offer: category form[56] (abi.ts), then MAX_TAGS labels.
  offer: u64;
}
const SHARED: usize = 216;
const SHARED_BYTES: usize = 136;
const TAGS: usize = 56;

/** The contract of a task and its runs; all 0 without one. */
@unmanaged
export class Contract {
  /** Fuel of a run; 0: there is no contract. */
  fuel: u32;
  /** Runs so far, and those of the present claim that failed. */
  runs: u32;
  tries: u32;
  /** While a run is due: its neighbours in the queue, row + 1. */
  nextDue: u32;
  previousDue: u32;
  /** 1: the worker's fee for the run that is due is held. */
  isFeeHeld: u16;
  /** 1: the run that the poster has paid for was made for a worker that had not the fee. */
  isPaidRunSpent: u16;
}
const CONTRACT: usize = SHARED + SHARED_BYTES;
const JUDGING: usize = CONTRACT + 24;

/** The fields of a task after its submission. */
@unmanaged
export class Delivery {
  submission0: u64;
  submission1: u64;
  submission2: u64;
  submission3: u64;
  dispute0: u64;
  dispute1: u64;
  dispute2: u64;
  dispute3: u64;
  submittedSecs: u64;
  reviewDeadlineSecs: u64;
  disputedSecs: u64;
  disputeDeadlineSecs: u64;
  /** Open items of the submission and the dispute, row + 1. */
  submissionItem: u32;
  disputeItem: u32;
  panelCount: u8;
  /** Bit i: panel member i voted; voted for completion. */
  panelVoted: u8;
  panelApproved: u8;
  /** SETTLED_NONE, SETTLED_VERIFIED or SETTLED_REJECTED: what the panel's quorum decided. */
  panelVerdict: u8;
  panel0: u16;
  panel1: u16;
  panel2: u16;
  panel3: u16;
  panel4: u16;
  panel5: u16;
  panel6: u16;
  /** The assurance fee charged at the payout: less than the fee where the escrow was too small. */
  assurancePaid: u64;
}

/** How a task is judged: terms fixed at creation, and what became of them (protocol 15). */
@unmanaged
export class Judging {
  /** The poster's part of the escrow after a split, which it has got back. */
  refunded: u64;
  /** What a claim reserves; what is held of it now, and of the poster's bond, micro-units. */
  workerBond: u64;
  workerHeld: u64;
  posterHeld: u64;
  /** NO_QUORUM_*. */
  noQuorum: u8;
  /** The worker's share in steps of 10 %: SHARES until a dispute ends otherwise. */
  share: u8;
  /** 1: the poster opened the dispute, about something that was delivered. */
  isByPoster: u8;
  /** 1: the worker contests the dispute, and its judges may vote. */
  isContested: u8;
  /** Panels drawn for the dispute: none, the first, the larger one. */
  panels: u8;
}

function rows(): RowStore {
  return changetype<RowStore>(changetype<usize>(header()) + offsetof<Header>('tasksUsed'));
}

export function taskAt(row: u32): Task {
  return changetype<Task>(root().tasks + <usize>row * TASK_ROW_BYTES);
}

export function taskRow(task: Task): u32 {
  return <u32>((changetype<usize>(task) - root().tasks) / TASK_ROW_BYTES);
}

/** Address of the 16-byte id. */
export function taskIdOf(task: Task): usize {
  return changetype<usize>(task);
}

export function isSubtask(task: Task): bool {
  return task.parent != 0;
}

/** Address of the category in its 56-byte form; only while nothing is submitted. */
export function categoryFormOf(task: Task): usize {
  return changetype<usize>(task) + SHARED;
}

/** Label of a tag, `position` below tagCount; only while nothing is submitted. */
export function tagLabel(task: Task, position: u32): u64 {
  return load<u64>(changetype<usize>(task) + SHARED + TAGS + ((<usize>position) << 3));
}

/** Copies `count` labels (u64) of tags into the offer. */
export function setTags(task: Task, from: usize, count: u32): void {
  task.tagCount = <u8>count;
  memory.copy(changetype<usize>(task) + SHARED + TAGS, from, (<usize>count) << 3);
}

/** The delivery; only once something is submitted. */
export function deliveryOf(task: Task): Delivery {
  return changetype<Delivery>(changetype<usize>(task) + SHARED);
}

export function judgingOf(task: Task): Judging {
  return changetype<Judging>(changetype<usize>(task) + JUDGING);
}

/** The worker's part of an amount, by its share; the rest, with the remainder, is the poster's. */
export function sharedWithWorker(task: Task, amount: u64): u64 {
  return mulDiv(amount, judgingOf(task).share, SHARES);
}

/** True when the task holds a delivery instead of an offer; it is never open again then. */
export function isDelivered(task: Task): bool {
  return task.tagCount == DELIVERED;
}

/** True when something was delivered: the gates that are facts hold (protocol 15.1). */
export function hasDelivered(task: Task): bool {
  return (task.flags & TASK_FACTS_HOLD) != 0;
}

/** Replaces the offer by an empty delivery. */
export function beginDelivery(task: Task): Delivery {
  memory.fill(changetype<usize>(task) + SHARED, 0, SHARED_BYTES);
  task.tagCount = DELIVERED;
  return deliveryOf(task);
}

export function contractOf(task: Task): Contract {
  return changetype<Contract>(changetype<usize>(task) + CONTRACT);
}

/** True when its contract runs before a result is accepted: one on sealed deliveries runs once they are opened. */
export function runsFirst(task: Task): bool {
  return contractOf(task).fuel != 0 && (task.flags & TASK_ENCRYPTED) == 0;
}

export function submissionEventOf(delivery: Delivery): usize {
  return changetype<usize>(delivery);
}

export function disputeEventOf(delivery: Delivery): usize {
  return changetype<usize>(delivery) + offsetof<Delivery>('dispute0');
}

/** Address of the panel's validator indexes (u16, MAX_ASSIGNED). */
export function panelOf(delivery: Delivery): usize {
  return changetype<usize>(delivery) + offsetof<Delivery>('panel0');
}

export function panelMember(delivery: Delivery, position: u32): u32 {
  return load<u16>(panelOf(delivery) + ((<usize>position) << 1));
}

export function attachTasks(): void {
  const slots = slotCount(capacity(TASKS));
  attachIndex(changetype<KeyIndex>(BY_ID), root().taskSlots, slots, root().tasks, TASK_ROW_BYTES, 0, 16);
}

/** Rows of the table that may hold a task. */
export function taskRowsUsed(): u32 {
  return rows().used;
}

export function rebuildTaskIndex(): void {
  clearIndex(changetype<KeyIndex>(BY_ID));
  for (let row: u32 = 0; row < rows().used; row++) {
    if (taskAt(row).status != 0) addRow(changetype<KeyIndex>(BY_ID), row);
  }
}

/** Row of the task with the 16-byte id at the address, or -1. */
export function findTask(id: usize): i32 {
  return findRow(changetype<KeyIndex>(BY_ID), id);
}

export function hasTaskRow(): bool {
  return hasRow(rows(), capacity(TASKS));
}

/** A zeroed row with this id; the caller has checked hasTaskRow. */
export function addTask(id: usize): Task {
  const row = takeRow(rows(), root().tasks, TASK_ROW_BYTES, <u32>offsetof<Task>('next'));
  const task = taskAt(row);
  task.id0 = load<u64>(id);
  task.id1 = load<u64>(id, 8);
  addRow(changetype<KeyIndex>(BY_ID), row);
  return task;
}

/** Frees the row of a final task; its bars, votes and items were freed before. */
export function removeTask(task: Task): void {
  const row = taskRow(task);
  removeRow(changetype<KeyIndex>(BY_ID), row);
  giveRow(rows(), root().tasks, TASK_ROW_BYTES, <u32>offsetof<Task>('next'), row);
}

export function markTask(task: Task): void {
  markBytes(changetype<usize>(task), TASK_ROW_BYTES);
}

/** Tasks whose rows changed in the block: written as OUT_TASK at its end, after which final ones leave the core. */
export function changedTasks(): ChangedRows {
  return changetype<ChangedRows>(CHANGED);
}

/** Marks the row as changed: for the state hash, the snapshot, and the list at the end of the block. */
export function touchTask(task: Task): void {
  markTask(task);
  noteChanged(changedTasks(), taskRow(task));
}
