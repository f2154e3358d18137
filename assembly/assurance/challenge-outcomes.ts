// The end of a challenge: bond, slash, bounty, sanctions of the target, and the task's recognised value
// (protocol 6.5, 6.6, 6.9, 7.5).
// Keeps: the bond leaves escrow exactly once; half of a slash, floored, goes to the challenger, the rest to the dispute
// reserve; an operator without stake loses none. Emits challenge_resolved, slash and validator_status.

import {
  CHALLENGE_FAILED,
  CHALLENGE_SUCCEEDED,
  EVENT_CHALLENGE_RESOLVED,
  GENERATION_DENIED,
  OFFENSE_DISHONEST_REPLAY,
  OUT_CHALLENGE_RESOLVED_BOUNTY,
  OUT_CHALLENGE_RESOLVED_BYTES,
  OUT_CHALLENGE_RESOLVED_FORFEIT,
  OUT_CHALLENGE_RESOLVED_REFUNDED,
  OUT_CHALLENGE_RESOLVED_SLASH,
  OUT_CHALLENGE_RESOLVED_STATUS,
  OUT_SLASH_CHALLENGE,
  POOL_DISPUTE,
  SLASH_OFFENSE,
} from '../abi';
import { Challenge, challengeIdOf, challengeRow, touchChallenge } from '../cases/challenges';
import { emitSlash } from '../credit/stake';
import { beginChallengeEvent } from '../io/system-event';
import { Agent, agentAt } from '../ledger/agents';
import { balanceOf, beginSplit, endSplit, escrowOf, move, payPart, poolOf, stakeOf } from '../ledger/money';
import { BP } from '../ledger/rates';
import { mulDiv } from '../lib/u128';
import { removeVotes } from '../settlement/votes';
import { stopTimer, TIMER_CHALLENGE, timerOf } from '../state/timers';
import { denyValue, recognizeValue } from '../tasks/recognition';
import { closeCase } from '../tasks/retention';
import { Task, taskAt } from '../tasks/rows';
import { wasRightInDispute, wasRightOnPanel } from '../tasks/verifiers';
import { countAsMiss } from '../validators/calibration';
import { offenseSlashBp, punish } from '../validators/discipline';
import { markValidator, operatorOf, validatorAt } from '../validators/validators';
import { hasSucceeded, isVoteRefuted } from './challenge-chain';
import { count } from './challenge-quorum';
import { writeChallengeHead } from './images';

/** How much of a stake an offense costs, micro-units. 25,000,000,001 for a fraudulent approval: 7,500,000,000. */
export function slashFor(staked: u64, offense: u32): u64 {
  return mulDiv(staked, offenseSlashBp(offense), BP);
}

// Stores the weights of the decision in the row and releases what only an open challenge needs.
function settleRow(challenge: Challenge, outcome: u32, nowSecs: u64): void {
  const c = count();
  stopTimer(timerOf(TIMER_CHALLENGE, challengeRow(challenge)));
  challenge.status = outcome;
  challenge.resolvedSecs = nowSecs;
  challenge.forSucceeded = c.succeeded;
  challenge.forFailed = c.failed;
  challenge.forPartial = c.partial;
  challenge.totalWeight = c.total;
  challenge.participants = c.participants;
  removeVotes(challenge.voteHead);
  challenge.voteHead = 0;
  challenge.voteTail = 0;
  challenge.voteCount = 0;
  validatorAt(challenge.target).openChallenges--;
  markValidator(validatorAt(challenge.target));
  touchChallenge(challenge);
}

// protocol 6.6: back to the challenger or, when the challenge failed, half to the target and half to the reserve.
function moveBond(challenge: Challenge, outcome: u32): void {
  if (challenge.bond == 0) return;
  const challenger = agentAt(challenge.challenger);
  if (outcome != CHALLENGE_FAILED) {
    challenge.refunded = challenge.bond;
    move(escrowOf(challenger), balanceOf(challenger), challenge.bond);
    return;
  }
  challenge.forfeit = challenge.bond;
  beginSplit(escrowOf(challenger), challenge.bond);
  payPart(balanceOf(operatorOf(validatorAt(challenge.target))), challenge.bond / 2);
  endSplit(poolOf(POOL_DISPUTE));
}

// protocol 6.5: half to the challenger, half to the reserve.
function moveSlash(challenge: Challenge, operator: Agent): void {
  challenge.slash = slashFor(operator.staked, challenge.offense);
  if (challenge.slash == 0) return;
  challenge.bounty = challenge.slash / 2;
  beginSplit(stakeOf(operator), challenge.slash);
  payPart(balanceOf(agentAt(challenge.challenger)), challenge.bounty);
  endSplit(poolOf(POOL_DISPUTE));
}

function emitResolved(challenge: Challenge): void {
  const record = beginChallengeEvent(
    EVENT_CHALLENGE_RESOLVED,
    'challenge_resolved',
    challengeIdOf(challenge),
    OUT_CHALLENGE_RESOLVED_BYTES,
  );
  writeChallengeHead(record, challenge);
  store<u32>(record, challenge.status, OUT_CHALLENGE_RESOLVED_STATUS);
  store<u64>(record, challenge.refunded, OUT_CHALLENGE_RESOLVED_REFUNDED);
  store<u64>(record, challenge.forfeit, OUT_CHALLENGE_RESOLVED_FORFEIT);
  store<u64>(record, challenge.slash, OUT_CHALLENGE_RESOLVED_SLASH);
  store<u64>(record, challenge.bounty, OUT_CHALLENGE_RESOLVED_BOUNTY);
}

function emitOffenseSlash(challenge: Challenge, operator: Agent): void {
  if (challenge.slash == 0) return;
  const record = emitSlash(operator, SLASH_OFFENSE + challenge.offense, challenge.slash);
  memory.copy(record + OUT_SLASH_CHALLENGE, challengeIdOf(challenge), 16);
}

// protocol 6.9: the approval becomes a miss wherever it was counted as a hit, once.
function turnVote(task: Task, target: u32): void {
  if (wasRightOnPanel(task, target)) countAsMiss(target, task.category);
  if (wasRightInDispute(task, target)) countAsMiss(target, task.category);
}

function succeed(challenge: Challenge, isRefuted: bool, nowSecs: u64): void {
  const task = taskAt(challenge.task - 1);
  const operator = operatorOf(validatorAt(challenge.target));
  moveSlash(challenge, operator);
  if (challenge.offense != OFFENSE_DISHONEST_REPLAY && !isRefuted) turnVote(task, challenge.target);
  denyValue(task);
  emitResolved(challenge);
  emitOffenseSlash(challenge, operator);
  punish(challenge.target, challenge.offense, nowSecs);
}

// protocol 7.6: a failed challenge clears the value that its replay denied, unless another challenge of the task succeeded.
function fail(challenge: Challenge, nowSecs: u64): void {
  const task = taskAt(challenge.task - 1);
  const isDenied = task.generation == GENERATION_DENIED;
  if (challenge.isProtocol != 0 && isDenied && !hasSucceeded(task)) recognizeValue(task, nowSecs);
  emitResolved(challenge);
}

/** Resolves an open challenge with CHALLENGE_SUCCEEDED, _FAILED or _PARTIAL; its votes were counted into `count()`. */
export function resolveChallenge(challenge: Challenge, outcome: u32, nowSecs: u64): void {
  const task = taskAt(challenge.task - 1);
  const isRefuted = isVoteRefuted(task, challenge.target);
  settleRow(challenge, outcome, nowSecs);
  moveBond(challenge, outcome);
  if (outcome == CHALLENGE_SUCCEEDED) succeed(challenge, isRefuted, nowSecs);
  else if (outcome == CHALLENGE_FAILED) fail(challenge, nowSecs);
  else emitResolved(challenge);
  closeCase(task);
}
