// Canaries: planted checks of how well panels judge, committed before and revealed after (protocol 7.7).
// Keeps: a canary is revealed once, by the validator that committed it, and only if it was committed before its task
// was delivered; that validator itself is not scored. A task is revealed once, however many canaries were committed for it:
// its fees come back once, and its panel is scored once.
// The canary reserve refunds the poster's fees, the cost of a planted task, as far as it can.

import {
  CANARY_EDGE_CASE,
  IN_CANARY_COMMITMENT,
  IN_CANARY_SALT,
  IN_CANARY_TASK,
  IN_CANARY_TRUTH,
  IN_CANARY_TYPE,
  NOT_A_VALIDATOR,
  OK,
  PARAM_CANARY_RATE_BP,
  POOL_CANARY,
  RESULT_AGENT,
  RESULT_CANARY_FEES,
  RESULT_CANARY_SCORED,
  TASK_CANARY,
  TASK_NOT_FOUND,
  TASK_STATE,
  VALIDATOR_ACTIVE,
} from '../abi';
import { addCanary, Canary, canaryAt, clearCanary, findCanary } from '../cases/canaries';
import { actor, commits, field32, fieldAddress, frame, refuse, setResult } from '../io/frame';
import { agentAt } from '../ledger/agents';
import { balanceOf, move, poolBalance, poolOf } from '../ledger/money';
import { BP } from '../ledger/rates';
import { sha256 } from '../lib/sha256';
import { writeDecimal, writeHex, writeLiteral } from '../lib/text';
import { header, param } from '../state/header';
import { mayLeave } from '../tasks/retention';
import { deliveryOf, findTask, panelMember, Task, taskAt, touchTask } from '../tasks/rows';
import { CANARY_RIGHT, noteCanary } from '../validators/calibration';
import { isSeat } from '../validators/seats';
import { validatorAt, validatorOf } from '../validators/validators';

const CANARY_PARTLY: u32 = 1;

// "canary:" + 32 hex + ":" + digit + ":" + digit + ":" + 64 hex
const TEXT: usize = memory.data(128, 8);
const HASH: usize = memory.data(32, 8);

function isOpenForCanaries(): bool {
  const h = header();
  return h.canariesCommitted * BP < param(PARAM_CANARY_RATE_BP) * h.assuredSubmissions;
}

/**
 * OP_CANARY_COMMIT, of the operator of an active validator with a seat. Errors: NOT_A_VALIDATOR, TASK_STATE (the rate
 * of canaries among assured submissions is 0 or used up, or the commitment exists already).
 */
export function commitCanary(): i32 {
  const index = validatorOf(actor());
  if (index < 0) return refuse(NOT_A_VALIDATOR);
  const validator = validatorAt(<u32>index);
  if (validator.status != VALIDATOR_ACTIVE || !isSeat(validator.seat)) return refuse(NOT_A_VALIDATOR);
  if (!isOpenForCanaries() || findCanary(fieldAddress(IN_CANARY_COMMITMENT)) >= 0) return refuse(TASK_STATE);
  if (!commits()) return OK;

  addCanary(fieldAddress(IN_CANARY_COMMITMENT), <u32>index, frame().nowSecs);
  setResult(RESULT_AGENT, frame().actor);
  return OK;
}

// Row of the canary that the command reveals, if the actor's validator committed it, or -1.
function revealedCanary(): i32 {
  let to = writeHex(writeLiteral(TEXT, 'canary:'), fieldAddress(IN_CANARY_TASK), 16);
  to = writeDecimal(writeLiteral(to, ':'), field32(IN_CANARY_TYPE));
  to = writeDecimal(writeLiteral(to, ':'), field32(IN_CANARY_TRUTH));
  to = writeHex(writeLiteral(to, ':'), fieldAddress(IN_CANARY_SALT), 32);
  sha256(TEXT, <u32>(to - TEXT), HASH);
  const row = findCanary(HASH);
  if (row < 0) return -1;
  return <i32>canaryAt(<u32>row).validator == validatorOf(actor()) ? row : -1;
}

// A task that has ended, is kept with its panel's votes, was not delivered before the commitment, and not revealed before.
function isRevealable(task: Task, canary: Canary): bool {
  if (mayLeave(task) || (task.flags & TASK_CANARY) != 0) return false;
  return canary.committedSecs < deliveryOf(task).submittedSecs;
}

// Points of a vote: an edge case is one that even a good judge may get wrong.
function pointsOf(approved: bool): u32 {
  if (approved == (field32(IN_CANARY_TRUTH) != 0)) return CANARY_RIGHT;
  return field32(IN_CANARY_TYPE) == CANARY_EDGE_CASE ? CANARY_PARTLY : 0;
}

// Scores the members of the panel that voted; returns how many.
function scorePanel(task: Task, committer: u32): u32 {
  const delivery = deliveryOf(task);
  let scored: u32 = 0;
  for (let position: u32 = 0; position < delivery.panelCount; position++) {
    const bit: u8 = 1 << (<u8>position);
    const member = panelMember(delivery, position);
    if ((delivery.panelVoted & bit) == 0 || member == committer) continue;
    noteCanary(member, task.category, pointsOf((delivery.panelApproved & bit) != 0), frame().nowSecs);
    scored++;
  }
  return scored;
}

// The base fee and assurance fee actually charged, as far as the reserve can refund them.
function returnFees(task: Task): u64 {
  const amount = min<u64>(task.baseFee + deliveryOf(task).assurancePaid, poolBalance(POOL_CANARY));
  move(poolOf(POOL_CANARY), balanceOf(agentAt(task.poster)), amount);
  return amount;
}

/**
 * OP_CANARY_REVEAL. Errors: TASK_NOT_FOUND (no such open canary of the actor's validator, or no such task here),
 * TASK_STATE (not ended, not or no longer retained, delivered before the commitment, or another canary of it was revealed).
 */
export function revealCanary(): i32 {
  const row = revealedCanary();
  const found = findTask(fieldAddress(IN_CANARY_TASK));
  if (row < 0 || found < 0) return refuse(TASK_NOT_FOUND);
  const task = taskAt(<u32>found);
  const canary = canaryAt(<u32>row);
  if (!isRevealable(task, canary)) return refuse(TASK_STATE);
  if (!commits()) return OK;

  const committer = canary.validator;
  clearCanary(<u32>row);
  task.flags |= TASK_CANARY;
  touchTask(task);
  setResult(RESULT_AGENT, frame().actor);
  setResult(RESULT_CANARY_SCORED, scorePanel(task, committer));
  setResult(RESULT_CANARY_FEES, returnFees(task));
  return OK;
}
