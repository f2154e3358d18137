// The verdict quorum: whether the votes on an item decide it, with current weights.
// Keeps: parties never count, on either side; a submission is judged by its panel alone; votes in probation weigh
// nothing and do not count as participants; without any weight there is no decision (protocol 4.3, 6.9).

import {
  ITEM_SUBMISSION,
  PARAM_MIN_PARTICIPANTS,
  VALIDATOR_ACTIVE,
  VOTER_BYTES,
  VOTER_TIME,
  VOTER_VALIDATOR,
  VOTER_VALUE,
  VOTER_VERDICT,
  VOTER_WEIGHT,
} from '../abi';
import { header, param } from '../state/header';
import { inOneCluster } from '../validators/clusters';
import { validatorAt } from '../validators/validators';
import { voteWeight } from '../validators/weight';
import { assignedOf, barredOf, Item } from './items';
import { isApproval, voteAt, voterOf } from './votes';

const THRESHOLD: u64 = 667;
const THRESHOLD_OF: u64 = 1000;

@unmanaged
export class Tally {
  approveWeight: u64;
  rejectWeight: u64;
  /** Weight of all active non-party validators, or of a panel's active members, whether they voted or not. */
  totalWeight: u64;
  participants: u64;
  /** Minimum number of votes for a decision. */
  needed: u64;
  /** Lowest value among the counted approvals; meaningless without one. */
  lowestValue: u64;
}
const TALLY: usize = memory.data(48, 8);

export function tally(): Tally {
  return changetype<Tally>(TALLY);
}

export function isParty(item: Item, agent: u32): bool {
  if (agent == item.agent || agent == item.recipient) return true;
  return agent + 1 == item.thirdParty || agent + 1 == item.fourthParty;
}

function isListed(list: usize, count: u32, validator: u32): bool {
  for (let i: usize = 0; i < count; i++) if (load<u16>(list + (i << 1)) == <u16>validator) return true;
  return false;
}

/** True when the validator, or one of its cluster, judged the submission that this dispute is about. */
export function isBarred(item: Item, validator: u32): bool {
  for (let i: usize = 0; i < item.barredCount; i++) {
    if (inOneCluster(load<u16>(barredOf(item) + (i << 1)), validator)) return true;
  }
  return false;
}

/** True unless the item has a panel and the validator is not on it: only panels are binding. */
export function isAssigned(item: Item, validator: u32): bool {
  return item.kind != ITEM_SUBMISSION || isListed(assignedOf(item), item.assignedCount, validator);
}

function counts(item: Item, index: u32): bool {
  const validator = validatorAt(index);
  if (validator.status != VALIDATOR_ACTIVE || isParty(item, validator.agent)) return false;
  return !isBarred(item, index) && isAssigned(item, index);
}

/** Current weight of a validator's vote on the item; `index` is the validator's. */
export function weightOn(item: Item, index: u32, nowSecs: u64): u64 {
  return counts(item, index) ? voteWeight(validatorAt(index), nowSecs) : 0;
}

// The requirements of a decision: weight of all who may judge, and how many votes it needs.
function countJudges(item: Item, nowSecs: u64): void {
  const t = tally();
  t.needed = param(PARAM_MIN_PARTICIPANTS);
  if (item.kind != ITEM_SUBMISSION) {
    for (let i: u32 = 0; i < header().validatorCount; i++) t.totalWeight += weightOn(item, i, nowSecs);
    return;
  }
  let active: u64 = 0;
  for (let position: usize = 0; position < item.assignedCount; position++) {
    const index = <u32>load<u16>(assignedOf(item) + (position << 1));
    if (!counts(item, index)) continue;
    active++;
    t.totalWeight += voteWeight(validatorAt(index), nowSecs);
  }
  t.needed = min<u64>(t.needed, active);
}

/** Counts the votes on an item into `tally()`. O(active validators), O(1) for a panel. */
export function countVotes(item: Item, nowSecs: u64): void {
  const t = tally();
  memory.fill(TALLY, 0, offsetof<Tally>());
  t.lowestValue = u64.MAX_VALUE;
  countJudges(item, nowSecs);
  for (let link = item.voteHead; link != 0; link = voteAt(link - 1).next) {
    const vote = voteAt(link - 1);
    if (!counts(item, voterOf(vote))) continue;
    const weight = voteWeight(validatorAt(voterOf(vote)), nowSecs);
    t.participants++;
    if (isApproval(vote)) {
      t.approveWeight += weight;
      t.lowestValue = min<u64>(t.lowestValue, vote.value);
    } else {
      t.rejectWeight += weight;
    }
  }
}

/** Writes the votes on an item, VOTER_BYTES each, with their current weights; returns the address after them. */
export function writeVoters(to: usize, item: Item, nowSecs: u64): usize {
  for (let link = item.voteHead; link != 0; link = voteAt(link - 1).next) {
    const vote = voteAt(link - 1);
    store<u32>(to, voterOf(vote), VOTER_VALIDATOR);
    store<u32>(to, isApproval(vote) ? 1 : 0, VOTER_VERDICT);
    store<u64>(to, vote.value, VOTER_VALUE);
    store<u64>(to, weightOn(item, voterOf(vote), nowSecs), VOTER_WEIGHT);
    store<u64>(to, vote.castSecs, VOTER_TIME);
    to += VOTER_BYTES;
  }
  return to;
}

/** True when `weight` of `total` reaches 66.7 %. Both are at most 10^15. Example: 50 of 70 does, 40 not. */
export function reachesQuorum(weight: u64, total: u64): bool {
  return total != 0 && weight * THRESHOLD_OF >= THRESHOLD * total;
}

function hasParticipants(): bool {
  return tally().participants >= tally().needed;
}

/** After countVotes: the approvals decide. */
export function isApproved(): bool {
  return hasParticipants() && reachesQuorum(tally().approveWeight, tally().totalWeight);
}

/** After countVotes: the rejections decide. */
export function isRejected(): bool {
  return hasParticipants() && reachesQuorum(tally().rejectWeight, tally().totalWeight);
}
