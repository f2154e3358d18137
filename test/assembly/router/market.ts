// Agents with offers and open tasks for the router's specs, created by the real commands and transitions.
// Keeps: labels are the numbers that a spec gives, except for categories with records, whose labels follow from names.

import {
  OK,
  OP_ROUTER_AVAILABLE,
  OP_ROUTER_REGISTER,
  OP_ROUTER_REMOVE,
  TASK_EXCLUSIVE,
  TASK_OPEN,
} from '../../../assembly/abi';
import { standingRow } from '../../../assembly/credit/standing';
import { beginCommand, frame } from '../../../assembly/io/frame';
import { setOutputBytes } from '../../../assembly/io/output';
import { agentAt, touchAgent } from '../../../assembly/ledger/agents';
import { internCategory } from '../../../assembly/reputation/categories';
import { makeRecord, recordAt } from '../../../assembly/reputation/records';
import { labelOf, learnCategories } from '../../../assembly/router/labels';
import { isRegistration } from '../../../assembly/router/operations';
import { beginRouting, notifyRouter, operateRouter } from '../../../assembly/run/routing';
import { header } from '../../../assembly/state/header';
import { addTask, setTags, Task } from '../../../assembly/tasks/rows';
import { moveTo } from '../../../assembly/tasks/status';
import { LAUNCH } from '../support/state';

const RECORD: usize = memory.data(400, 8);
const ID: usize = memory.data(16, 8);
const FORM: usize = memory.data(56, 8);
const TAGS: usize = memory.data(80, 8);

function run(opcode: u32, agent: u32, bytes: u32): i32 {
  store<u16>(RECORD, <u16>opcode);
  store<u32>(RECORD, bytes, 4);
  setOutputBytes(0);
  beginCommand(RECORD, 0, LAUNCH);
  frame().actor = agent;
  const code = operateRouter(opcode);
  if (code == OK) beginRouting();
  return code;
}

/** Registers an offer in one category, with up to two tags (0 = none). Returns the code. */
export function offer(agent: u32, category: u64, price: u64, most: u32, tagA: u64 = 0, tagB: u64 = 0): i32 {
  memory.fill(RECORD, 0, 400);
  const tags: u32 = (tagA != 0 ? 1 : 0) + (tagB != 0 ? 1 : 0);
  store<u64>(RECORD, price, 96);
  store<u32>(RECORD, most, 104);
  store<u32>(RECORD, 1, 108);
  store<u32>(RECORD, tags, 112);
  store<u64>(RECORD, category, 120);
  store<u64>(RECORD, tagA, 128);
  store<u64>(RECORD, tagB, 136);
  assert(isRegistration(RECORD, 128 + tags * 8), 'the registration of the spec is malformed');
  return run(OP_ROUTER_REGISTER, agent, 128 + tags * 8);
}

export function withdraw(agent: u32): i32 {
  return run(OP_ROUTER_REMOVE, agent, 96);
}

export function setAvailable(agent: u32, isAvailable: bool): i32 {
  store<u64>(RECORD, isAvailable ? 1 : 0, 96);
  return run(OP_ROUTER_AVAILABLE, agent, 104);
}

/** Posts a task, with up to two tags. It is routed at once if there is a candidate. */
export function post(
  id: u64,
  poster: u32,
  category: u64,
  budget: u64,
  flags: u32 = 0,
  tagA: u64 = 0,
  tagB: u64 = 0,
): Task {
  store<u64>(ID, id);
  const task = addTask(ID);
  task.budget = budget;
  task.poster = poster;
  task.flags = flags;
  task.categoryLabel = category;
  store<u64>(TAGS, tagA);
  store<u64>(TAGS, tagB, 8);
  setTags(task, TAGS, (tagA != 0 ? 1 : 0) + (tagB != 0 ? 1 : 0));
  task.expiresSecs = LAUNCH + 1000000;
  setOutputBytes(0);
  moveTo(task, TASK_OPEN);
  notifyRouter();
  return task;
}

export function postExclusive(id: u64, poster: u32, category: u64, budget: u64): Task {
  return post(id, poster, category, budget, TASK_EXCLUSIVE);
}

/** Index of a category named by one letter, and its label in `labelOfCategory`. */
export function category(letter: u8): u32 {
  memory.fill(FORM, 0, 56);
  store<u32>(FORM, 1);
  store<u8>(FORM, letter, 4);
  const index = <u32>internCategory(FORM);
  learnCategories();
  return index;
}

export function labelOfCategory(index: u32): u64 {
  return labelOf(index);
}

/** Sets how far an agent's standing backs its records, bp. */
export function setBacking(agent: u32, bp: u16): void {
  standingRow(agent).breadth = bp;
  touchAgent(agentAt(agent));
}

/** Sets an agent's record in a category, backed in full: completions, failures, mean score in bp. */
export function setRecord(agent: u32, category: u32, completed: u32, failed: u32, averageBp: u64): void {
  const row = agentAt(agent);
  setBacking(agent, 10000);
  const record = recordAt(makeRecord(row, category) - 1);
  row.completed += completed - record.completed;
  record.completed = completed;
  record.failed = failed;
  record.scoreBpSum = averageBp * completed;
  touchAgent(row);
}

/** Index of the last registered agent. */
export function lastAgent(): u32 {
  return header().agentCount - 1;
}
