// Votes on challenges, their quorum, and the deadline (protocol 4.7, 7.5).
// Keeps: only active validators that are not involved vote, once each; without a quorum at the deadline the
// outcome is partial.

import {
  ALREADY_VOTED,
  CAPACITY,
  CHALLENGE_NOT_FOUND,
  CHALLENGE_OPEN,
  CHALLENGE_PARTIAL,
  IN_CHALLENGE_VOTE_ID,
  IN_CHALLENGE_VOTE_OUTCOME,
  NOT_A_VALIDATOR,
  OK,
  RESULT_AGENT,
  RESULT_VALIDATOR,
  RESULT_VOTE_BOUNTY,
  RESULT_VOTE_FAILED,
  RESULT_VOTE_FORFEIT,
  RESULT_VOTE_PARTIAL,
  RESULT_VOTE_PARTICIPANTS,
  RESULT_VOTE_REFUNDED,
  RESULT_VOTE_SLASH,
  RESULT_VOTE_STATUS,
  RESULT_VOTE_SUCCEEDED,
  RESULT_VOTE_TOTAL,
  SELF_DEALING,
  TABLE_VOTES,
  TASK_STATE,
  VALIDATOR_ACTIVE,
} from '../abi';
import { Challenge, challengeAt, findChallenge, touchChallenge } from '../cases/challenges';
import { actor, commits, field32, fieldAddress, frame, refuse, setResult } from '../io/frame';
import { chainVote, hasVoteRow, isInChain } from '../settlement/votes';
import { validatorAt, validatorOf } from '../validators/validators';
import { resolveChallenge } from './challenge-outcomes';
import {
  barCluster,
  count,
  countChallenge,
  decidedOutcome,
  isBarredFrom,
  isPartyTo,
} from './challenge-quorum';

function setResults(challenge: Challenge, validator: u32): void {
  const c = count();
  setResult(RESULT_AGENT, frame().actor);
  setResult(RESULT_VALIDATOR, validator);
  setResult(RESULT_VOTE_STATUS, challenge.status);
  setResult(RESULT_VOTE_REFUNDED, challenge.refunded);
  setResult(RESULT_VOTE_FORFEIT, challenge.forfeit);
  setResult(RESULT_VOTE_SLASH, challenge.slash);
  setResult(RESULT_VOTE_BOUNTY, challenge.bounty);
  setResult(RESULT_VOTE_SUCCEEDED, c.succeeded);
  setResult(RESULT_VOTE_FAILED, c.failed);
  setResult(RESULT_VOTE_PARTIAL, c.partial);
  setResult(RESULT_VOTE_TOTAL, c.total);
  setResult(RESULT_VOTE_PARTICIPANTS, c.participants);
}

function castVote(challenge: Challenge, validator: u32, outcome: u32): void {
  const nowSecs = frame().nowSecs;
  challenge.voteTail = chainVote(challenge.voteTail, validator, false, outcome, nowSecs);
  if (challenge.voteHead == 0) challenge.voteHead = challenge.voteTail;
  challenge.voteCount++;
  touchChallenge(challenge);
  countChallenge(challenge, nowSecs);
  const decided = decidedOutcome();
  if (decided != <u32>CHALLENGE_OPEN) resolveChallenge(challenge, decided, nowSecs);
  setResults(challenge, validator);
}

/**
 * OP_CHALLENGE_VOTE. Errors: CHALLENGE_NOT_FOUND, TASK_STATE (not open), SELF_DEALING, NOT_A_VALIDATOR (also in
 * probation), ALREADY_VOTED, CAPACITY.
 */
export function voteOnChallenge(): i32 {
  const row = findChallenge(fieldAddress(IN_CHALLENGE_VOTE_ID));
  if (row < 0) return refuse(CHALLENGE_NOT_FOUND);
  const challenge = challengeAt(<u32>row);
  if (challenge.status != CHALLENGE_OPEN) return refuse(TASK_STATE);
  const validator = validatorOf(actor());
  if (isPartyTo(challenge, frame().actor)) return refuse(SELF_DEALING);
  if (validator < 0) return refuse(NOT_A_VALIDATOR);
  barCluster(challenge, frame().nowSecs);
  if (isBarredFrom(challenge, <u32>validator)) return refuse(SELF_DEALING);
  if (validatorAt(<u32>validator).status != VALIDATOR_ACTIVE) return refuse(NOT_A_VALIDATOR);
  if (isInChain(challenge.voteHead, <u32>validator)) return refuse(ALREADY_VOTED);
  if (!hasVoteRow()) return refuse(CAPACITY, TABLE_VOTES);
  if (!commits()) return OK;

  castVote(challenge, <u32>validator, field32(IN_CHALLENGE_VOTE_OUTCOME));
  return OK;
}

/** Ends a challenge at its deadline, after a last count. The caller has checked that caseStepBytes fit. */
export function expireChallenge(challenge: Challenge, nowSecs: u64): void {
  countChallenge(challenge, nowSecs);
  const decided = decidedOutcome();
  resolveChallenge(challenge, decided == CHALLENGE_OPEN ? CHALLENGE_PARTIAL : decided, nowSecs);
}
