// Canaries (protocol 7.7): who may commit how many, what a reveal must match, what it scores and refunds.

import {
  CANARY_ADVERSARIAL,
  CANARY_EDGE_CASE,
  CANARY_KNOWN_BAD,
  CANARY_KNOWN_GOOD,
  CONFIG_PARAMS,
  LANE_NONE,
  LANE_STANDARD,
  NOT_A_VALIDATOR,
  OK,
  OP_CANARY_COMMIT,
  OP_CANARY_REVEAL,
  PARAM_CANARY_RATE_BP,
  POOL_CANARY,
  POOL_REWARDS,
  RESOLUTION_APPROVED,
  RESOLUTION_DISPUTE_DEADLINE,
  TASK_NOT_FOUND,
  TASK_STATE,
  VALIDATOR_SUSPENDED,
} from '../../../assembly/abi';
import { commitCanary, revealCanary } from '../../../assembly/assurance/canary-steps';
import { findCanary } from '../../../assembly/cases/canaries';
import { Agent } from '../../../assembly/ledger/agents';
import { move, poolBalance, poolOf, SUPPLY } from '../../../assembly/ledger/money';
import { sha256 } from '../../../assembly/lib/sha256';
import { writeDecimal, writeHex, writeLiteral } from '../../../assembly/lib/text';
import { fullSupply } from '../../../assembly/run/audit';
import { header } from '../../../assembly/state/header';
import { root } from '../../../assembly/state/root';
import { cancelByDispute, completeTask } from '../../../assembly/tasks/completion';
import { openDispute } from '../../../assembly/tasks/disputes';
import { endRetention } from '../../../assembly/tasks/retention';
import { deliveryOf, Task, taskIdOf } from '../../../assembly/tasks/rows';
import { calibrationAt } from '../../../assembly/validators/calibration';
import { addSeat } from '../../../assembly/validators/seats';
import { operatorOf, validatorAt } from '../../../assembly/validators/validators';
import { beginRecord, result, run } from '../support/command';
import { freshState, LAUNCH, newAgent, newValidator, setNow, TOKEN } from '../support/state';
import { claimBy, deliver, panelVote, postTask } from '../support/tasks';

const KEY: usize = memory.data(32, 8);
const TEXT: usize = memory.data(128, 8);
const COMMITMENT: usize = memory.data(32, 8);
const OTHER: usize = memory.data(32, 8);
const SALT: usize = memory.data(32, 8);
const EVENT: usize = memory.data(32, 8);
const NOW: u64 = LAUNCH + 100;

function setRate(rateBp: u64, submissions: u64): void {
  store<u64>(root().base + <usize>CONFIG_PARAMS + PARAM_CANARY_RATE_BP * 8, rateBp);
  header().assuredSubmissions = submissions;
}

/** Four active validators, the first two with seats; the canary rate allows one for ten submissions. */
function setUp(): void {
  freshState();
  setNow(LAUNCH);
  for (let i: u64 = 0; i < 4; i++) newValidator(i, 25000 * TOKEN, 5000);
  for (let seat: u32 = 0; seat < 2; seat++) {
    store<u64>(KEY, 77 + seat);
    addSeat(seat, validatorAt(seat).agent, <i32>seat, KEY, 1, KEY, 1);
    validatorAt(seat).seat = seat;
  }
  setRate(1000, 10);
}

function operator(validator: u32): Agent {
  return operatorOf(validatorAt(validator));
}

function commitmentOf(task: Task, type: u32, truth: u32): usize {
  let to = writeHex(writeLiteral(TEXT, 'canary:'), taskIdOf(task), 16);
  to = writeDecimal(writeLiteral(to, ':'), type);
  to = writeDecimal(writeLiteral(to, ':'), truth);
  to = writeHex(writeLiteral(to, ':'), SALT, 32);
  sha256(TEXT, <u32>(to - TEXT), COMMITMENT);
  return COMMITMENT;
}

function commit(by: Agent, commitment: usize): i32 {
  const record = beginRecord(OP_CANARY_COMMIT, by);
  memory.copy(record + 96, commitment, 32);
  return run(commitCanary);
}

function reveal(by: Agent, task: Task, type: u32, truth: u32): i32 {
  const record = beginRecord(OP_CANARY_REVEAL, by);
  memory.copy(record + 96, taskIdOf(task), 16);
  memory.copy(record + 112, SALT, 32);
  store<u32>(record, type, 144);
  store<u32>(record, truth, 148);
  return run(revealCanary);
}

/** A task of 200 tokens with a panel of validators 1, 2 (approving) and 3 (rejecting), delivered at LAUNCH + 50. */
function plant(lane: u32 = LANE_STANDARD): Task {
  const task = postTask(1, newAgent(1, 200 * TOKEN, 0), 200 * TOKEN, lane);
  claimBy(task, newAgent(2, 0, 0));
  deliver(task, 9000);
  panelVote(task, 1, true);
  panelVote(task, 2, true);
  panelVote(task, 3, false);
  setNow(NOW);
  return task;
}

/** Points and signals of a validator in its only category, as points * 100 + signals. */
function score(validator: u32): u32 {
  const head = validatorAt(validator).calibrationHead;
  if (head == 0) return 0;
  return calibrationAt(head - 1).canaryPoints * 100 + calibrationAt(head - 1).canarySignals;
}

describe('commit', () => {
  it('is accepted from operators of active validators with a seat only', () => {
    setUp();
    expect(commit(newAgent(5, 0, 0), COMMITMENT)).toBe(NOT_A_VALIDATOR);
    expect(commit(operator(2), COMMITMENT)).toBe(NOT_A_VALIDATOR);
    validatorAt(0).status = VALIDATOR_SUSPENDED;
    expect(commit(operator(0), COMMITMENT)).toBe(NOT_A_VALIDATOR);
    expect(commit(operator(1), COMMITMENT)).toBe(OK);
    expect(result(0)).toBe(validatorAt(1).agent);
    expect(findCanary(COMMITMENT)).toBe(0);
  });

  it('keeps the rate of assured submissions, and is refused at a rate of 0', () => {
    setUp();
    setRate(0, 1000000);
    expect(commit(operator(0), COMMITMENT)).toBe(TASK_STATE);
    setRate(1000, 0);
    expect(commit(operator(0), COMMITMENT)).toBe(TASK_STATE);
    setRate(1000, 1);
    expect(commit(operator(0), COMMITMENT)).toBe(OK);
    store<u64>(OTHER, 5);
    setRate(1000, 10);
    expect(commit(operator(0), OTHER)).toBe(TASK_STATE);
    setRate(1000, 11);
    expect(commit(operator(1), COMMITMENT)).toBe(TASK_STATE);
    expect(commit(operator(1), OTHER)).toBe(OK);
    expect(header().canariesCommitted).toBe(2);
  });

  it('replaces the oldest when the ring is full', () => {
    setUp();
    setRate(10000, 1000);
    for (let i: u64 = 1; i <= 51; i++) {
      store<u64>(OTHER, i);
      expect(commit(operator(0), OTHER)).toBe(OK);
    }
    expect(findCanary(OTHER)).toBe(0);
    store<u64>(OTHER, 1);
    expect(findCanary(OTHER)).toBe(-1);
    store<u64>(OTHER, 2);
    expect(findCanary(OTHER)).toBe(1);
  });
});

describe('reveal', () => {
  it('scores the votes against the truth and refunds the fees, once', () => {
    setUp();
    const task = plant();
    setNow(LAUNCH);
    expect(commit(operator(0), commitmentOf(task, CANARY_KNOWN_GOOD, 1))).toBe(OK);
    setNow(NOW);
    completeTask(task, RESOLUTION_APPROVED, NOW);
    move(poolOf(POOL_REWARDS), poolOf(POOL_CANARY), 10 * TOKEN);
    const held = poolBalance(POOL_CANARY);
    expect(reveal(operator(0), task, CANARY_KNOWN_GOOD, 1)).toBe(OK);
    expect(result(1)).toBe(3);
    // Base fee 200,000 and assurance fee 6,000,000 (protocol 6.3).
    expect(result(2)).toBe(6200000);
    expect(held - poolBalance(POOL_CANARY)).toBe(6200000);
    expect(score(1)).toBe(201);
    expect(score(2)).toBe(201);
    expect(score(3)).toBe(1);
    expect(score(0)).toBe(0);
    expect(reveal(operator(0), task, CANARY_KNOWN_GOOD, 1)).toBe(TASK_NOT_FOUND);
  });

  it('scores and refunds a task once, however many canaries were committed for it', () => {
    setUp();
    setRate(10000, 10);
    const task = plant();
    setNow(LAUNCH);
    expect(commit(operator(0), commitmentOf(task, CANARY_KNOWN_GOOD, 1))).toBe(OK);
    expect(commit(operator(0), commitmentOf(task, CANARY_KNOWN_BAD, 0))).toBe(OK);
    expect(commit(operator(1), commitmentOf(task, CANARY_EDGE_CASE, 1))).toBe(OK);
    setNow(NOW);
    completeTask(task, RESOLUTION_APPROVED, NOW);
    move(poolOf(POOL_REWARDS), poolOf(POOL_CANARY), 100 * TOKEN);
    const held = poolBalance(POOL_CANARY);
    expect(reveal(operator(0), task, CANARY_KNOWN_GOOD, 1)).toBe(OK);
    expect(reveal(operator(0), task, CANARY_KNOWN_BAD, 0)).toBe(TASK_STATE);
    expect(reveal(operator(1), task, CANARY_EDGE_CASE, 1)).toBe(TASK_STATE);
    expect(held - poolBalance(POOL_CANARY)).toBe(6200000);
    expect(score(1)).toBe(201);
  });

  it('refunds no more than the reserve holds, and keeps the supply', () => {
    setUp();
    const task = plant();
    setNow(LAUNCH);
    commit(operator(0), commitmentOf(task, CANARY_KNOWN_GOOD, 1));
    setNow(NOW);
    completeTask(task, RESOLUTION_APPROVED, NOW);
    // The reserve only has its share of this task's fee: 117,000 (protocol 6.4).
    const held = poolBalance(POOL_CANARY);
    expect(held).toBe(117000);
    expect(reveal(operator(0), task, CANARY_KNOWN_GOOD, 1)).toBe(OK);
    expect(result(2)).toBe(117000);
    expect(poolBalance(POOL_CANARY)).toBe(0);
    expect(header().supply).toBe(SUPPLY);
    expect(fullSupply()).toBe(SUPPLY);
  });

  it('gives half a hit for a miss on an edge case, none on other types', () => {
    for (let type: u32 = CANARY_KNOWN_BAD; type <= <u32>CANARY_EDGE_CASE; type++) {
      setUp();
      const task = plant();
      setNow(LAUNCH);
      commit(operator(0), commitmentOf(task, type, 0));
      setNow(NOW);
      completeTask(task, RESOLUTION_APPROVED, NOW);
      expect(reveal(operator(0), task, type, 0)).toBe(OK);
      expect(score(1)).toBe(type == CANARY_EDGE_CASE ? 101 : 1);
      expect(score(3)).toBe(201);
    }
  });

  it('does not score the committing validator', () => {
    setUp();
    const task = plant();
    setNow(LAUNCH);
    commit(operator(1), commitmentOf(task, CANARY_KNOWN_GOOD, 1));
    setNow(NOW);
    completeTask(task, RESOLUTION_APPROVED, NOW);
    expect(reveal(operator(1), task, CANARY_KNOWN_GOOD, 1)).toBe(OK);
    expect(result(1)).toBe(2);
    expect(score(1)).toBe(0);
    expect(score(2)).toBe(201);
  });

  it('scores a task that was cancelled after its delivery, and refunds nothing', () => {
    setUp();
    const task = plant();
    setNow(LAUNCH);
    commit(operator(0), commitmentOf(task, CANARY_ADVERSARIAL, 0));
    setNow(NOW);
    openDispute(task, EVENT, NOW);
    deliveryOf(task).disputeItem = 0;
    cancelByDispute(task, RESOLUTION_DISPUTE_DEADLINE, false, NOW);
    expect(reveal(operator(0), task, CANARY_ADVERSARIAL, 0)).toBe(OK);
    expect(result(1)).toBe(3);
    expect(result(2)).toBe(0);
    expect(score(1)).toBe(1);
    expect(score(3)).toBe(201);
  });
});

describe('a reveal is refused', () => {
  it('when anything differs from the commitment, or another agent reveals it', () => {
    setUp();
    const task = plant();
    setNow(LAUNCH);
    commit(operator(0), commitmentOf(task, CANARY_KNOWN_GOOD, 1));
    setNow(NOW);
    completeTask(task, RESOLUTION_APPROVED, NOW);
    expect(reveal(operator(0), task, CANARY_KNOWN_GOOD, 0)).toBe(TASK_NOT_FOUND);
    expect(reveal(operator(0), task, CANARY_EDGE_CASE, 1)).toBe(TASK_NOT_FOUND);
    expect(reveal(operator(1), task, CANARY_KNOWN_GOOD, 1)).toBe(TASK_NOT_FOUND);
    expect(reveal(newAgent(9, 0, 0), task, CANARY_KNOWN_GOOD, 1)).toBe(TASK_NOT_FOUND);
    store<u8>(SALT, 1);
    expect(reveal(operator(0), task, CANARY_KNOWN_GOOD, 1)).toBe(TASK_NOT_FOUND);
    store<u8>(SALT, 0);
    expect(score(1)).toBe(0);
    expect(reveal(operator(0), task, CANARY_KNOWN_GOOD, 1)).toBe(OK);
  });

  it('before the task ended, after its retention, and for a delivery before the commitment', () => {
    setUp();
    const task = plant();
    setNow(LAUNCH + 49);
    commit(operator(0), commitmentOf(task, CANARY_KNOWN_GOOD, 1));
    setNow(NOW);
    expect(reveal(operator(0), task, CANARY_KNOWN_GOOD, 1)).toBe(TASK_STATE);
    completeTask(task, RESOLUTION_APPROVED, NOW);
    deliveryOf(task).submittedSecs = LAUNCH + 49;
    expect(reveal(operator(0), task, CANARY_KNOWN_GOOD, 1)).toBe(TASK_STATE);
    deliveryOf(task).submittedSecs = LAUNCH + 50;
    task.openCases = 1;
    endRetention(task);
    expect(reveal(operator(0), task, CANARY_KNOWN_GOOD, 1)).toBe(OK);
    setNow(LAUNCH + 48);
    setRate(10000, 100);
    commit(operator(0), commitmentOf(task, CANARY_KNOWN_GOOD, 1));
    setNow(NOW);
    task.openCases = 0;
    expect(reveal(operator(0), task, CANARY_KNOWN_GOOD, 1)).toBe(TASK_STATE);
  });

  it('for a task without a lane, and for an unknown task', () => {
    setUp();
    const task = plant(LANE_NONE);
    setNow(LAUNCH);
    commit(operator(0), commitmentOf(task, CANARY_KNOWN_GOOD, 1));
    setNow(NOW);
    completeTask(task, RESOLUTION_APPROVED, NOW);
    expect(reveal(operator(0), task, CANARY_KNOWN_GOOD, 1)).toBe(TASK_STATE);
    const before = task.id0;
    task.id0 = 12345;
    setRate(10000, 100);
    setNow(LAUNCH);
    commit(operator(0), commitmentOf(task, CANARY_KNOWN_GOOD, 1));
    setNow(NOW);
    expect(reveal(operator(0), task, CANARY_KNOWN_GOOD, 1)).toBe(TASK_NOT_FOUND);
    task.id0 = before;
  });
});
