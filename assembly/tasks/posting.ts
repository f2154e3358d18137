// A new task, top-level or a subtask: its terms, its money, its row in the table.
// Keeps: the budget is in escrow from the start; lane and fee never change afterwards (protocol 4.4, 6.3, 7.1).
// A subtask's money still belongs to the top-level poster: it moves from one task's escrow to the other's.

import {
  ASSURANCE_BLOCKED,
  BUDGET_BELOW_MINIMUM,
  CAPACITY,
  IN_SUBTASK_PARENT,
  IN_SUBTASK_TERMS,
  IN_TASK_TERMS,
  INSUFFICIENT_BALANCE,
  LANE_NONE,
  NOT_CLAIMER,
  OK,
  PARAM_CHALLENGE_WINDOW_SECS,
  PARAM_MAX_DELIVERY_TIME_SECS,
  PARAM_MIN_TASK_BUDGET,
  RESULT_AGENT,
  SECURITY_FLOOR,
  TABLE_TASKS,
  TASK_CLAIMED,
  TASK_DOWNGRADE_ALLOWED,
  TASK_DOWNGRADED,
  TASK_ENCRYPTED,
  TASK_EXCLUSIVE,
  TASK_GENERATION_ELIGIBLE,
  TASK_IS_SUBTASK,
  TASK_NOT_FOUND,
  TASK_OPEN,
  TASK_STATE,
  TERMS_BUDGET,
  TERMS_CATEGORY,
  TERMS_DELIVERY_SECS,
  TERMS_FLAGS,
  TERMS_LABEL,
  TERMS_LANE,
  TERMS_REVIEW_SECS,
  TERMS_TAG_COUNT,
  TERMS_TAGS,
} from '../abi';
import { actor, commits, field32, field64, fieldAddress, frame, refuse, setResult, txid } from '../io/frame';
import { balanceOf, escrowOf, move, poolBalance } from '../ledger/money';
import { sha256 } from '../lib/sha256';
import { writeHex, writeLiteral } from '../lib/text';
import { CATEGORY_ROW_BYTES } from '../reputation/categories';
import { daySecs, param } from '../state/header';
import { noteAssuredCreated } from '../validators/assured-window';
import { assuranceFee, availableLane, countServing, MIN_ASSURED_BUDGET, securityFloor } from './lanes';
import { isReserveBlocked, MIN_RESERVE, reserveOfCategory } from './reserves';
import {
  addTask,
  categoryFormOf,
  findTask,
  hasTaskRow,
  isSubtask,
  setTags,
  Task,
  taskAt,
  taskRow,
  touchTask,
} from './rows';
import { moveTo } from './status';
import { linkChild, MAX_SUBTASKS } from './subtasks';

/** protocol 7.1: an open task is cancelled after this time. */
const OPEN_DAYS: u64 = 30;

const TEXT: usize = memory.data(72, 8);
const ID: usize = memory.data(32, 8);

/** When a task that is opened now expires. */
export function openUntilSecs(nowSecs: u64): u64 {
  return nowSecs + OPEN_DAYS * daySecs();
}

/** Address of the id that the command gives a task: SHA-256("task:" + event id as hex), of which 16 bytes count. */
export function derivedTaskId(): usize {
  const end = writeHex(writeLiteral(TEXT, 'task:'), txid(), 32);
  sha256(TEXT, <u32>(end - TEXT), ID);
  return ID;
}

function orDefault(value: u32, parameter: u32): u32 {
  return value != 0 ? value : <u32>param(parameter);
}

// A row with the terms of the command; the caller adds the rest and opens it.
function writeTerms(at: usize): Task {
  const f = frame();
  const task = addTask(derivedTaskId());
  task.budget = field64(at + TERMS_BUDGET);
  task.escrow = task.budget;
  task.flags = field32(at + TERMS_FLAGS) & (TASK_ENCRYPTED | TASK_EXCLUSIVE);
  task.poster = f.actor;
  task.reviewSecs = orDefault(field32(at + TERMS_REVIEW_SECS), PARAM_CHALLENGE_WINDOW_SECS);
  task.deliverySecs = orDefault(field32(at + TERMS_DELIVERY_SECS), PARAM_MAX_DELIVERY_TIME_SECS);
  task.postedSecs = f.nowSecs;
  task.expiresSecs = openUntilSecs(f.nowSecs);
  task.categoryLabel = field64(at + TERMS_LABEL);
  memory.copy(categoryFormOf(task), fieldAddress(at + TERMS_CATEGORY), CATEGORY_ROW_BYTES);
  setTags(task, fieldAddress(at + TERMS_TAGS), field32(at + TERMS_TAG_COUNT));
  task.reserve = <u8>reserveOfCategory(categoryFormOf(task));
  setResult(RESULT_AGENT, f.actor);
  return task;
}

function setLane(task: Task, asked: u32, lane: u32): void {
  task.laneAsked = <u8>asked;
  task.lane = <u8>lane;
  task.assuranceFee = assuranceFee(lane, task.budget);
  const requested = field32(IN_TASK_TERMS + TERMS_FLAGS);
  task.flags |= requested & TASK_DOWNGRADE_ALLOWED;
  if (lane != asked) task.flags |= TASK_DOWNGRADED;
  if (lane == LANE_NONE) return;
  task.flags |= requested & TASK_GENERATION_ELIGIBLE;
  noteAssuredCreated(task.budget);
}

// The task's effective lane, or minus the code that refuses it.
function chooseLane(asked: u32): i32 {
  if (asked == LANE_NONE) return LANE_NONE;
  const form = fieldAddress(IN_TASK_TERMS + TERMS_CATEGORY);
  const reserve = reserveOfCategory(form);
  if (isReserveBlocked(reserve)) return -refuse(ASSURANCE_BLOCKED, poolBalance(reserve), MIN_RESERVE);
  const serving = countServing(form);
  const lane = availableLane(asked, reserve, serving);
  if (lane == asked || (field32(IN_TASK_TERMS + TERMS_FLAGS) & TASK_DOWNGRADE_ALLOWED) != 0) return lane;
  return -refuse(SECURITY_FLOOR, asked, lane, securityFloor(asked), serving);
}

/**
 * OP_TASK_CREATE. Errors: BUDGET_BELOW_MINIMUM (minimum), ASSURANCE_BLOCKED (reserve, required),
 * SECURITY_FLOOR (requested, offered, required, available), INSUFFICIENT_BALANCE (balance, needed), CAPACITY.
 */
export function createTask(): i32 {
  const budget = field64(IN_TASK_TERMS + TERMS_BUDGET);
  const asked = field32(IN_TASK_TERMS + TERMS_LANE);
  const floor = asked == LANE_NONE ? 0 : MIN_ASSURED_BUDGET;
  const minimum = max<u64>(param(PARAM_MIN_TASK_BUDGET), floor);
  if (budget < minimum) return refuse(BUDGET_BELOW_MINIMUM, minimum);
  const lane = chooseLane(asked);
  if (lane < 0) return -lane;
  if (actor().balance < budget) return refuse(INSUFFICIENT_BALANCE, actor().balance, budget);
  if (!hasTaskRow()) return refuse(CAPACITY, TABLE_TASKS);
  if (!commits()) return OK;

  const task = writeTerms(IN_TASK_TERMS);
  setLane(task, asked, lane);
  move(balanceOf(actor()), escrowOf(actor()), budget);
  moveTo(task, TASK_OPEN);
  return OK;
}

/**
 * OP_SUBTASK_CREATE, by the claimer, out of the parent's escrow. Errors: TASK_NOT_FOUND, TASK_STATE (parent not
 * claimed, a subtask itself, or MAX_SUBTASKS created by this claim), NOT_CLAIMER, BUDGET_BELOW_MINIMUM
 * (smallest), INSUFFICIENT_BALANCE (escrow without the assurance fee, needed), CAPACITY.
 */
export function createSubtask(): i32 {
  const row = findTask(fieldAddress(IN_SUBTASK_PARENT));
  if (row < 0) return refuse(TASK_NOT_FOUND);
  const parent = taskAt(<u32>row);
  if (parent.status != TASK_CLAIMED || isSubtask(parent)) return refuse(TASK_STATE);
  if (parent.subtaskCount >= MAX_SUBTASKS) return refuse(TASK_STATE);
  if (parent.claimer != frame().actor + 1) return refuse(NOT_CLAIMER);
  const budget = field64(IN_SUBTASK_TERMS + TERMS_BUDGET);
  const minimum = param(PARAM_MIN_TASK_BUDGET);
  if (budget < minimum) return refuse(BUDGET_BELOW_MINIMUM, minimum);
  const free = parent.escrow - parent.assuranceFee;
  if (budget > free) return refuse(INSUFFICIENT_BALANCE, free, budget);
  if (!hasTaskRow()) return refuse(CAPACITY, TABLE_TASKS);
  if (!commits()) return OK;

  const task = writeTerms(IN_SUBTASK_TERMS);
  task.flags |= TASK_IS_SUBTASK;
  task.parent = taskRow(parent) + 1;
  parent.escrow -= budget;
  linkChild(parent, task);
  moveTo(task, TASK_OPEN);
  touchTask(parent);
  return OK;
}
