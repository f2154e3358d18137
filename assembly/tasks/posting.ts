// A new task, top-level or a subtask: its terms, its money, its row in the table.
// Keeps: the budget is in escrow from the start; lane and fee never change afterwards (protocol 4.4, 6.3, 7.1).
// A subtask's money still belongs to the top-level poster: it moves from one task's escrow to the other's. Whoever posts a
// task in a category without a number pays for the name (protocol 6.18), and for one run of the contract (14.10).

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
  PARAM_MAX_DELIVERY_TIME_SECS,
  PARAM_MIN_JUDGES,
  PARAM_MIN_TASK_BUDGET,
  PARAM_REVIEW_CONTRACT_SECS,
  PARAM_REVIEW_DEFAULT_SECS,
  RESULT_AGENT,
  SECURITY_FLOOR,
  SHARES,
  TABLE_TASKS,
  TASK_ACCEPTS_NO_JUDGES,
  TASK_BOND_GIVEN,
  TASK_CHECKING,
  TASK_CLAIMED,
  TASK_DOWNGRADE_ALLOWED,
  TASK_DOWNGRADED,
  TASK_ENCRYPTED,
  TASK_EXCLUSIVE,
  TASK_EXTERNAL,
  TASK_GENERATION_ELIGIBLE,
  TASK_IS_SUBTASK,
  TASK_NOT_FOUND,
  TASK_ON_PASS,
  TASK_OPEN,
  TASK_PAYS_SILENTLY,
  TASK_RESERVED,
  TASK_RESERVED_OR_REFUND,
  TASK_SEEDED,
  TASK_STATE,
  TERMS_BUDGET,
  TERMS_CATEGORY,
  TERMS_DELIVERY_SECS,
  TERMS_FLAGS,
  TERMS_FUEL,
  TERMS_LABEL,
  TERMS_LANE,
  TERMS_NO_QUORUM,
  TERMS_REVIEW_SECS,
  TERMS_TAG_COUNT,
  TERMS_TAGS,
  TERMS_WORKER_BOND,
  TOO_FEW_JUDGES,
} from '../abi';
import { actor, commits, field32, field64, fieldAddress, frame, refuse, setResult, txid } from '../io/frame';
import { balanceOf, escrowOf, move, poolBalance } from '../ledger/money';
import { payFee } from '../ledger/row-price';
import { sha256 } from '../lib/sha256';
import { writeHex, writeLiteral } from '../lib/text';
import { mulDiv } from '../lib/u128';
import { CATEGORY_ROW_BYTES, nameCategory } from '../reputation/categories';
import { capacity, daySecs, header, param, TASKS } from '../state/header';
import { announcedJudges } from '../validators/judges';
import { disputeBond } from './bonds';
import { runFee } from './due-runs';
import { assuranceFee, availableLane, countServing, MIN_ASSURED_BUDGET, securityFloor } from './lanes';
import { paysForReplay } from './replays';
import { beginReservation, checkReservation, NOBODY } from './reservation';
import { isReserveBlocked, MIN_RESERVE, reserveOfCategory } from './reserves';
import {
  addTask,
  categoryFormOf,
  contractOf,
  findTask,
  hasTaskRow,
  isSubtask,
  judgingOf,
  runsFirst,
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

// Flags of the terms that every task takes as they are.
const TAKEN: u32 =
  TASK_ENCRYPTED |
  TASK_EXCLUSIVE |
  TASK_ON_PASS |
  TASK_SEEDED |
  TASK_EXTERNAL |
  TASK_PAYS_SILENTLY |
  TASK_ACCEPTS_NO_JUDGES |
  TASK_RESERVED |
  TASK_RESERVED_OR_REFUND;

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

/**
 * Smallest budget of a new task: the parameter, while half of the rows are free, then more the fewer there are. What is in escrow
 * comes back, so the parameter alone would let whoever has some money keep all others from posting. protocol 6.18.
 */
function minBudget(): u64 {
  const least = param(PARAM_MIN_TASK_BUDGET);
  const rows = capacity(TASKS);
  const free = rows - header().tasksLive;
  return free == 0 ? least : max<u64>(least, mulDiv(least, rows, (<u64>free) << 1));
}

function orDefault(value: u32, parameter: u32): u32 {
  return value != 0 ? value : <u32>param(parameter);
}

// The worker's bond that the poster names; else that of a dispute, or nothing where a contract answers for the work.
function bondAskedFor(at: usize, task: Task): u64 {
  if ((field32(at + TERMS_FLAGS) & TASK_BOND_GIVEN) != 0) return field64(at + TERMS_WORKER_BOND);
  return runsFirst(task) ? 0 : disputeBond(task.budget);
}

// A row with the terms of the command; the caller adds the rest and opens it.
function writeTerms(at: usize): Task {
  const f = frame();
  const task = addTask(derivedTaskId());
  task.budget = field64(at + TERMS_BUDGET);
  task.escrow = task.budget;
  task.flags = field32(at + TERMS_FLAGS) & TAKEN;
  contractOf(task).fuel = field32(at + TERMS_FUEL);
  task.poster = f.actor;
  const window = runsFirst(task) ? PARAM_REVIEW_CONTRACT_SECS : PARAM_REVIEW_DEFAULT_SECS;
  task.reviewSecs = orDefault(field32(at + TERMS_REVIEW_SECS), window);
  task.deliverySecs = orDefault(field32(at + TERMS_DELIVERY_SECS), PARAM_MAX_DELIVERY_TIME_SECS);
  task.postedSecs = f.nowSecs;
  judgingOf(task).noQuorum = <u8>field32(at + TERMS_NO_QUORUM);
  judgingOf(task).share = <u8>SHARES;
  judgingOf(task).workerBond = bondAskedFor(at, task);
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
  if (lane != LANE_NONE) task.flags |= requested & TASK_GENERATION_ELIGIBLE;
}

// A dispute about a task without a contract is for judges: where few are announced, its poster has to know. The terms at
// `at` are refused, or OK.
function checkJudges(at: usize): i32 {
  if (field32(at + TERMS_FUEL) != 0 || (field32(at + TERMS_FLAGS) & TASK_ACCEPTS_NO_JUDGES) != 0) return OK;
  const required = <u32>param(PARAM_MIN_JUDGES);
  const announced = announcedJudges(required);
  return announced < required ? refuse(TOO_FEW_JUDGES, announced, required) : OK;
}

// The task's effective lane, or minus the code that refuses it. The breaker goes by the fee of the lane that the task would
// get, or of the requested one when it would get none.
function chooseLane(asked: u32, budget: u64): i32 {
  if (asked == LANE_NONE) return LANE_NONE;
  const form = fieldAddress(IN_TASK_TERMS + TERMS_CATEGORY);
  const reserve = reserveOfCategory(form);
  const serving = countServing(form);
  const lane = availableLane(asked, reserve, serving);
  const fee = assuranceFee(lane == LANE_NONE ? asked : lane, budget);
  if (isReserveBlocked(reserve) && !paysForReplay(fee)) {
    return -refuse(ASSURANCE_BLOCKED, poolBalance(reserve), MIN_RESERVE);
  }
  if (lane == asked || (field32(IN_TASK_TERMS + TERMS_FLAGS) & TASK_DOWNGRADE_ALLOWED) != 0) return lane;
  return -refuse(SECURITY_FLOOR, asked, lane, securityFloor(asked), serving);
}

/**
 * OP_TASK_CREATE. Errors: RECIPIENT_NOT_FOUND and SELF_CLAIM (of whom it is reserved for), BUDGET_BELOW_MINIMUM (minimum), ASSURANCE_BLOCKED (reserve, required),
 * SECURITY_FLOOR (requested, offered, required, available), TOO_FEW_JUDGES (announced, required), INSUFFICIENT_BALANCE (balance, needed), CAPACITY.
 */
export function createTask(): i32 {
  const reservation = checkReservation(IN_TASK_TERMS, NOBODY);
  if (reservation != OK) return reservation;
  const budget = field64(IN_TASK_TERMS + TERMS_BUDGET);
  const asked = field32(IN_TASK_TERMS + TERMS_LANE);
  const floor = asked == LANE_NONE ? 0 : MIN_ASSURED_BUDGET;
  const minimum = max<u64>(minBudget(), floor);
  if (budget < minimum) return refuse(BUDGET_BELOW_MINIMUM, minimum);
  const lane = chooseLane(asked, budget);
  if (lane < 0) return -lane;
  const judges = checkJudges(IN_TASK_TERMS);
  if (judges != OK) return judges;
  const fee = runFee(field32(IN_TASK_TERMS + TERMS_FUEL));
  if (actor().balance < budget + fee) return refuse(INSUFFICIENT_BALANCE, actor().balance, budget + fee);
  if (!hasTaskRow()) return refuse(CAPACITY, TABLE_TASKS);
  if (!commits()) return OK;

  const task = writeTerms(IN_TASK_TERMS);
  setLane(task, asked, lane);
  move(balanceOf(actor()), escrowOf(actor()), budget);
  if (fee != 0) payFee(actor(), fee);
  task.category = <u16>nameCategory(actor(), categoryFormOf(task));
  moveTo(task, TASK_OPEN);
  beginReservation(task, IN_TASK_TERMS);
  return OK;
}

/**
 * OP_SUBTASK_CREATE, by the claimer, out of the parent's escrow. Errors: TASK_NOT_FOUND, TASK_STATE (parent not
 * claimed, a subtask itself, or MAX_SUBTASKS created by this claim), NOT_CLAIMER, as OP_TASK_CREATE of whom it is reserved for, BUDGET_BELOW_MINIMUM
 * (smallest), TOO_FEW_JUDGES, INSUFFICIENT_BALANCE (escrow without the assurance fee, needed), CAPACITY.
 */
export function createSubtask(): i32 {
  const row = findTask(fieldAddress(IN_SUBTASK_PARENT));
  if (row < 0) return refuse(TASK_NOT_FOUND);
  const parent = taskAt(<u32>row);
  if (parent.status != TASK_CLAIMED || isSubtask(parent)) return refuse(TASK_STATE);
  if ((parent.flags & TASK_CHECKING) != 0) return refuse(TASK_STATE);
  if (parent.subtaskCount >= MAX_SUBTASKS) return refuse(TASK_STATE);
  if (parent.claimer != frame().actor + 1) return refuse(NOT_CLAIMER);
  const reservation = checkReservation(IN_SUBTASK_TERMS, parent.poster);
  if (reservation != OK) return reservation;
  const budget = field64(IN_SUBTASK_TERMS + TERMS_BUDGET);
  const minimum = minBudget();
  if (budget < minimum) return refuse(BUDGET_BELOW_MINIMUM, minimum);
  const judges = checkJudges(IN_SUBTASK_TERMS);
  if (judges != OK) return judges;
  const free = parent.escrow - parent.assuranceFee;
  if (budget > free) return refuse(INSUFFICIENT_BALANCE, free, budget);
  const fee = runFee(field32(IN_SUBTASK_TERMS + TERMS_FUEL));
  if (actor().balance < fee) return refuse(INSUFFICIENT_BALANCE, actor().balance, fee);
  if (!hasTaskRow()) return refuse(CAPACITY, TABLE_TASKS);
  if (!commits()) return OK;

  const task = writeTerms(IN_SUBTASK_TERMS);
  task.flags |= TASK_IS_SUBTASK;
  task.parent = taskRow(parent) + 1;
  parent.escrow -= budget;
  if (fee != 0) payFee(actor(), fee);
  task.category = <u16>nameCategory(actor(), categoryFormOf(task));
  linkChild(parent, task);
  moveTo(task, TASK_OPEN);
  beginReservation(task, IN_SUBTASK_TERMS);
  touchTask(parent);
  return OK;
}
