// The verdict quorum: whether the votes on an item decide it, with the weights of this moment.
// Keeps: parties never count, on either side; probation votes weigh nothing and are no participants;
// without any weight there is no decision (DECISIONS 6.9).

import { PARAM_MIN_PARTICIPANTS, VALIDATOR_ACTIVE } from '../abi';
import { header, param } from '../state/header';
import { Validator, validatorAt } from '../validators/validators';
import { voteWeight } from '../validators/weight';
import { Item } from './items';
import { isApproval, voteAt, voterOf } from './votes';

const THRESHOLD: u64 = 667;
const THRESHOLD_OF: u64 = 1000;

@unmanaged
export class Tally {
  approveWeight: u64;
  rejectWeight: u64;
  /** Weight of all active non-party validators, cast or not. */
  totalWeight: u64;
  participants: u64;
  /** Lowest value among the counted approvals; meaningless without one. */
  lowestValue: u64;
}
const TALLY: usize = memory.data(40, 8);

export function tally(): Tally {
  return changetype<Tally>(TALLY);
}

export function isParty(item: Item, agent: u32): bool {
  return agent == item.agent || agent == item.recipient;
}

function counts(validator: Validator, item: Item): bool {
  return validator.status == VALIDATOR_ACTIVE && !isParty(item, validator.agent);
}

/** Weight that a validator's vote on the item has now. */
export function weightOn(item: Item, validator: Validator, nowSecs: u64): u64 {
  return counts(validator, item) ? voteWeight(validator, nowSecs) : 0;
}

/** Counts the votes on an item into `tally()`. O(active validators). */
export function countVotes(item: Item, nowSecs: u64): void {
  const t = tally();
  memory.fill(TALLY, 0, offsetof<Tally>());
  t.lowestValue = u64.MAX_VALUE;
  for (let i: u32 = 0; i < header().validatorCount; i++) {
    t.totalWeight += weightOn(item, validatorAt(i), nowSecs);
  }
  for (let link = item.voteHead; link != 0; link = voteAt(link - 1).next) {
    const vote = voteAt(link - 1);
    const validator = validatorAt(voterOf(vote));
    if (!counts(validator, item)) continue;
    const weight = voteWeight(validator, nowSecs);
    t.participants++;
    if (isApproval(vote)) {
      t.approveWeight += weight;
      t.lowestValue = min<u64>(t.lowestValue, vote.value);
    } else {
      t.rejectWeight += weight;
    }
  }
}

/** True when `weight` of `total` reaches 66.7 %. Both are at most 10^15. Example: 50 of 70 does, 40 not. */
export function reachesQuorum(weight: u64, total: u64): bool {
  return total != 0 && weight * THRESHOLD_OF >= THRESHOLD * total;
}

function hasParticipants(): bool {
  return tally().participants >= param(PARAM_MIN_PARTICIPANTS);
}

/** After countVotes: the approvals decide. */
export function isApproved(): bool {
  return hasParticipants() && reachesQuorum(tally().approveWeight, tally().totalWeight);
}

/** After countVotes: the rejections decide. */
export function isRejected(): bool {
  return hasParticipants() && reachesQuorum(tally().rejectWeight, tally().totalWeight);
}
