// Imports with inconsistent cases are refused; a sound state passes.

import {
  CHALLENGE_FAILED,
  CHALLENGE_OPEN,
  CHALLENGE_PARTIAL,
  JOB_COMPLETED,
  JOB_PENDING,
  OUTCOME_MISMATCH,
} from '../../../assembly/abi';
import { challengeAt } from '../../../assembly/cases/challenges';
import { executorsOf, jobAt } from '../../../assembly/cases/jobs';
import { agentAt } from '../../../assembly/ledger/agents';
import { SUPPLY } from '../../../assembly/ledger/money';
import { fullSupply, isSaneState } from '../../../assembly/run/audit';
import { voteAt } from '../../../assembly/settlement/votes';
import { header, PHASE_IDLE } from '../../../assembly/state/header';
import { taskAt } from '../../../assembly/tasks/rows';
import { countPair, pairAt } from '../../../assembly/validators/pairs';
import { validatorAt } from '../../../assembly/validators/validators';
import { approvedTask, complete, replayedTask } from '../support/cases';
import { challenge, jobOf, newestOf, report, vote } from '../support/challenges';
import { newAgent, TOKEN } from '../support/state';

/** Row of the second task, whose replay is pending, and of its challenge, with one vote. */
const TASK: u32 = 1;
const CHALLENGE: u32 = 3;
const JOB: u32 = 1;
const BOND: u64 = 2000000;

/** Three protocol challenges of a closed replay; another task with a pending replay and a bonded challenge. */
function world(): void {
  report(jobOf(replayedTask()), OUTCOME_MISMATCH);
  const task = complete(approvedTask(2));
  challenge(newAgent(1, 10 * TOKEN, 0), task, 0);
  vote(5, newestOf(task), CHALLENGE_FAILED);
  countPair(0, 3, true, true);
  header().phase = PHASE_IDLE;
}

describe('an import', () => {
  it('of a sound state passes, and its escrows add up', () => {
    world();
    expect(header().challengesLive).toBe(4);
    expect(header().jobsLive).toBe(2);
    expect(isSaneState()).toBe(true);
    expect(fullSupply()).toBe(SUPPLY);
  });

  it('with a wrong count of open cases is refused', () => {
    world();
    taskAt(TASK).openCases--;
    expect(isSaneState()).toBe(false);
    taskAt(TASK).openCases++;
    validatorAt(0).openChallenges++;
    expect(isSaneState()).toBe(false);
    validatorAt(0).openChallenges--;
    header().challengesLive++;
    expect(isSaneState()).toBe(false);
    header().challengesLive--;
    header().jobsLive--;
    expect(isSaneState()).toBe(false);
    header().jobsLive++;
    expect(isSaneState()).toBe(true);
  });

  it('with broken references is refused', () => {
    world();
    const one = challengeAt(CHALLENGE);
    one.task = TASK;
    expect(isSaneState()).toBe(false);
    one.task = TASK + 1;
    one.target = 77;
    expect(isSaneState()).toBe(false);
    one.target = 0;
    one.next = CHALLENGE + 1;
    expect(isSaneState()).toBe(false);
    one.next = 0;
    jobAt(JOB).task = TASK;
    expect(isSaneState()).toBe(false);
    jobAt(JOB).task = TASK + 1;
    jobAt(JOB).attempt = 4;
    expect(isSaneState()).toBe(false);
    jobAt(JOB).attempt = 1;
    const executors = executorsOf(jobAt(JOB));
    const executor = load<u16>(executors);
    store<u16>(executors, 77);
    expect(isSaneState()).toBe(false);
    store<u16>(executors, executor);
    expect(isSaneState()).toBe(true);
  });

  it('with a wrong state of a case, or a vote outside of any chain, is refused', () => {
    world();
    const one = challengeAt(CHALLENGE);
    one.status = CHALLENGE_PARTIAL;
    expect(isSaneState()).toBe(false);
    one.status = CHALLENGE_OPEN;
    jobAt(JOB).status = JOB_COMPLETED;
    expect(isSaneState()).toBe(false);
    jobAt(JOB).status = JOB_PENDING;
    header().votesLive++;
    expect(isSaneState()).toBe(false);
    header().votesLive--;
    voteAt(one.voteHead - 1).voter = 77;
    expect(isSaneState()).toBe(false);
    voteAt(one.voteHead - 1).voter = 5;
    expect(isSaneState()).toBe(true);
    validatorAt(0).isJudge = 2;
    expect(isSaneState()).toBe(false);
    validatorAt(0).isJudge = 1;
    expect(isSaneState()).toBe(true);
  });

  it('with escrows that do not match the rows is refused', () => {
    world();
    const one = challengeAt(CHALLENGE);
    const challenger = agentAt(one.challenger);
    expect(challenger.reserved).toBe(BOND);
    challenger.reserved++;
    expect(isSaneState()).toBe(false);
    challenger.reserved--;
    one.bond++;
    expect(fullSupply()).toBe(0);
    one.bond--;
    jobAt(JOB).reward--;
    expect(fullSupply()).toBe(0);
    jobAt(JOB).reward++;
    header().replayEscrow++;
    header().totalEscrowed++;
    expect(fullSupply()).toBe(0);
  });

  it('with validators, pairs or clusters out of range is refused', () => {
    world();
    validatorAt(2).cluster = 7;
    expect(isSaneState()).toBe(false);
    validatorAt(2).cluster = 0;
    validatorAt(2).cycle = 4;
    expect(isSaneState()).toBe(false);
    validatorAt(2).cycle = 0;
    validatorAt(2).agent = validatorAt(3).agent;
    expect(isSaneState()).toBe(false);
    validatorAt(2).agent = validatorAt(3).agent - 1;
    pairAt(0).higher = 6;
    expect(isSaneState()).toBe(false);
    pairAt(0).higher = 3;
    expect(isSaneState()).toBe(true);
  });
});
