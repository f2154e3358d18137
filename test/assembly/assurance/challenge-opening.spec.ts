// Opening a challenge: bonds (protocol 6.6) and the refusals of protocol 4.7 in their order.

import {
  ALREADY_CHALLENGED,
  BOND_BELOW_MINIMUM,
  CAPACITY,
  INSUFFICIENT_BALANCE,
  LANE_NONE,
  NOT_CHALLENGEABLE,
  OFFENSE_COLLUSION,
  OFFENSE_DISHONEST_REPLAY,
  OFFENSE_FRAUDULENT_APPROVAL,
  OK,
  OP_CHALLENGE_OPEN,
  OUTCOME_MATCH,
  RESOLUTION_DISPUTE_QUORUM,
  SELF_DEALING,
  TABLE_CHALLENGES,
  TASK_CANCELLED,
  TASK_COMPLETED,
  TASK_NOT_FOUND,
  VALIDATOR_NOT_FOUND,
} from '../../../assembly/abi';
import { minBond, openChallenge } from '../../../assembly/assurance/challenge-opening';
import { executorOf } from '../../../assembly/cases/jobs';
import { SUPPLY } from '../../../assembly/ledger/money';
import { fullSupply } from '../../../assembly/run/audit';
import { chainVote } from '../../../assembly/settlement/votes';
import { CHALLENGES, capacity, header } from '../../../assembly/state/header';
import { nextDeadlineSecs } from '../../../assembly/state/timers';
import { completeTask } from '../../../assembly/tasks/completion';
import { taskIdOf } from '../../../assembly/tasks/rows';
import { isStakeLocked } from '../../../assembly/validators/lock';
import { validatorAt } from '../../../assembly/validators/validators';
import {
  approvedTask,
  complete,
  DAY,
  NOW,
  operator,
  plainTask,
  replayedTask,
  withValidators,
} from '../support/cases';
import { challenge, jobOf, newestOf, opened, report } from '../support/challenges';
import { beginRecord, putName, result, run } from '../support/command';
import { freshState, newAgent, setNow, TOKEN } from '../support/state';

const FRAUD = OFFENSE_FRAUDULENT_APPROVAL;
const BOND: u64 = 2000000;
const NOBODY: usize = memory.data<u8>([110, 111, 98, 111, 100, 121, 0, 0]);

describe('the minimum bond', () => {
  it('250 tokens: 2,500,000; 40 tokens: 1,000,000', () => {
    expect(minBond(250 * TOKEN)).toBe(2500000);
    expect(minBond(40 * TOKEN)).toBe(1000000);
    expect(minBond(100 * TOKEN)).toBe(1000000);
    expect(minBond(100 * TOKEN + 100)).toBe(1000001);
    expect(minBond(9007199254740991)).toBe(90071992547409);
  });
});

describe('a challenge', () => {
  it('locks its bond, and the stake of its target', () => {
    const task = plainTask();
    const challenger = newAgent(1, 10 * TOKEN, 0);
    expect(challenge(challenger, task, 1)).toBe(OK);
    expect(result(1)).toBe(1);
    expect(result(2)).toBe(BOND);
    expect(result(3)).toBe(NOW + 259200);
    expect(challenger.balance).toBe(10 * TOKEN - BOND);
    expect(challenger.reserved).toBe(BOND);
    expect(validatorAt(1).openChallenges).toBe(1);
    expect(isStakeLocked(operator(1), NOW + 30 * DAY)).toBe(true);
    expect(task.openCases).toBe(1);
    expect(nextDeadlineSecs()).toBe(NOW + 259200);
    expect(fullSupply()).toBe(SUPPLY);
  });

  it('may have a bond above the minimum', () => {
    const task = plainTask();
    const challenger = newAgent(1, 10 * TOKEN, 0);
    expect(challenge(challenger, task, 1, FRAUD, 7 * TOKEN)).toBe(OK);
    expect(challenger.reserved).toBe(7 * TOKEN);
  });

  it('targets a vote for completion on the panel or in the dispute', () => {
    withValidators();
    const task = approvedTask(1);
    // Validator 4 approved in the dispute, 3 rejected; the values of their votes are now weights.
    task.voteHead = chainVote(0, 4, true, 5, NOW);
    chainVote(task.voteHead, 3, false, 5, NOW);
    completeTask(task, RESOLUTION_DISPUTE_QUORUM, NOW);
    const challenger = newAgent(1, 100 * TOKEN, 0);
    expect(challenge(challenger, task, 3)).toBe(NOT_CHALLENGEABLE);
    expect(challenge(challenger, task, 5)).toBe(NOT_CHALLENGEABLE);
    expect(challenge(challenger, task, 4, FRAUD, 0, 1)).toBe(OK);
    expect(challenge(challenger, task, 0, OFFENSE_COLLUSION, 0, 2)).toBe(OK);
  });

  it('of a replay targets the executor of the completed job', () => {
    const task = replayedTask();
    const challenger = newAgent(1, 100 * TOKEN, 0);
    const executor = executorOf(jobOf(task));
    expect(challenge(challenger, task, executor, OFFENSE_DISHONEST_REPLAY)).toBe(NOT_CHALLENGEABLE);
    expect(report(jobOf(task), OUTCOME_MATCH)).toBe(OK);
    expect(challenge(challenger, task, executor)).toBe(NOT_CHALLENGEABLE);
    expect(challenge(challenger, task, 0, OFFENSE_DISHONEST_REPLAY)).toBe(NOT_CHALLENGEABLE);
    expect(challenge(challenger, task, executor, OFFENSE_DISHONEST_REPLAY)).toBe(OK);
  });
});

describe('a challenge is refused', () => {
  it('for an unknown task, an unknown validator, or the own validator of an agent without one', () => {
    const task = plainTask();
    const challenger = newAgent(1, 10 * TOKEN, 0);
    const record = beginRecord(OP_CHALLENGE_OPEN, challenger);
    putName(record + 112, NOBODY, 6);
    store<u32>(record, FRAUD, 184);
    expect(run(openChallenge)).toBe(TASK_NOT_FOUND);
    memory.copy(record + 96, taskIdOf(task), 16);
    expect(run(openChallenge)).toBe(VALIDATOR_NOT_FOUND);
    store<u32>(record, 0, 112);
    expect(run(openChallenge)).toBe(VALIDATOR_NOT_FOUND);
  });

  it('for a task that is not completed, has no lane, or ended 7 days ago', () => {
    withValidators();
    const challenger = newAgent(1, 10 * TOKEN, 0);
    const task = approvedTask(1);
    expect(challenge(challenger, task, 0)).toBe(NOT_CHALLENGEABLE);
    header().jobsLive = 50;
    complete(task);
    header().jobsLive = 0;
    const lane = task.lane;
    task.lane = <u8>LANE_NONE;
    expect(challenge(challenger, task, 0)).toBe(NOT_CHALLENGEABLE);
    task.lane = lane;
    task.status = <u8>TASK_CANCELLED;
    expect(challenge(challenger, task, 0)).toBe(NOT_CHALLENGEABLE);
    task.status = <u8>TASK_COMPLETED;
    setNow(NOW + 7 * DAY);
    expect(challenge(challenger, task, 0)).toBe(NOT_CHALLENGEABLE);
    setNow(NOW + 7 * DAY - 1);
    expect(challenge(challenger, task, 0)).toBe(OK);
  });

  it("to the target's operator, with or without naming it", () => {
    const task = plainTask();
    expect(challenge(operator(2), task, 2)).toBe(SELF_DEALING);
    const record = beginRecord(OP_CHALLENGE_OPEN, operator(2));
    memory.copy(record + 96, taskIdOf(task), 16);
    store<u32>(record, FRAUD, 184);
    expect(run(openChallenge)).toBe(SELF_DEALING);
  });

  it('when it repeats the offense of another challenge', () => {
    const task = plainTask();
    const challenger = newAgent(1, 100 * TOKEN, 0);
    opened(challenger, task, 1);
    expect(challenge(newAgent(2, 10 * TOKEN, 0), task, 1)).toBe(ALREADY_CHALLENGED);
    expect(challenge(challenger, task, 1, OFFENSE_COLLUSION, 0, 2)).toBe(OK);
    expect(challenge(challenger, task, 2, FRAUD, 0, 3)).toBe(OK);
    expect(newestOf(task).target).toBe(2);
  });

  it('with a bond below the minimum or above the balance', () => {
    const task = plainTask();
    const challenger = newAgent(1, BOND - 1, 0);
    expect(challenge(challenger, task, 1, FRAUD, BOND - 1)).toBe(BOND_BELOW_MINIMUM);
    expect(result(0)).toBe(BOND);
    expect(challenge(challenger, task, 1)).toBe(INSUFFICIENT_BALANCE);
    expect(result(0)).toBe(BOND - 1);
    expect(result(1)).toBe(BOND);
    expect(challenger.reserved).toBe(0);
    expect(task.challengeHead).toBe(0);
  });

  it('when the table is full', () => {
    const task = plainTask();
    header().challengesLive = capacity(CHALLENGES);
    expect(challenge(newAgent(1, 10 * TOKEN, 0), task, 1)).toBe(CAPACITY);
    expect(result(0)).toBe(TABLE_CHALLENGES);
    freshState();
  });
});
