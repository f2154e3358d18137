// One verdict on an open item, and the settlement when it completes the quorum.
// Keeps: only validators in office vote, once each, and never on what they are a party to (DECISIONS 4.3).

import {
  ALREADY_VOTED,
  AUTH_UNSIGNED,
  CAPACITY,
  INVALID_REQUEST,
  ITEM_GENERATION,
  NOT_A_VALIDATOR,
  NOT_PENDING,
  OK,
  REASON_VALUE_ABOVE_CLAIM,
  REASON_VALUE_ZERO,
  SELF_DEALING,
  SETTLED_NONE,
  SETTLED_REJECTED,
  SETTLED_VERIFIED,
  TABLE_VOTES,
  VOTE_ADJUSTED,
  VOTE_PENDING,
  VOTE_SETTLED,
} from '../abi';
import { actor, commits, field32, field64, fieldAddress, frame, refuse, setResult } from '../io/frame';
import { seatValidator } from '../validators/seats';
import { mayVote, noteDuty, Validator, validatorAt, validatorOf } from '../validators/validators';
import { closeItem } from './close';
import { findItem, Item, itemAt } from './items';
import { countVotes, isApproved, isParty, isRejected, tally, weightOn } from './quorum';
import { addVote, hasVoted, hasVoteRow } from './votes';

const EVENT_ID: usize = 96;
const VERDICT: usize = 128;
const HAS_VALUE: usize = 132;
const VALUE: usize = 136;

// The validator that votes: the actor's own, or, unsigned and without one, that of the vouching seat.
function votingValidator(): i32 {
  const own = validatorOf(actor());
  if (own >= 0 || frame().auth != AUTH_UNSIGNED) return own;
  return seatValidator(frame().seat);
}

function isSelfDealing(item: Item, validator: i32): bool {
  if (isParty(item, frame().actor)) return true;
  return validator >= 0 && isParty(item, validatorAt(<u32>validator).agent);
}

// The value that the vote records: 0 on a rejection; a generation defaults to its claim.
function voteValue(item: Item, approves: bool): u64 {
  if (!approves) return 0;
  if (field32(HAS_VALUE) != 0) return field64(VALUE);
  return item.kind == ITEM_GENERATION ? item.amount : 0;
}

function setResults(index: u32, weight: u64, status: u32, reason: u32, value: u64): void {
  const t = tally();
  setResult(0, frame().actor);
  setResult(1, index);
  setResult(2, status);
  setResult(3, reason);
  setResult(4, t.approveWeight);
  setResult(5, t.rejectWeight);
  setResult(6, t.totalWeight);
  setResult(7, t.participants);
  setResult(8, value);
  setResult(9, weight);
  setResult(10, field32(VERDICT));
}

function castVote(item: Item, index: u32, validator: Validator, approves: bool): void {
  const nowSecs = frame().nowSecs;
  addVote(item, index, approves, voteValue(item, approves), nowSecs);
  noteDuty(validator, nowSecs);
  const weight = weightOn(item, validator, nowSecs);
  countVotes(item, nowSecs);
  if (isApproved()) {
    const value = item.kind == ITEM_GENERATION ? tally().lowestValue : 0;
    setResults(index, weight, VOTE_SETTLED, SETTLED_VERIFIED, value);
    closeItem(item, SETTLED_VERIFIED, nowSecs);
  } else if (isRejected()) {
    setResults(index, weight, VOTE_ADJUSTED, SETTLED_REJECTED, 0);
    closeItem(item, SETTLED_REJECTED, nowSecs);
  } else {
    setResults(index, weight, VOTE_PENDING, SETTLED_NONE, 0);
  }
}

/**
 * OP_VERIFY. Errors in order: NOT_PENDING (also unknown), INVALID_REQUEST for the value, SELF_DEALING,
 * NOT_A_VALIDATOR, ALREADY_VOTED, CAPACITY.
 */
export function verify(): i32 {
  const row = findItem(fieldAddress(EVENT_ID));
  if (row < 0) return refuse(NOT_PENDING);
  const item = itemAt(<u32>row);
  const approves = field32(VERDICT) != 0;
  if (field32(HAS_VALUE) != 0) {
    const value = field64(VALUE);
    if (value > item.amount) return refuse(INVALID_REQUEST, REASON_VALUE_ABOVE_CLAIM);
    const mustBePositive = approves && item.kind == ITEM_GENERATION;
    if (mustBePositive && value == 0) return refuse(INVALID_REQUEST, REASON_VALUE_ZERO);
  }
  const index = votingValidator();
  if (isSelfDealing(item, index)) return refuse(SELF_DEALING);
  if (index < 0) return refuse(NOT_A_VALIDATOR);
  const validator = validatorAt(<u32>index);
  if (!mayVote(validator)) return refuse(NOT_A_VALIDATOR);
  if (hasVoted(item, <u32>index)) return refuse(ALREADY_VOTED);
  if (!hasVoteRow()) return refuse(CAPACITY, TABLE_VOTES);
  if (!commits()) return OK;

  castVote(item, <u32>index, validator, approves);
  return OK;
}
