// Votes on challenges and their outcomes: protocol 6.5, 6.6, 6.9 and each row of 7.5.

import {
  ALREADY_CHALLENGED,
  ALREADY_VOTED,
  CHALLENGE_FAILED,
  CHALLENGE_NOT_FOUND,
  CHALLENGE_OPEN,
  CHALLENGE_PARTIAL,
  CHALLENGE_SUCCEEDED,
  EVENT_CHALLENGE_RESOLVED,
  EVENT_SLASH,
  EVENT_VALIDATOR_STATUS,
  GENERATION_DENIED,
  NOT_A_VALIDATOR,
  OFFENSE_COLLUSION,
  OFFENSE_DISHONEST_REPLAY,
  OFFENSE_FRAUDULENT_APPROVAL,
  OK,
  OP_CHALLENGE_VOTE,
  POOL_DISPUTE,
  POOL_REWARDS,
  SELF_DEALING,
  SLASH_OFFENSE,
  STATUS_REASON_OFFENSE,
  TASK_STATE,
  VALIDATOR_PROBATION,
  VALIDATOR_SUSPENDED,
} from '../../../assembly/abi';
import { slashFor } from '../../../assembly/assurance/challenge-outcomes';
import { voteOnChallenge } from '../../../assembly/assurance/challenge-votes';
import { Challenge, challengeIdOf } from '../../../assembly/cases/challenges';
import { setOutputBytes } from '../../../assembly/io/output';
import { Agent, agentAt } from '../../../assembly/ledger/agents';
import { balanceOf, move, poolBalance, poolOf, SUPPLY } from '../../../assembly/ledger/money';
import { fullSupply } from '../../../assembly/run/audit';
import { fireTimers } from '../../../assembly/run/timers';
import { header } from '../../../assembly/state/header';
import { Task, taskAt } from '../../../assembly/tasks/rows';
import { countVote } from '../../../assembly/validators/calibration';
import { operatorOf, validatorAt } from '../../../assembly/validators/validators';
import { DAY, GENERAL, NOW, operator, plainTask } from '../support/cases';
import { challenge, newestOf, opened, vote, voteBy } from '../support/challenges';
import { beginRecord, eventCount, lastEvent, result, run } from '../support/command';
import { newAgent, newValidator, setNow, TOKEN } from '../support/state';

const BOND: u64 = 2000000;
const WEIGHT: u64 = 15000 * TOKEN;
const TTL: u64 = 259200;

function taskOf(on: Challenge): Task {
  return taskAt(on.task - 1);
}

/** An open challenge of validator 0; five others of equal weight may judge, four of them decide. */
function openOne(): Challenge {
  const task = plainTask();
  return opened(newAgent(1, 10 * TOKEN, 0), task, 0);
}

/** Votes of validators 1 to 4 that decide. */
function decide(on: Challenge, outcome: u32): void {
  for (let i: u32 = 1; i <= 4; i++) assert(vote(i, on, outcome) == OK, 'a vote was refused');
}

describe('a vote', () => {
  it('counts by weight, and four of five equal ones decide', () => {
    const on = openOne();
    expect(vote(1, on, CHALLENGE_SUCCEEDED)).toBe(OK);
    expect(result(1)).toBe(1);
    expect(result(2)).toBe(CHALLENGE_OPEN);
    expect(result(7)).toBe(WEIGHT);
    expect(result(10)).toBe(5 * WEIGHT);
    expect(result(11)).toBe(1);
    vote(2, on, CHALLENGE_FAILED);
    vote(3, on, CHALLENGE_PARTIAL);
    expect(result(8)).toBe(WEIGHT);
    expect(result(9)).toBe(WEIGHT);
    expect(on.status).toBe(CHALLENGE_OPEN);
  });

  it('50 of 70 is a quorum, 40 is not', () => {
    const on = openOne();
    // Weights of 20, 20, 20 and 10; validator 5 does not count.
    for (let i: u32 = 1; i <= 4; i++) validatorAt(i).baselineBp = i == 4 ? 1000 : 2000;
    validatorAt(5).status = VALIDATOR_SUSPENDED;
    vote(1, on, CHALLENGE_PARTIAL);
    vote(2, on, CHALLENGE_PARTIAL);
    expect(result(2)).toBe(CHALLENGE_OPEN);
    vote(4, on, CHALLENGE_PARTIAL);
    expect(result(2)).toBe(CHALLENGE_PARTIAL);
  });

  it('is refused to the parties, the target and its cluster, before anything else about the voter', () => {
    const task = plainTask();
    const stranger = newAgent(1, 0, 0);
    const late = newValidator(9, 30000 * TOKEN, 5000);
    move(poolOf(POOL_REWARDS), balanceOf(operatorOf(late)), 10 * TOKEN);
    const on = opened(operatorOf(late), task, 0);
    validatorAt(3).cluster = 1;
    validatorAt(0).cluster = 1;
    expect(vote(0, on, CHALLENGE_FAILED)).toBe(SELF_DEALING);
    expect(vote(3, on, CHALLENGE_FAILED)).toBe(SELF_DEALING);
    expect(voteBy(operatorOf(late), on, CHALLENGE_SUCCEEDED)).toBe(SELF_DEALING);
    expect(voteBy(agentAt(task.poster), on, CHALLENGE_SUCCEEDED)).toBe(SELF_DEALING);
    expect(voteBy(agentAt(task.claimer - 1), on, CHALLENGE_FAILED)).toBe(SELF_DEALING);
    expect(voteBy(stranger, on, CHALLENGE_FAILED)).toBe(NOT_A_VALIDATOR);
    validatorAt(0).status = VALIDATOR_PROBATION;
    expect(vote(0, on, CHALLENGE_FAILED)).toBe(SELF_DEALING);
    vote(1, on, CHALLENGE_PARTIAL);
    expect(result(10)).toBe(4 * WEIGHT);
  });

  it('is taken of the cluster of the target where those outside of it hold less than half', () => {
    const on = openOne();
    for (let i: u32 = 0; i < 4; i++) validatorAt(i).cluster = 1;
    expect(vote(0, on, CHALLENGE_FAILED)).toBe(SELF_DEALING);
    expect(vote(4, on, CHALLENGE_SUCCEEDED)).toBe(OK);
    expect(vote(5, on, CHALLENGE_SUCCEEDED)).toBe(OK);
    expect(on.status).toBe(CHALLENGE_OPEN);
    expect(vote(1, on, CHALLENGE_FAILED)).toBe(OK);
    expect(result(10)).toBe(5 * WEIGHT);
  });

  it('is refused in probation, a second time, and on a challenge that is not open', () => {
    const on = openOne();
    validatorAt(5).status = VALIDATOR_PROBATION;
    expect(vote(5, on, CHALLENGE_FAILED)).toBe(NOT_A_VALIDATOR);
    expect(vote(1, on, CHALLENGE_FAILED)).toBe(OK);
    expect(vote(1, on, CHALLENGE_SUCCEEDED)).toBe(ALREADY_VOTED);
    vote(2, on, CHALLENGE_FAILED);
    vote(3, on, CHALLENGE_FAILED);
    expect(on.status).toBe(CHALLENGE_FAILED);
    expect(vote(4, on, CHALLENGE_FAILED)).toBe(TASK_STATE);
    const record = beginRecord(OP_CHALLENGE_VOTE, operator(4));
    store<u32>(record, CHALLENGE_FAILED, 112);
    expect(run(voteOnChallenge)).toBe(CHALLENGE_NOT_FOUND);
    memory.copy(record + 96, challengeIdOf(on), 16);
    expect(run(voteOnChallenge)).toBe(TASK_STATE);
  });

  it('of a validator that is no longer active does not count', () => {
    const on = openOne();
    vote(1, on, CHALLENGE_SUCCEEDED);
    vote(2, on, CHALLENGE_SUCCEEDED);
    validatorAt(1).status = VALIDATOR_SUSPENDED;
    vote(3, on, CHALLENGE_SUCCEEDED);
    expect(result(2)).toBe(CHALLENGE_OPEN);
    expect(result(11)).toBe(2);
    expect(result(10)).toBe(4 * WEIGHT);
  });
});

describe('succeeded', () => {
  it('30 % of 25,000,000,001 is 7,500,000,000; 40 and 75 %', () => {
    expect(slashFor(25000000001, OFFENSE_FRAUDULENT_APPROVAL)).toBe(7500000000);
    expect(slashFor(25000000001, OFFENSE_DISHONEST_REPLAY)).toBe(10000000000);
    expect(slashFor(25000000001, OFFENSE_COLLUSION)).toBe(18750000000);
    expect(slashFor(1000000000000000, OFFENSE_COLLUSION)).toBe(750000000000000);
  });

  it('the bond is refunded, half of the slash is the bounty, and the events are in order', () => {
    const on = openOne();
    const target = operator(0);
    const challenger = agentAt(on.challenger);
    target.staked = 25000000001;
    header().totalStaked -= 30000 * TOKEN - 25000000001;
    header().supply -= 30000 * TOKEN - 25000000001;
    const dispute = poolBalance(POOL_DISPUTE);
    decide(on, CHALLENGE_SUCCEEDED);
    expect(result(2)).toBe(CHALLENGE_SUCCEEDED);
    expect(result(3)).toBe(BOND);
    expect(result(4)).toBe(0);
    expect(result(5)).toBe(7500000000);
    expect(result(6)).toBe(3750000000);
    expect(target.staked).toBe(17500000001);
    expect(challenger.balance).toBe(10 * TOKEN + 3750000000);
    expect(challenger.reserved).toBe(0);
    expect(poolBalance(POOL_DISPUTE) - dispute).toBe(3750000000);
    expect(eventCount()).toBe(3);
    expect(lastEvent(EVENT_CHALLENGE_RESOLVED)).toBeLessThan(lastEvent(EVENT_SLASH));
    expect(lastEvent(EVENT_SLASH)).toBeLessThan(lastEvent(EVENT_VALIDATOR_STATUS));
    const slashed = lastEvent(EVENT_SLASH);
    expect(load<u32>(slashed, 68)).toBe(SLASH_OFFENSE + OFFENSE_FRAUDULENT_APPROVAL);
    expect(load<u64>(slashed, 80)).toBe(17500000001);
    expect(load<u64>(slashed, 88)).toBe(load<u64>(challengeIdOf(on)));
  });

  it('the target is suspended, its hit becomes a miss, the value is withdrawn, and no timer is left', () => {
    const on = openOne();
    const generated = header().generated;
    countVote(0, GENERAL, true, true);
    decide(on, CHALLENGE_SUCCEEDED);
    const target = validatorAt(0);
    expect(target.status).toBe(VALIDATOR_SUSPENDED);
    expect(target.reason).toBe(STATUS_REASON_OFFENSE + OFFENSE_FRAUDULENT_APPROVAL);
    expect(target.suspendedUntilSecs).toBe(NOW + 30 * DAY);
    expect(target.votesDecided).toBe(1);
    expect(target.votesRight).toBe(0);
    expect(target.openChallenges).toBe(0);
    expect(generated).toBe(180 * TOKEN);
    expect(header().generated).toBe(0);
    expect<i32>(taskOf(on).generation).toBe(GENERATION_DENIED);
    expect(taskOf(on).openCases).toBe(0);
    expect(header().votesLive).toBe(0);
    expect(fullSupply()).toBe(SUPPLY);
  });

  it('a second challenge of the same vote slashes, but does not count another miss', () => {
    const on = openOne();
    const task = taskOf(on);
    countVote(0, GENERAL, true, true);
    countVote(0, GENERAL, true, true);
    decide(on, CHALLENGE_SUCCEEDED);
    expect(challenge(newAgent(2, 10 * TOKEN, 0), task, 0, OFFENSE_COLLUSION, 0, 2)).toBe(OK);
    decide(newestOf(task), CHALLENGE_SUCCEEDED);
    expect(validatorAt(0).votesRight).toBe(1);
    expect(operator(0).staked).toBe(5250 * TOKEN);
    expect(fullSupply()).toBe(SUPPLY);
  });

  it('a target without stake is not slashed', () => {
    const on = openOne();
    header().supply -= operator(0).staked;
    header().totalStaked -= operator(0).staked;
    operator(0).staked = 0;
    decide(on, CHALLENGE_SUCCEEDED);
    expect(eventCount()).toBe(2);
    expect(on.slash).toBe(0);
    expect(validatorAt(0).slashes).toBe(1);
  });
});

describe('failed', () => {
  it("half of the bond, floored, is the target's: 2,500,001 gives 1,250,000 and 1,250,001", () => {
    const task = plainTask();
    const challenger = newAgent(1, 10 * TOKEN, 0);
    challenge(challenger, task, 0, OFFENSE_FRAUDULENT_APPROVAL, 2500001);
    const dispute = poolBalance(POOL_DISPUTE);
    const before = operator(0).balance;
    decide(newestOf(task), CHALLENGE_FAILED);
    expect(result(3)).toBe(0);
    expect(result(4)).toBe(2500001);
    expect(operator(0).balance - before).toBe(1250000);
    expect(poolBalance(POOL_DISPUTE) - dispute).toBe(1250001);
    expect(challenger.balance).toBe(10 * TOKEN - 2500001);
    expect(challenger.reserved).toBe(0);
    expect(eventCount()).toBe(1);
    expect(operator(0).staked).toBe(30000 * TOKEN);
    expect(header().generated).toBe(180 * TOKEN);
    expect(challenge(newAgent(2, 10 * TOKEN, 0), task, 0)).toBe(ALREADY_CHALLENGED);
    expect(fullSupply()).toBe(SUPPLY);
  });
});

/** Moves time to the deadline of a challenge. */
function expire(on: Challenge): void {
  setNow(on.deadlineSecs);
  setOutputBytes(0);
  fireTimers(on.deadlineSecs);
}

function challengerOf(on: Challenge): Agent {
  return agentAt(on.challenger);
}

describe('partial', () => {
  it('by quorum or at the deadline: the bond is refunded, nothing else happens, and it may be challenged again', () => {
    const on = openOne();
    const task = taskOf(on);
    decide(on, CHALLENGE_PARTIAL);
    expect(on.status).toBe(CHALLENGE_PARTIAL);
    expect(challengerOf(on).balance).toBe(10 * TOKEN);
    const again = opened(newAgent(2, 10 * TOKEN, 0), task, 0, 2);
    vote(1, again, CHALLENGE_SUCCEEDED);
    fireTimers(NOW + TTL - 1);
    expect(again.status).toBe(CHALLENGE_OPEN);
    expire(again);
    expect(again.status).toBe(CHALLENGE_PARTIAL);
    expect(again.resolvedSecs).toBe(NOW + TTL);
    expect(again.forSucceeded).toBe(WEIGHT);
    expect(again.participants).toBe(1);
    expect(challengerOf(again).balance).toBe(10 * TOKEN);
    expect(operator(0).staked).toBe(30000 * TOKEN);
    expect(header().generated).toBe(180 * TOKEN);
    expect(task.openCases).toBe(0);
    expect(fullSupply()).toBe(SUPPLY);
  });

  it('a quorum in the last count decides at the deadline', () => {
    const on = openOne();
    for (let i: u32 = 1; i <= 3; i++) vote(i, on, CHALLENGE_FAILED);
    validatorAt(5).status = VALIDATOR_SUSPENDED;
    expire(on);
    expect(on.status).toBe(CHALLENGE_FAILED);
  });
});
