// The end of a review about which the poster was silent (protocol 7.1, 15.3).

import {
  ITEM_SUBMISSION,
  LANE_STANDARD,
  RESOLUTION_UNREVIEWED,
  RESOLUTION_WINDOW_PASSED,
  SETTLED_REJECTED,
  SETTLED_VERIFIED,
  STATUS_REASON_OFFENSE,
  TASK_CANCELLED,
  TASK_COMPLETED,
  TASK_DISPUTED,
  TASK_EXTERNAL,
  TASK_PAYS_SILENTLY,
} from '../../../assembly/abi';
import { assignedOf, itemRow, openItem } from '../../../assembly/settlement/items';
import { addVote } from '../../../assembly/settlement/votes';
import { fireTask } from '../../../assembly/tasks/deadlines';
import { deliveryOf, Task, taskRow } from '../../../assembly/tasks/rows';
import { suspend } from '../../../assembly/validators/status';
import { validatorAt } from '../../../assembly/validators/validators';
import { NOW, withValidators } from '../support/cases';
import { freshState, LAUNCH, newAgent, TOKEN } from '../support/state';
import { claimBy, deliver, joinPanel, postTask } from '../support/tasks';

const EVENT: usize = memory.data(32, 8);
const END: u64 = LAUNCH + 400;

/** A task that takes external deliveries, delivered. */
function external(flags: u32, verdict: u32): Task {
  freshState();
  const task = postTask(1, newAgent(1, 300 * TOKEN, 0), TOKEN);
  task.flags |= TASK_EXTERNAL | flags;
  claimBy(task, newAgent(2, 0, 0));
  deliver(task, 100);
  deliveryOf(task).panelVerdict = <u8>verdict;
  fireTask(task, END);
  return task;
}

/** An assured task whose panel are the validators 0, 1 and 2, of which two rejected it: less than 66.7 % of three. */
function rejectedByTwo(): Task {
  withValidators();
  const task = postTask(1, newAgent(100, 300 * TOKEN, 0), 200 * TOKEN, LANE_STANDARD);
  claimBy(task, newAgent(200, 0, 0));
  deliver(task, 9000);
  const item = openItem(EVENT, ITEM_SUBMISSION, task.claimer - 1, task.poster, task.budget, NOW, END);
  item.task = taskRow(task) + 1;
  for (let i: u32 = 0; i < 3; i++) {
    joinPanel(task, i);
    store<u16>(assignedOf(item) + ((<usize>i) << 1), <u16>i);
  }
  item.assignedCount = 3;
  deliveryOf(task).submissionItem = itemRow(item) + 1;
  addVote(item, 0, false, 0, NOW);
  addVote(item, 1, false, 0, NOW);
  return task;
}

describe('silence about an external delivery', () => {
  it('pays nothing, and is no failure of the worker', () => {
    const task = external(0, 0);
    expect<i32>(task.status).toBe(TASK_CANCELLED);
    expect<i32>(task.resolution).toBe(RESOLUTION_UNREVIEWED);
  });

  it('pays where a panel approved it, or the poster chose so', () => {
    expect<i32>(external(0, SETTLED_VERIFIED).status).toBe(TASK_COMPLETED);
    expect<i32>(external(TASK_PAYS_SILENTLY, 0).status).toBe(TASK_COMPLETED);
  });

  it('is a dispute where a panel rejected it', () => {
    expect<i32>(external(0, SETTLED_REJECTED).status).toBe(TASK_DISPUTED);
  });
});

describe('the votes of a panel at the end of the review', () => {
  it('decide nothing without a quorum', () => {
    const task = rejectedByTwo();
    fireTask(task, END);
    expect<i32>(task.status).toBe(TASK_COMPLETED);
    expect<i32>(task.resolution).toBe(RESOLUTION_WINDOW_PASSED);
  });

  it('are counted a last time, with the weights of that moment', () => {
    const task = rejectedByTwo();
    suspend(validatorAt(2), STATUS_REASON_OFFENSE, END + 1, NOW);
    fireTask(task, END);
    expect<i32>(task.status).toBe(TASK_DISPUTED);
    expect<i32>(deliveryOf(task).panelVerdict).toBe(SETTLED_REJECTED);
  });
});
