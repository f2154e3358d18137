// Commands on challenges and replays for specs.
// Keeps: each call writes one record and runs it; details and results are read with `result` of support/command.

import {
  OFFENSE_FRAUDULENT_APPROVAL,
  OK,
  OP_CHALLENGE_OPEN,
  OP_CHALLENGE_VOTE,
  OP_REPLAY_OUTCOME,
  OP_REPLAY_SUBMIT,
} from '../../../assembly/abi';
import { openChallenge } from '../../../assembly/assurance/challenge-opening';
import { voteOnChallenge } from '../../../assembly/assurance/challenge-votes';
import { reportReplay, submitReplay } from '../../../assembly/assurance/replay-results';
import { Challenge, challengeAt, challengeIdOf } from '../../../assembly/cases/challenges';
import { executorOf, Job, jobAt, jobIdOf } from '../../../assembly/cases/jobs';
import { Agent } from '../../../assembly/ledger/agents';
import { Task, taskIdOf } from '../../../assembly/tasks/rows';
import { validatorAt, validatorId } from '../../../assembly/validators/validators';
import { operator } from './cases';
import { beginRecord, putName, run } from './command';

/** Opens a challenge of validator `target`; `bond` 0 = not given. Returns the code. */
export function challenge(
  by: Agent,
  task: Task,
  target: u32,
  offense: u32 = OFFENSE_FRAUDULENT_APPROVAL,
  bond: u64 = 0,
  txid: u8 = 1,
): i32 {
  const record = beginRecord(OP_CHALLENGE_OPEN, by, txid);
  memory.copy(record + 96, taskIdOf(task), 16);
  putName(record + 112, validatorId(validatorAt(target)), validatorAt(target).idBytes);
  store<u32>(record, offense, 184);
  store<u32>(record, bond == 0 ? 0 : 1, 188);
  store<u64>(record, bond, 192);
  return run(openChallenge);
}

/** The newest challenge of a task. */
export function newestOf(task: Task): Challenge {
  let link = task.challengeHead;
  while (challengeAt(link - 1).next != 0) link = challengeAt(link - 1).next;
  return challengeAt(link - 1);
}

/** Opens a challenge, which must be accepted. */
export function opened(by: Agent, task: Task, target: u32, txid: u8 = 1): Challenge {
  assert(challenge(by, task, target, OFFENSE_FRAUDULENT_APPROVAL, 0, txid) == OK, 'it was refused');
  return newestOf(task);
}

/** A vote of an agent for CHALLENGE_*; the code. */
export function voteBy(voter: Agent, on: Challenge, outcome: u32): i32 {
  const record = beginRecord(OP_CHALLENGE_VOTE, voter);
  memory.copy(record + 96, challengeIdOf(on), 16);
  store<u32>(record, outcome, 112);
  return run(voteOnChallenge);
}

/** A vote of the operator of a validator. */
export function vote(validator: u32, on: Challenge, outcome: u32): i32 {
  return voteBy(operator(validator), on, outcome);
}

export function jobOf(task: Task): Job {
  return jobAt(task.job - 1);
}

/** Submits `checks` compared bytes, all `compared`, by an agent; the code. */
export function submitBy(agent: Agent, job: Job, checks: u32, compared: u32): i32 {
  const record = beginRecord(OP_REPLAY_SUBMIT, agent);
  memory.copy(record + 96, jobIdOf(job), 32);
  store<u32>(record, checks, 144);
  memory.fill(record + 152, <u8>compared, checks);
  return run(submitReplay);
}

/** The same by the executor. */
export function submit(job: Job, checks: u32, compared: u32): i32 {
  return submitBy(operator(executorOf(job)), job, checks, compared);
}

/** The executor reports OUTCOME_* or REPLAY_OUTCOME_FAILED; the code. */
export function report(job: Job, outcome: u32, isCodeOrData: bool = false): i32 {
  const record = beginRecord(OP_REPLAY_OUTCOME, operator(executorOf(job)));
  memory.copy(record + 96, jobIdOf(job), 32);
  store<u32>(record, outcome, 128);
  store<u32>(record, isCodeOrData ? 1 : 0, 132);
  return run(reportReplay);
}
