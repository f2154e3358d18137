// Opening a bonded challenge against a validator's work on a task (protocol 4.7, 6.6).
// Keeps: the bond is in escrow from the opening on, as the challenger's `reserved`; nobody challenges their own
// validator.

import {
  ALREADY_CHALLENGED,
  BOND_BELOW_MINIMUM,
  CAPACITY,
  IN_CHALLENGE_BOND,
  IN_CHALLENGE_HAS_BOND,
  IN_CHALLENGE_OFFENSE,
  IN_CHALLENGE_TARGET,
  IN_CHALLENGE_TASK,
  INSUFFICIENT_BALANCE,
  JOB_COMPLETED,
  LANE_NONE,
  NOT_CHALLENGEABLE,
  OFFENSE_DISHONEST_REPLAY,
  OK,
  RESULT_AGENT,
  RESULT_CHALLENGE_BOND,
  RESULT_CHALLENGE_DEADLINE,
  RESULT_CHALLENGE_TARGET,
  SELF_DEALING,
  TABLE_CHALLENGES,
  TASK_COMPLETED,
  TASK_NOT_FOUND,
  VALIDATOR_NOT_FOUND,
} from '../abi';
import { hasChallengeRow } from '../cases/challenges';
import { executorOf, jobAt } from '../cases/jobs';
import { actor, commits, field32, field64, fieldAddress, frame, refuse, setResult, txid } from '../io/frame';
import { balanceOf, escrowOf, move } from '../ledger/money';
import { BP, TOKEN } from '../ledger/rates';
import { mulDiv } from '../lib/u128';
import { retainedUntilSecs } from '../tasks/retention';
import { findTask, Task, taskAt } from '../tasks/rows';
import { isVerifier } from '../tasks/verifiers';
import { findNamedOrOwn } from '../validators/naming';
import { validatorAt } from '../validators/validators';
import { addToTask, isChallenged } from './challenge-chain';

// protocol 6.6: the minimum bond.
const MIN_BOND: u64 = TOKEN;
const BOND_BP: u64 = 100;

/** Minimum bond for a task's budget, micro-units. 250 tokens: 2,500,000; 40 tokens: 1,000,000. */
export function minBond(budget: u64): u64 {
  return max<u64>(MIN_BOND, mulDiv(budget, BOND_BP, BP));
}

/** True when the validator (index) can have committed the offense: it voted for completion, or executed the replay. */
export function isAccountable(task: Task, target: u32, offense: u32): bool {
  if (offense != OFFENSE_DISHONEST_REPLAY) return isVerifier(task, target);
  if (task.job == 0) return false;
  const job = jobAt(task.job - 1);
  return job.status == JOB_COMPLETED && executorOf(job) == target;
}

function isChallengeable(task: Task, target: u32, offense: u32, nowSecs: u64): bool {
  if (task.status != TASK_COMPLETED || task.lane == LANE_NONE) return false;
  return nowSecs < retainedUntilSecs(task) && isAccountable(task, target, offense);
}

/**
 * OP_CHALLENGE_OPEN. Errors: TASK_NOT_FOUND, VALIDATOR_NOT_FOUND, NOT_CHALLENGEABLE (state, lane, age, or the target
 * did not vote for completion), SELF_DEALING (own validator), ALREADY_CHALLENGED, BOND_BELOW_MINIMUM (minimum bond),
 * INSUFFICIENT_BALANCE, CAPACITY.
 */
export function openChallenge(): i32 {
  const f = frame();
  const row = findTask(fieldAddress(IN_CHALLENGE_TASK));
  if (row < 0) return refuse(TASK_NOT_FOUND);
  const task = taskAt(<u32>row);
  const target = findNamedOrOwn(fieldAddress(IN_CHALLENGE_TARGET));
  if (target < 0) return refuse(VALIDATOR_NOT_FOUND);
  const offense = field32(IN_CHALLENGE_OFFENSE);
  if (!isChallengeable(task, <u32>target, offense, f.nowSecs)) return refuse(NOT_CHALLENGEABLE);
  if (validatorAt(<u32>target).agent == f.actor) return refuse(SELF_DEALING);
  if (isChallenged(task, <u32>target, offense)) return refuse(ALREADY_CHALLENGED);
  const minimum = minBond(task.budget);
  const bond = field32(IN_CHALLENGE_HAS_BOND) != 0 ? field64(IN_CHALLENGE_BOND) : minimum;
  if (bond < minimum) return refuse(BOND_BELOW_MINIMUM, minimum);
  if (actor().balance < bond) return refuse(INSUFFICIENT_BALANCE, actor().balance, bond);
  if (!hasChallengeRow()) return refuse(CAPACITY, TABLE_CHALLENGES);
  if (!commits()) return OK;

  move(balanceOf(actor()), escrowOf(actor()), bond);
  const challenge = addToTask(task, txid(), f.actor, <u32>target, offense, bond, f.nowSecs);
  setResult(RESULT_AGENT, f.actor);
  setResult(RESULT_CHALLENGE_TARGET, <u32>target);
  setResult(RESULT_CHALLENGE_BOND, bond);
  setResult(RESULT_CHALLENGE_DEADLINE, challenge.deadlineSecs);
  return OK;
}
