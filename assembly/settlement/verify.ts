// One verdict on an open item, and the settlement of a transfer or generation when it completes the quorum.
// Keeps: only active validators and those in probation vote, once each, and never as a party (protocol 4.3); a vote on a
// dispute is committed first, and is what was committed (protocol 15.8).
// The consequences of a quorum on a submission or a dispute are up to the task: see `decision()`.

import {
  ALREADY_VOTED,
  AUTH_UNSIGNED,
  CAPACITY,
  COMMITMENT_DIFFERS,
  COMMITMENTS_OVER,
  IN_COMMIT_EVENT,
  IN_COMMITMENT,
  IN_VERIFY_EVENT,
  IN_VERIFY_GROUND,
  IN_VERIFY_HAS_VALUE,
  IN_VERIFY_SALT,
  IN_VERIFY_SHARE,
  IN_VERIFY_VALUE,
  IN_VERIFY_VERDICT,
  INVALID_REQUEST,
  ITEM_DISPUTE,
  ITEM_GENERATION,
  ITEM_TRANSFER,
  NOT_A_VALIDATOR,
  NOT_ASSIGNED,
  NOT_COMMITTED,
  NOT_PENDING,
  OK,
  REASON_COMMITMENT,
  REASON_GROUND,
  REASON_SHARE,
  REASON_VALUE_ABOVE_CLAIM,
  REASON_VALUE_ZERO,
  RESULT_AGENT,
  RESULT_VALIDATOR,
  RESULT_VERIFY_APPROVE,
  RESULT_VERIFY_PARTICIPANTS,
  RESULT_VERIFY_REASON,
  RESULT_VERIFY_REJECT,
  RESULT_VERIFY_STATUS,
  RESULT_VERIFY_TOTAL,
  RESULT_VERIFY_VALIDATOR,
  RESULT_VERIFY_VALUE,
  RESULT_VERIFY_VERDICT,
  RESULT_VERIFY_WEIGHT,
  REVEAL_EARLY,
  SELF_DEALING,
  SETTLED_NONE,
  SETTLED_REJECTED,
  SETTLED_VERIFIED,
  SHARES,
  TABLE_VOTES,
  VOTE_ADJUSTED,
  VOTE_PENDING,
  VOTE_SETTLED,
} from '../abi';
import { actor, commits, field16, field64, fieldAddress, frame, refuse, setResult } from '../io/frame';
import { isZero } from '../lib/bytes';
import { countVote } from '../validators/calibration';
import { seatValidator } from '../validators/seats';
import { mayVote, noteDuty, validatorAt, validatorOf } from '../validators/validators';
import { closeItem } from './close';
import { commitVote, hasCommitmentRows, isCommitted, revealVote, voteOn } from './commitments';
import { findItem, Item, itemAt, itemRow, markItem } from './items';
import { findLate, takeLate } from './late-votes';
import {
  countVotes,
  isApproved,
  isAssigned,
  isBarred,
  isParty,
  isRejected,
  Tally,
  tally,
  weightOn,
} from './quorum';
import { addVote, agrees, hasVoted, hasVoteRow, isSealed, voteAt } from './votes';

/** A vote on a submission or dispute, and the quorum on a submission that it completed. Set by each accepted OP_VERIFY. */
@unmanaged
export class Decision {
  /** The item, row + 1; 0 when the verdict was on a transfer or generation, or was refused. */
  item: u32;
  /** SETTLED_NONE, SETTLED_VERIFIED or SETTLED_REJECTED; of a dispute, whose task ends it, SETTLED_NONE. */
  reason: u32;
  /** Validator index of the voter, and the verdict. */
  validator: u32;
  approves: u32;
}
const DECISION: usize = memory.data(16, 8);

export function decision(): Decision {
  return changetype<Decision>(DECISION);
}

// A submission or dispute: a verdict on it has no value, and the task handles the decision.
function isTaskItem(item: Item): bool {
  return item.kind != ITEM_TRANSFER && item.kind != ITEM_GENERATION;
}

// The validator that votes: the actor's own, or, unsigned and without one, that of the vouching seat.
function votingValidator(): i32 {
  const own = validatorOf(actor());
  if (own >= 0 || frame().auth != AUTH_UNSIGNED) return own;
  return seatValidator(frame().seat);
}

function isSelfDealing(item: Item, validator: i32): bool {
  if (isParty(item, frame().actor)) return true;
  if (validator < 0) return false;
  return isParty(item, validatorAt(<u32>validator).agent) || isBarred(item, <u32>validator);
}

function isApproving(): bool {
  return field16(IN_VERIFY_VERDICT) != 0;
}

// The share of a vote: 0 of a rejection, SHARES of an approval that names none.
function votedShare(): u32 {
  if (!isApproving()) return 0;
  return field16(IN_VERIFY_SHARE) != 0 ? field16(IN_VERIFY_SHARE) : SHARES;
}

// The value that the vote records: 0 on a rejection; a generation defaults to its claim.
function voteValue(item: Item, approves: bool): u64 {
  if (!approves) return 0;
  if (field16(IN_VERIFY_HAS_VALUE) != 0) return field64(IN_VERIFY_VALUE);
  return item.kind == ITEM_GENERATION ? item.amount : 0;
}

function setResults(index: u32, weight: u64, status: u32, reason: u32, value: u64): void {
  const t = tally();
  setResult(RESULT_AGENT, frame().actor);
  setResult(RESULT_VERIFY_VALIDATOR, index);
  setResult(RESULT_VERIFY_STATUS, status);
  setResult(RESULT_VERIFY_REASON, reason);
  setResult(RESULT_VERIFY_APPROVE, t.approveWeight);
  setResult(RESULT_VERIFY_REJECT, t.rejectWeight);
  setResult(RESULT_VERIFY_TOTAL, t.totalWeight);
  setResult(RESULT_VERIFY_PARTICIPANTS, t.participants);
  setResult(RESULT_VERIFY_VALUE, value);
  setResult(RESULT_VERIFY_WEIGHT, weight);
  setResult(RESULT_VERIFY_VERDICT, isApproving() ? 1 : 0);
}

// The decision of the votes on an item, counted into `tally()`: SETTLED_*. Votes on a dispute decide when all are revealed.
function decided(item: Item): u32 {
  if (item.kind == ITEM_DISPUTE) return SETTLED_NONE;
  if (isApproved()) return SETTLED_VERIFIED;
  return isRejected() ? SETTLED_REJECTED : SETTLED_NONE;
}

function noteDecision(item: Item, reason: u32, index: u32, approves: bool): void {
  const d = decision();
  d.item = itemRow(item) + 1;
  d.reason = reason;
  d.validator = index;
  d.approves = approves ? 1 : 0;
}

function castVote(item: Item, index: u32, approves: bool): void {
  const nowSecs = frame().nowSecs;
  if (item.kind == ITEM_DISPUTE) {
    revealVote(voteAt(voteOn(item, index) - 1), votedShare(), field16(IN_VERIFY_GROUND), nowSecs);
    markItem(item);
  } else {
    addVote(item, index, approves, voteValue(item, approves), nowSecs);
  }
  noteDuty(validatorAt(index), nowSecs);
  countVotes(item, nowSecs);
  const weight = weightOn(item, index, nowSecs);
  const reason = decided(item);
  let status = VOTE_PENDING;
  if (reason != <u32>SETTLED_NONE) status = reason == SETTLED_VERIFIED ? VOTE_SETTLED : VOTE_ADJUSTED;
  const hasValue = reason == SETTLED_VERIFIED && item.kind == ITEM_GENERATION;
  setResults(index, weight, status, reason, hasValue ? tally().lowestValue : 0);
  if (isTaskItem(item)) noteDecision(item, reason, index, approves);
  else if (reason != <u32>SETTLED_NONE) closeItem(item, reason, nowSecs);
}

// A vote on an event that was decided before its voter, drawn for it and in probation, could vote: it counts for the
// probation, and for nothing else.
function castLate(row: u32, index: u32): void {
  const nowSecs = frame().nowSecs;
  const late = takeLate(row, index);
  countVote(index, late.category, agrees(votedShare(), late.share), true);
  noteDuty(validatorAt(index), nowSecs);
  memory.fill(changetype<usize>(tally()), 0, offsetof<Tally>());
  if (late.share != 0) setResults(index, 0, VOTE_SETTLED, SETTLED_VERIFIED, 0);
  else setResults(index, 0, VOTE_ADJUSTED, SETTLED_REJECTED, 0);
}

// No item is open: NOT_PENDING, unless the voter may still vote.
function verifyLate(eventId: usize): i32 {
  const index = votingValidator();
  const row = index < 0 ? -1 : findLate(eventId, <u32>index, frame().nowSecs);
  if (row < 0) return refuse(NOT_PENDING);
  if (!commits()) return OK;

  castLate(<u32>row, <u32>index);
  return OK;
}

// The code that refuses what a validator (index, -1 = none) says about an item, whatever it says: SELF_DEALING,
// NOT_A_VALIDATOR, NOT_ASSIGNED.
function refuseVoter(item: Item, index: i32): i32 {
  if (isSelfDealing(item, index)) return refuse(SELF_DEALING);
  if (index < 0) return refuse(NOT_A_VALIDATOR);
  if (!mayVote(validatorAt(<u32>index))) return refuse(NOT_A_VALIDATOR);
  // A judge that was withdrawn since may still reveal what it committed.
  const isKnown = item.kind == ITEM_DISPUTE && hasVoted(item, <u32>index);
  return isKnown || isAssigned(item, <u32>index) ? OK : refuse(NOT_ASSIGNED);
}

// The code that refuses to reveal a vote on a dispute.
function refuseReveal(item: Item, index: u32): i32 {
  const link = voteOn(item, index);
  if (link == 0) return refuse(NOT_COMMITTED);
  const vote = voteAt(link - 1);
  if (!isSealed(vote)) return refuse(ALREADY_VOTED);
  if (item.isRevealing == 0) return refuse(REVEAL_EARLY, item.deadlineSecs);
  const salt = fieldAddress(IN_VERIFY_SALT);
  return isCommitted(item, vote, votedShare(), field16(IN_VERIFY_GROUND), salt)
    ? OK
    : refuse(COMMITMENT_DIFFERS);
}

// What only a dispute has, of anything else: a ground, a share, a commitment.
function refuseTerms(item: Item): i32 {
  if (item.kind == ITEM_DISPUTE) return OK;
  if (field16(IN_VERIFY_GROUND) != 0) return refuse(INVALID_REQUEST, REASON_GROUND);
  if (field16(IN_VERIFY_SHARE) != 0) return refuse(INVALID_REQUEST, REASON_SHARE);
  return isZero(fieldAddress(IN_VERIFY_SALT), 32) ? OK : refuse(INVALID_REQUEST, REASON_COMMITMENT);
}

/**
 * OP_VERIFY. Errors in order: NOT_PENDING (also unknown), INVALID_REQUEST for the value, the ground, the share or the salt,
 * SELF_DEALING, NOT_A_VALIDATOR, NOT_ASSIGNED (not on the panel); on a dispute, where it reveals a vote, NOT_COMMITTED,
 * ALREADY_VOTED, REVEAL_EARLY, COMMITMENT_DIFFERS; else ALREADY_VOTED, CAPACITY.
 */
export function verify(): i32 {
  decision().item = 0;
  const row = findItem(fieldAddress(IN_VERIFY_EVENT));
  if (row < 0) return verifyLate(fieldAddress(IN_VERIFY_EVENT));
  const item = itemAt(<u32>row);
  if (item.isClosed != 0) return refuse(NOT_PENDING);
  const approves = isApproving();
  if (field16(IN_VERIFY_HAS_VALUE) != 0 && !isTaskItem(item)) {
    const value = field64(IN_VERIFY_VALUE);
    if (value > item.amount) return refuse(INVALID_REQUEST, REASON_VALUE_ABOVE_CLAIM);
    const mustBePositive = approves && item.kind == ITEM_GENERATION;
    if (mustBePositive && value == 0) return refuse(INVALID_REQUEST, REASON_VALUE_ZERO);
  }
  const index = votingValidator();
  let code = refuseTerms(item);
  if (code == OK) code = refuseVoter(item, index);
  if (code != OK) return code;
  if (item.kind == ITEM_DISPUTE) {
    code = refuseReveal(item, <u32>index);
    if (code != OK) return code;
  } else {
    if (hasVoted(item, <u32>index)) return refuse(ALREADY_VOTED);
    if (!hasVoteRow()) return refuse(CAPACITY, TABLE_VOTES);
  }
  if (!commits()) return OK;

  castVote(item, <u32>index, approves);
  return OK;
}

/**
 * OP_VOTE_COMMIT, on a dispute. Errors in order: NOT_PENDING (also unknown), INVALID_REQUEST (not a dispute), SELF_DEALING,
 * NOT_A_VALIDATOR, NOT_ASSIGNED, ALREADY_VOTED, COMMITMENTS_OVER, CAPACITY. The task starts the reveals.
 */
export function commitToVote(): i32 {
  decision().item = 0;
  const row = findItem(fieldAddress(IN_COMMIT_EVENT));
  if (row < 0 || itemAt(<u32>row).isClosed != 0) return refuse(NOT_PENDING);
  const item = itemAt(<u32>row);
  if (item.kind != ITEM_DISPUTE) return refuse(INVALID_REQUEST, REASON_COMMITMENT);
  const index = votingValidator();
  const code = refuseVoter(item, index);
  if (code != OK) return code;
  if (hasVoted(item, <u32>index)) return refuse(ALREADY_VOTED);
  if (item.isRevealing != 0) return refuse(COMMITMENTS_OVER, item.deadlineSecs);
  if (!hasCommitmentRows()) return refuse(CAPACITY, TABLE_VOTES);
  if (!commits()) return OK;

  const nowSecs = frame().nowSecs;
  commitVote(item, <u32>index, fieldAddress(IN_COMMITMENT), nowSecs);
  noteDuty(validatorAt(<u32>index), nowSecs);
  noteDecision(item, SETTLED_NONE, <u32>index, false);
  setResult(RESULT_AGENT, frame().actor);
  setResult(RESULT_VALIDATOR, <u64>index);
  return OK;
}
