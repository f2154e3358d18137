// Completed assured tasks for specs of replays and challenges: three of six validators approved as its panel.
// Keeps: everything is done by the real transitions; a cluster among the verifiers forces a replay.

import { LANE_STANDARD, RESOLUTION_APPROVED, SETTLED_VERIFIED } from '../../../assembly/abi';
import { setOutputBytes } from '../../../assembly/io/output';
import { Agent } from '../../../assembly/ledger/agents';
import { capacity, header, JOBS, nowSecs } from '../../../assembly/state/header';
import { completeTask } from '../../../assembly/tasks/completion';
import { deliveryOf, Task } from '../../../assembly/tasks/rows';
import { operatorOf, validatorAt } from '../../../assembly/validators/validators';
import { freshState, LAUNCH, newAgent, newValidator, setNow, TOKEN } from './state';
import { claimBy, deliver, panelVote, postTask } from './tasks';

export const DAY: u64 = 86400;
export const NOW: u64 = LAUNCH + 100;
export const GENERAL: u32 = 2;
export const VALIDATORS: u32 = 6;
export const VERIFIERS: u32 = 3;

/** A fresh state with VALIDATORS active validators of equal weight. */
export function withValidators(): void {
  freshState();
  setNow(NOW);
  for (let i: u64 = 0; i < VALIDATORS; i++) newValidator(i, 30000 * TOKEN, 5000);
}

export function operator(validator: u32): Agent {
  return operatorOf(validatorAt(validator));
}

/** Puts validators 0 and 1 into one cluster. */
export function clusterVerifiers(): void {
  validatorAt(0).cluster = 1;
  validatorAt(1).cluster = 1;
}

/** A submitted task of 200 tokens that validators 0, 1 and 2 approved as its panel; score 9000. */
export function approvedTask(number: u64): Task {
  const task = postTask(number, newAgent(100 + number, 300 * TOKEN, 0), 200 * TOKEN, LANE_STANDARD);
  claimBy(task, newAgent(200 + number, 0, 0));
  deliver(task, 9000);
  for (let i: u32 = 0; i < VERIFIERS; i++) panelVote(task, i, true);
  deliveryOf(task).panelVerdict = <u8>SETTLED_VERIFIED;
  setOutputBytes(0);
  return task;
}

export function complete(task: Task): Task {
  completeTask(task, RESOLUTION_APPROVED, nowSecs());
  return task;
}

/** A task completed with a replay pending. */
export function replayedTask(): Task {
  withValidators();
  clusterVerifiers();
  return complete(approvedTask(1));
}

/** A task completed without a replay, because there is no row for its job. */
export function plainTask(): Task {
  withValidators();
  header().jobsLive = capacity(JOBS);
  const task = complete(approvedTask(1));
  header().jobsLive = 0;
  return task;
}
