// Sealed deliveries with the examples of protocol 15.10: budget 10 tokens, both bonds 10 tokens.

import {
  CONTENT_KEY_MISMATCH,
  CONTENT_KEY_NEEDED,
  IN_OPEN_FLAGS,
  IN_TASK_ID,
  NOT_PARTY,
  OK,
  OP_TASK_CONCEDE,
  OP_TASK_CONTEST,
  OP_TASK_OPEN,
  OPEN_GIVEN,
  OPEN_HOLDS,
  OPEN_MATCHES,
  POOL_TREASURY,
  RESOLUTION_NOTHING_DELIVERED,
  TASK_CANCELLED,
  TASK_CHECKING,
  TASK_DISPUTED,
  TASK_ENCRYPTED,
  TASK_OPENED,
  TASK_SEALED,
  TASK_STATE,
} from '../../../assembly/abi';
import { Agent, agentAt } from '../../../assembly/ledger/agents';
import { poolBalance, SUPPLY } from '../../../assembly/ledger/money';
import { fullSupply } from '../../../assembly/run/audit';
import { concedeDispute, contestDispute, endUncontested } from '../../../assembly/tasks/answers';
import { notePosterDispute } from '../../../assembly/tasks/bonds';
import { openDispute } from '../../../assembly/tasks/disputes';
import { contractOf, judgingOf, Task, taskIdOf } from '../../../assembly/tasks/rows';
import { openDelivery } from '../../../assembly/tasks/sealed';
import { beginRecord, run } from '../support/command';
import { freshState, LAUNCH, newAgent, newValidator, setNow, TOKEN } from '../support/state';
import { claimBy, deliver, postTask } from '../support/tasks';

const EVENT: usize = memory.data(32, 8);
const NOW: u64 = LAUNCH + 100;
const FUNDS: u64 = 100 * TOKEN;
const KEY: u32 = OPEN_GIVEN | OPEN_MATCHES | OPEN_HOLDS;
const EMPTY: u32 = OPEN_GIVEN | OPEN_MATCHES;

/** Bob delivered sealed, Alice disputes: 20 tokens of bonds are held. `fuel`: of the contract, 0 = none. */
function disputed(fuel: u32 = 0): Task {
  freshState();
  setNow(NOW);
  for (let i: u64 = 0; i < 3; i++) newValidator(i, 25000 * TOKEN, 5000);
  const task = postTask(1, newAgent(101, FUNDS, 0), 10 * TOKEN);
  judgingOf(task).workerBond = 10 * TOKEN;
  contractOf(task).fuel = fuel;
  task.flags |= TASK_ENCRYPTED;
  claimBy(task, newAgent(102, FUNDS, 0));
  deliver(task, 5000);
  task.flags |= TASK_SEALED;
  notePosterDispute(task);
  openDispute(task, EVENT, NOW);
  return task;
}

function alice(task: Task): Agent {
  return agentAt(task.poster);
}

function bob(task: Task): Agent {
  return agentAt(task.claimer - 1);
}

/** Starts a record about the task with OPEN_*. */
function about(task: Task, opcode: u32, by: Agent, flags: u32): void {
  const record = beginRecord(opcode, by);
  memory.copy(record + IN_TASK_ID, taskIdOf(task), 16);
  store<u32>(record, flags, IN_OPEN_FLAGS);
}

function contestWith(task: Task, flags: u32): i32 {
  about(task, OP_TASK_CONTEST, bob(task), flags);
  return run(contestDispute);
}

function openBy(task: Task, by: Agent, flags: u32): i32 {
  about(task, OP_TASK_OPEN, by, flags);
  return run(openDelivery);
}

describe('the worker of a sealed delivery', () => {
  it('contests with its key only', () => {
    const task = disputed();
    expect(bob(task).reserved).toBe(10 * TOKEN);
    expect(alice(task).reserved).toBe(20 * TOKEN);
    expect(contestWith(task, 0)).toBe(CONTENT_KEY_NEEDED);
    expect(contestWith(task, OPEN_GIVEN)).toBe(CONTENT_KEY_MISMATCH);
    expect<u32>(judgingOf(task).isContested).toBe(0);
    expect(task.flags & TASK_OPENED).toBe(0);
    expect(contestWith(task, KEY)).toBe(OK);
    expect<u32>(judgingOf(task).isContested).toBe(1);
    expect(task.flags & TASK_OPENED).toBe(TASK_OPENED);
    expect<u32>(task.status).toBe(TASK_DISPUTED);
  });

  it('loses its bond when it is silent', () => {
    const task = disputed();
    const treasury = poolBalance(POOL_TREASURY);
    endUncontested(task, false, NOW + 86400);
    expect(alice(task).balance).toBe(FUNDS);
    expect(bob(task).balance).toBe(FUNDS - 10 * TOKEN);
    expect(poolBalance(POOL_TREASURY) - treasury).toBe(10 * TOKEN);
    expect(fullSupply()).toBe(SUPPLY);
  });

  it('loses at once with a key that shows that nothing was in the box', () => {
    const task = disputed();
    const treasury = poolBalance(POOL_TREASURY);
    expect(contestWith(task, EMPTY)).toBe(OK);
    expect<u32>(task.status).toBe(TASK_CANCELLED);
    expect<u32>(task.resolution).toBe(RESOLUTION_NOTHING_DELIVERED);
    expect<u32>(judgingOf(task).isContested).toBe(0);
    expect(alice(task).balance).toBe(FUNDS);
    expect(bob(task).balance).toBe(FUNDS - 10 * TOKEN);
    expect(poolBalance(POOL_TREASURY) - treasury).toBe(10 * TOKEN);
    expect(fullSupply()).toBe(SUPPLY);
  });

  it('has its contract run before judges are asked', () => {
    const task = disputed(11000000);
    expect(contestWith(task, KEY)).toBe(OK);
    expect(task.flags & TASK_CHECKING).toBe(TASK_CHECKING);
    expect<u32>(judgingOf(task).isContested).toBe(0);
    expect(contestWith(task, KEY)).toBe(TASK_STATE);
  });
});

describe('an opening', () => {
  it('is for the parties, with the key that was committed to, and once', () => {
    const task = disputed();
    const carol = newAgent(103, FUNDS, 0);
    expect(openBy(task, carol, KEY)).toBe(NOT_PARTY);
    expect(openBy(task, alice(task), OPEN_GIVEN | OPEN_HOLDS)).toBe(CONTENT_KEY_MISMATCH);
    expect(openBy(task, alice(task), KEY)).toBe(OK);
    expect(openBy(task, bob(task), KEY)).toBe(TASK_STATE);
    expect<u32>(task.status).toBe(TASK_DISPUTED);
    expect<u32>(judgingOf(task).isContested).toBe(0);
  });

  it('leaves the answer to the worker: it contests without a key, or concedes and has 2.5 tokens of its bond back', () => {
    const contesting = disputed();
    openBy(contesting, alice(contesting), KEY);
    expect(contestWith(contesting, 0)).toBe(OK);
    expect<u32>(judgingOf(contesting).isContested).toBe(1);
    const task = disputed();
    openBy(task, alice(task), KEY);
    about(task, OP_TASK_CONCEDE, bob(task), 0);
    expect(run(concedeDispute)).toBe(OK);
    expect(alice(task).balance).toBe(FUNDS);
    expect(bob(task).balance).toBe(FUNDS - 7500000);
    expect(fullSupply()).toBe(SUPPLY);
  });
});
