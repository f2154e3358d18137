// One verdict on an open item, and the settlement of a transfer or generation when it completes the quorum.
// Keeps: only active validators and those in probation vote, once each, and never as a party (protocol 4.3).
// The consequences of a quorum on a submission or a dispute are up to the task: see `decision()`.

import {
  ALREADY_VOTED,
  AUTH_UNSIGNED,
  CAPACITY,
  IN_VERIFY_EVENT,
  IN_VERIFY_GROUND,
  IN_VERIFY_HAS_VALUE,
  IN_VERIFY_SHARE,
  IN_VERIFY_VALUE,
  IN_VERIFY_VERDICT,
  INVALID_REQUEST,
  ITEM_DISPUTE,
  ITEM_GENERATION,
  ITEM_TRANSFER,
  NOT_A_VALIDATOR,
  NOT_ASSIGNED,
  NOT_PENDING,
  OK,
  REASON_GROUND,
  REASON_SHARE,
  REASON_VALUE_ABOVE_CLAIM,
  REASON_VALUE_ZERO,
  RESULT_AGENT,
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
import { countVote } from '../validators/calibration';
import { seatValidator } from '../validators/seats';
import { mayVote, noteDuty, validatorAt, validatorOf } from '../validators/validators';
import { closeItem } from './close';
import { findItem, Item, itemAt, itemRow } from './items';
import { findLate, takeLate } from './late-votes';
import {
  askAllJudges,
  awaitsGround,
  countVotes,
  decidedShare,
  isApproved,
  isAssigned,
  isBarred,
  isParty,
  isRejected,
  needsAllJudges,
  Tally,
  tally,
  UNDECIDED,
  weightOn,
} from './quorum';
import { addVote, agrees, detailVote, hasVoted, hasVoteRow } from './votes';

/** A vote on a submission or dispute, and the quorum that it completed. Set by each accepted OP_VERIFY. */
@unmanaged
export class Decision {
  /** The item, row + 1; 0 when the verdict was on a transfer or generation, or was refused. */
  item: u32;
  /** SETTLED_NONE, SETTLED_VERIFIED or SETTLED_REJECTED. The votes are counted in `tally()`. */
  reason: u32;
  /** Validator index of the voter, and the verdict. */
  validator: u32;
  approves: u32;
  /** Of a dispute: the worker's share that was decided. */
  share: u32;
}
const DECISION: usize = memory.data(24, 8);

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

// The decision of the votes on an item, counted into `tally()`: SETTLED_*, of a dispute with its share in `decision()`.
function decided(item: Item): u32 {
  if (item.kind == ITEM_DISPUTE) {
    const share = decidedShare();
    decision().share = share == UNDECIDED ? 0 : share;
    if (share == UNDECIDED || (share == 0 && awaitsGround())) return SETTLED_NONE;
    return share != 0 ? SETTLED_VERIFIED : SETTLED_REJECTED;
  }
  if (isApproved()) return SETTLED_VERIFIED;
  return isRejected() ? SETTLED_REJECTED : SETTLED_NONE;
}

function castVote(item: Item, index: u32, approves: bool): void {
  const nowSecs = frame().nowSecs;
  addVote(item, index, approves, voteValue(item, approves), nowSecs);
  detailVote(item, votedShare(), field16(IN_VERIFY_GROUND));
  noteDuty(validatorAt(index), nowSecs);
  countVotes(item, nowSecs);
  if (needsAllJudges()) askAllJudges(item, nowSecs);
  const weight = weightOn(item, index, nowSecs);
  const reason = decided(item);
  let status = VOTE_PENDING;
  if (reason != <u32>SETTLED_NONE) status = reason == SETTLED_VERIFIED ? VOTE_SETTLED : VOTE_ADJUSTED;
  const hasValue = reason == SETTLED_VERIFIED && item.kind == ITEM_GENERATION;
  setResults(index, weight, status, reason, hasValue ? tally().lowestValue : 0);
  if (isTaskItem(item)) {
    const d = decision();
    d.item = itemRow(item) + 1;
    d.reason = reason;
    d.validator = index;
    d.approves = approves ? 1 : 0;
  } else if (reason != <u32>SETTLED_NONE) {
    closeItem(item, reason, nowSecs);
  }
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

/**
 * OP_VERIFY. Errors in order: NOT_PENDING (also unknown), INVALID_REQUEST for the value, the ground or the share, SELF_DEALING,
 * NOT_A_VALIDATOR, NOT_ASSIGNED (not on the panel), ALREADY_VOTED, CAPACITY.
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
  if (field16(IN_VERIFY_GROUND) != 0 && item.kind != ITEM_DISPUTE)
    return refuse(INVALID_REQUEST, REASON_GROUND);
  if (field16(IN_VERIFY_SHARE) != 0 && item.kind != ITEM_DISPUTE)
    return refuse(INVALID_REQUEST, REASON_SHARE);
  const index = votingValidator();
  if (isSelfDealing(item, index)) return refuse(SELF_DEALING);
  if (index < 0) return refuse(NOT_A_VALIDATOR);
  if (!mayVote(validatorAt(<u32>index))) return refuse(NOT_A_VALIDATOR);
  if (!isAssigned(item, <u32>index)) return refuse(NOT_ASSIGNED);
  if (hasVoted(item, <u32>index)) return refuse(ALREADY_VOTED);
  if (!hasVoteRow()) return refuse(CAPACITY, TABLE_VOTES);
  if (!commits()) return OK;

  castVote(item, <u32>index, approves);
  return OK;
}
