// The verdict quorum: whether the votes on an item decide it, with current weights.
// Keeps: parties never count, on either side; where a panel was drawn it alone judges, until all announced judges are asked; votes in probation weigh nothing and
// do not count as participants; without any weight there is no decision (protocol 4.3, 6.9, 15.8).

import {
  GROUND_FRAUD,
  GROUND_NONE,
  GROUND_NOTHING_DELIVERED,
  ITEM_DISPUTE,
  ITEM_SUBMISSION,
  PARAM_MIN_PARTICIPANTS,
  SHARES,
  VALIDATOR_ACTIVE,
  VOTER_BYTES,
  VOTER_GROUND,
  VOTER_SHARE,
  VOTER_TIME,
  VOTER_VALIDATOR,
  VOTER_VALUE,
  VOTER_VERDICT,
  VOTER_WEIGHT,
} from '../abi';
import { zero } from '../lib/bytes';
import { header, param } from '../state/header';
import { inOneCluster } from '../validators/clusters';
import { isJudge } from '../validators/judges';
import { validatorAt } from '../validators/validators';
import { addActive, addJudge, beginJudges, endJudges, leastTotal, voteWeight } from '../validators/weight';
import { assignedOf, barredOf, Item, markItem, PANEL_JUDGES, PANEL_NONE, PANEL_SEATS } from './items';
import { agrees, hasVoted, isApproval, isSealed, voteAt, voterOf } from './votes';

const THRESHOLD: u64 = 667;
const THRESHOLD_OF: u64 = 1000;

@unmanaged
export class Tally {
  approveWeight: u64;
  rejectWeight: u64;
  /**
   * Weight of all active non-party validators, at least a fifth of all held weight; or of a panel's active members; whether
   * they voted or not.
   */
  totalWeight: u64;
  participants: u64;
  /** Minimum number of votes for a decision. */
  needed: u64;
  /** Lowest value among the counted approvals; meaningless without one. */
  lowestValue: u64;
  /** Weight of the counted rejections that name each ground, GROUND_* from 1 on. */
  nothingDelivered: u64;
  plagiarism: u64;
  fraud: u64;
  /** Of a dispute: PANEL_*, and the number of those on the panel, or of all announced judges, that may vote. */
  panel: u64;
  judges: u64;
  /** Votes that would count, are committed and not revealed. */
  sealed: u64;
  /** Weight of the counted votes for each share, 0 to SHARES; fields of one list. */
  share0: u64;
  share1: u64;
  share2: u64;
  share3: u64;
  share4: u64;
  share5: u64;
  share6: u64;
  share7: u64;
  share8: u64;
  share9: u64;
  share10: u64;
}
/** Of a dispute that the votes do not decide. */
export const UNDECIDED: u32 = SHARES + 1;
const TALLY: usize = memory.data(184, 8);

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

/** True when the validator, or one of its cluster where clusters are barred, judged the submission that this dispute is about. */
export function isBarred(item: Item, validator: u32): bool {
  for (let i: usize = 0; i < item.barredCount; i++) {
    const judge = <u32>load<u16>(barredOf(item) + (i << 1));
    if (judge == validator || (item.barsClusters != 0 && inOneCluster(judge, validator))) return true;
  }
  return false;
}

/** True when the validator was drawn for the item: its name is binding for a submission only, but counts in probation. */
export function isDrawn(item: Item, validator: u32): bool {
  return isListed(assignedOf(item), item.assignedCount, validator);
}

/**
 * True unless the item has a panel and the validator is not on it, or is for judges and it has announced none. Who has voted
 * among all judges stays one of them: whoever misses a vote elsewhere is withdrawn, and a small dispute about which nobody can say
 * anything would take the votes of a large one away. O(votes) for who is no judge.
 */
export function isAssigned(item: Item, validator: u32): bool {
  if (item.panel == PANEL_NONE) return true;
  if (item.panel == PANEL_SEATS) return isDrawn(item, validator);
  return isJudge(validator) || hasVoted(item, validator);
}

/** True when the validator's vote on the item counts: it is active, no party, not barred, and assigned where that binds. */
export function counts(item: Item, index: u32): bool {
  const validator = validatorAt(index);
  if (validator.status != VALIDATOR_ACTIVE || isParty(item, validator.agent)) return false;
  return !isBarred(item, index) && isAssigned(item, index);
}

/** Weight of a validator's (index) vote on the item, among the judges of the last `countVotes`, which was of this item. */
export function weightOn(item: Item, index: u32, nowSecs: u64): u64 {
  return counts(item, index) ? voteWeight(validatorAt(index), nowSecs) : 0;
}

function assignedAt(item: Item, position: u32): u32 {
  return <u32>load<u16>(assignedOf(item) + ((<usize>position) << 1));
}

// Disputes are for all validators, or for all announced judges, whether they may judge this one or not.
function isAsked(item: Item, index: u32): bool {
  return item.kind == ITEM_DISPUTE && isAssigned(item, index);
}

// New weight is measured against those who may judge this item.
function measureJudges(item: Item, nowSecs: u64): void {
  const isPanel = item.panel == PANEL_SEATS;
  const count = isPanel ? item.assignedCount : header().validatorCount;
  beginJudges();
  for (let i: u32 = 0; i < count; i++) {
    const index = isPanel ? assignedAt(item, i) : i;
    if (!isPanel) addActive(validatorAt(index), counts(item, index), nowSecs, isAsked(item, index));
    else if (counts(item, index)) addJudge(validatorAt(index), nowSecs);
  }
  endJudges(nowSecs);
}

// Adds one of those who may judge the item to the requirements of a decision.
function requireJudge(item: Item, index: u32, nowSecs: u64): void {
  if (!counts(item, index)) return;
  tally().judges++;
  tally().totalWeight += voteWeight(validatorAt(index), nowSecs);
}

// The requirements of a decision: weight of all who may judge, and how many votes it needs.
function countJudges(item: Item, nowSecs: u64): void {
  const t = tally();
  measureJudges(item, nowSecs);
  if (item.panel == PANEL_SEATS) {
    for (let i: u32 = 0; i < item.assignedCount; i++) requireJudge(item, assignedAt(item, i), nowSecs);
  } else {
    for (let i: u32 = 0; i < header().validatorCount; i++) requireJudge(item, i, nowSecs);
    t.totalWeight = max<u64>(t.totalWeight, leastTotal());
  }
  t.needed = param(PARAM_MIN_PARTICIPANTS);
  if (item.kind == ITEM_SUBMISSION) t.needed = min<u64>(t.needed, t.judges);
  if (item.kind != ITEM_DISPUTE || item.panel == PANEL_NONE) return;
  t.needed = t.judges / 2 + 1;
  t.panel = item.panel;
}

// Address of the weight of the votes for a share.
function shareWeight(share: u32): usize {
  return TALLY + offsetof<Tally>('share0') + ((<usize>share) << 3);
}

// Address of the weight of the rejections that name a ground.
function groundWeight(ground: u32): usize {
  return TALLY + offsetof<Tally>('nothingDelivered') + ((<usize>ground - GROUND_NOTHING_DELIVERED) << 3);
}

function addGround(ground: u32, weight: u64): void {
  store<u64>(groundWeight(ground), load<u64>(groundWeight(ground)) + weight);
}

/** Counts the votes on an item into `tally()`; one that is not revealed is none. O(validators), O(1) for a panel with held weight. */
export function countVotes(item: Item, nowSecs: u64): void {
  const t = tally();
  zero(TALLY, <u32>offsetof<Tally>());
  t.lowestValue = u64.MAX_VALUE;
  countJudges(item, nowSecs);
  for (let link = item.voteHead; link != 0; link = voteAt(link - 1).next) {
    const vote = voteAt(link - 1);
    if (!counts(item, voterOf(vote))) continue;
    if (isSealed(vote)) {
      t.sealed++;
      continue;
    }
    const weight = voteWeight(validatorAt(voterOf(vote)), nowSecs);
    t.participants++;
    store<u64>(shareWeight(vote.share), load<u64>(shareWeight(vote.share)) + weight);
    if (isApproval(vote)) {
      t.approveWeight += weight;
      t.lowestValue = min<u64>(t.lowestValue, vote.value);
    } else {
      t.rejectWeight += weight;
      if (vote.ground != 0) addGround(vote.ground, weight);
    }
  }
}

/** Writes the revealed votes on an item, VOTER_BYTES each, with their current weights; returns the address after them. */
export function writeVoters(to: usize, item: Item, nowSecs: u64): usize {
  for (let link = item.voteHead; link != 0; link = voteAt(link - 1).next) {
    const vote = voteAt(link - 1);
    if (isSealed(vote)) continue;
    store<u32>(to, voterOf(vote), VOTER_VALIDATOR);
    store<u8>(to, isApproval(vote) ? 1 : 0, VOTER_VERDICT);
    store<u8>(to, vote.share, VOTER_SHARE);
    store<u16>(to, vote.ground, VOTER_GROUND);
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

// Enough votes, and enough of the weight of all who may judge: more than half of a panel, or of all judges, else a quorum.
function decides(weight: u64): bool {
  const t = tally();
  if (t.participants < t.needed) return false;
  return t.panel != PANEL_NONE ? weight * 2 > t.totalWeight : reachesQuorum(weight, t.totalWeight);
}

/** After countVotes: the approvals decide. */
export function isApproved(): bool {
  return decides(tally().approveWeight);
}

/** After countVotes: the rejections decide. */
export function isRejected(): bool {
  return decides(tally().rejectWeight);
}

// The share that enough weight to decide calls not too much, and enough weight not too little: the weighted median, and as
// more than half of the weight has to be on either side, the only one. Example: of three judges of equal weight one says
// 0, one 4 and one 10: two say at most 4 and two at least 4.
function medianShare(): u32 {
  const t = tally();
  let atMost: u64 = 0;
  for (let share: u32 = 0; share <= <u32>SHARES; share++) {
    const atLeast = t.approveWeight + t.rejectWeight - atMost;
    atMost += load<u64>(shareWeight(share));
    if (decides(atMost)) return decides(atLeast) ? share : UNDECIDED;
  }
  return UNDECIDED;
}

// Weight of the votes that agree with a share.
function agreeingWeight(share: u32): u64 {
  let sum: u64 = 0;
  for (let voted: u32 = 0; voted <= <u32>SHARES; voted++)
    if (agrees(voted, share)) sum += load<u64>(shareWeight(voted));
  return sum;
}

/**
 * After countVotes of a dispute: the worker's share on which it is decided, else UNDECIDED. A panel that was drawn decides only
 * where a quorum of it agrees: a few bought judges are easily half of five, and seldom more (protocol 15.6, 15.8).
 */
export function decidedShare(): u32 {
  const share = medianShare();
  if (share == UNDECIDED || tally().panel != PANEL_SEATS) return share;
  return reachesQuorum(agreeingWeight(share), tally().totalWeight) ? share : UNDECIDED;
}

/**
 * After countVotes: the ground, GROUND_*, that rejections with the weight of a quorum name alike; GROUND_NONE with fewer
 * than min_participants votes.
 */
export function namedGround(): u32 {
  if (tally().participants < param(PARAM_MIN_PARTICIPANTS)) return GROUND_NONE;
  for (let ground: u32 = GROUND_NOTHING_DELIVERED; ground <= <u32>GROUND_FRAUD; ground++) {
    const weight = load<u64>(groundWeight(ground));
    if (weight != 0 && reachesQuorum(weight, tally().totalWeight)) return ground;
  }
  return GROUND_NONE;
}

/**
 * After countVotes of a dispute on which all votes are in: its panel is not enough, because it does not decide, or because it
 * accuses the worker: a few do not slash (protocol 15.7, 15.8). `share`: that of decidedShare.
 */
export function needsAllJudges(share: u32): bool {
  if (tally().panel != PANEL_SEATS) return false;
  return share == UNDECIDED || (share == 0 && namedGround() != GROUND_NONE);
}

/** A dispute whose panel is not enough is for all announced judges now; counts its votes again. */
export function askAllJudges(item: Item, nowSecs: u64): void {
  item.panel = PANEL_JUDGES;
  item.isRevealing = 0;
  markItem(item);
  countVotes(item, nowSecs);
}
