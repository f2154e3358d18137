// Tasks for specs, created by the real transitions, without commands.
// Keeps: money is locked and rows are reserved as the operations do it, so every end can be tested from any state.

import {
  LANE_NONE,
  POOL_REPLAY_GENERAL,
  SHARES,
  TASK_CLAIMED,
  TASK_FACTS_HOLD,
  TASK_GENERATION_ELIGIBLE,
  TASK_OPEN,
  TASK_SUBMITTED,
} from '../../../assembly/abi';
import { setOutputBytes } from '../../../assembly/io/output';
import { Agent, agentIndex } from '../../../assembly/ledger/agents';
import { balanceOf, escrowOf, move } from '../../../assembly/ledger/money';
import { assuranceFee } from '../../../assembly/tasks/lanes';
import { addTask, beginDelivery, deliveryOf, judgingOf, panelOf, Task } from '../../../assembly/tasks/rows';
import { moveTo } from '../../../assembly/tasks/status';
import { notePanelVote } from '../../../assembly/tasks/verifiers';
import { LAUNCH } from './state';

const ID: usize = memory.data(16, 8);
const GENERAL: u32 = 2;

/** An open top-level task of category general. */
export function postTask(number: u64, poster: Agent, budget: u64, lane: u32 = LANE_NONE): Task {
  store<u64>(ID, number);
  const task = addTask(ID);
  task.budget = budget;
  task.escrow = budget;
  task.poster = agentIndex(poster);
  task.lane = <u8>lane;
  task.laneAsked = <u8>lane;
  task.assuranceFee = assuranceFee(lane, budget);
  if (lane != LANE_NONE) task.flags = TASK_GENERATION_ELIGIBLE;
  task.reserve = <u8>POOL_REPLAY_GENERAL;
  task.postedSecs = LAUNCH;
  judgingOf(task).share = <u8>SHARES;
  task.expiresSecs = LAUNCH + 30 * 86400;
  move(balanceOf(poster), escrowOf(poster), budget);
  moveTo(task, TASK_OPEN);
  setOutputBytes(0);
  return task;
}

export function claimBy(task: Task, worker: Agent): void {
  task.category = <u16>GENERAL;
  task.claimer = agentIndex(worker) + 1;
  task.claimedSecs = LAUNCH + 10;
  task.claimDeadlineSecs = LAUNCH + 610;
  moveTo(task, TASK_CLAIMED);
}

/** Submitted 40 seconds after the claim, without opening a panel. */
export function deliver(task: Task, overallBp: u32): void {
  task.overallBp = <u16>overallBp;
  task.flags |= TASK_FACTS_HOLD;
  const delivery = beginDelivery(task);
  delivery.submittedSecs = task.claimedSecs + 40;
  delivery.reviewDeadlineSecs = task.claimedSecs + 340;
  moveTo(task, TASK_SUBMITTED);
}

/** Puts a validator (index) on the panel. */
export function joinPanel(task: Task, validator: u32): void {
  const delivery = deliveryOf(task);
  const position = <u32>delivery.panelCount;
  delivery.panelCount++;
  store<u16>(panelOf(delivery) + ((<usize>position) << 1), <u16>validator);
}

/** Puts a validator (index) on the panel, and lets it vote. */
export function panelVote(task: Task, validator: u32, approves: bool): void {
  joinPanel(task, validator);
  notePanelVote(task, validator, approves);
}
