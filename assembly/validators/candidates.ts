// Who may be drawn, and what each weighs: laid out in order of validator ids, for one draw after another.
// Keeps: parties, the unfit and those taken out weigh nothing; the sum is always that of the weights laid out.
// What stands here lasts for one draw and is no part of the state.

import { TESTNET_ASSIGNMENT_STAKE } from '../ledger/rates';
import { header, isTestnet } from '../state/header';
import { root } from '../state/root';
import { assignmentWeight } from './calibration';
import { inOneCluster } from './clusters';
import { mayVote, operatorOf, validatorAt, validatorInOrder } from './validators';
import { requiredStake } from './weight';

const MOST_AGENTS: u32 = 16;
const AGENTS: usize = memory.data(64, 8);

@unmanaged
class Candidates {
  /** Agents whose validators are left out, and how many validators are marked as left out themselves. */
  agents: u32;
  marked: u32;
  /** Candidates that were laid out, and the weight of those that are left. */
  count: u32;
  spare: u32;
  sum: u64;
}
const CANDIDATES: usize = memory.data(24, 8);

function candidates(): Candidates {
  return changetype<Candidates>(CANDIDATES);
}

function markOf(index: u32): usize {
  return root().leftOut + <usize>index;
}

/** Begins a new list of those who are left out; it holds until it is begun anew. */
export function excludeNobody(): void {
  const c = candidates();
  if (c.marked != 0) memory.fill(root().leftOut, 0, header().validatorCount);
  c.agents = 0;
  c.marked = 0;
}

/** The validator of this agent (index) is not to be drawn. */
export function exclude(agent: u32): void {
  const c = candidates();
  assert(c.agents < MOST_AGENTS, 'too many agents are left out of a draw');
  store<u32>(AGENTS + ((<usize>c.agents) << 2), agent);
  c.agents++;
}

/** This validator (index) is not to be drawn. */
export function excludeValidator(index: u32): void {
  store<u8>(markOf(index), 1);
  candidates().marked++;
}

/** Neither this validator (index) nor anyone in its cluster is to be drawn. O(validators) for a member of one. */
export function excludeCluster(index: u32): void {
  excludeValidator(index);
  if (validatorAt(index).cluster == 0) return;
  for (let other: u32 = 0; other < header().validatorCount; other++) {
    if (inOneCluster(index, other)) excludeValidator(other);
  }
}

/** True when the validator (index) is left out itself, whatever its agent is. */
export function isExcludedValidator(index: u32): bool {
  return candidates().marked != 0 && load<u8>(markOf(index)) != 0;
}

/** True when the validator (index) is left out, itself or with its agent. */
export function isExcluded(index: u32): bool {
  const c = candidates();
  if (isExcludedValidator(index)) return true;
  const agent = validatorAt(index).agent;
  for (let i: usize = 0; i < c.agents; i++) if (load<u32>(AGENTS + (i << 2)) == agent) return true;
  return false;
}

function weightAt(place: u32): usize {
  return root().drawWeights + ((<usize>place) << 3);
}

// Candidates of 6.9 but for suspensions in a category: in office, with enough stake, no party.
function isFit(index: u32, leastStake: u64): bool {
  const validator = validatorAt(index);
  return mayVote(validator) && operatorOf(validator).staked >= leastStake && !isExcluded(index);
}

/** Lays out the weights of all candidates for a category (index). O(validators). */
export function layOut(category: u32, active: u32, nowSecs: u64): void {
  const c = candidates();
  const required = requiredStake(active);
  const leastStake = isTestnet() ? max<u64>(required, TESTNET_ASSIGNMENT_STAKE) : required;
  c.count = 0;
  c.sum = 0;
  for (let place: u32 = 0; place < header().validatorCount; place++) {
    const index = validatorInOrder(place);
    const weight = isFit(index, leastStake) ? assignmentWeight(index, category, nowSecs) : 0;
    store<u64>(weightAt(place), weight);
    c.sum += weight;
    if (weight != 0) c.count++;
  }
}

/** How many candidates were laid out. */
export function candidateCount(): u32 {
  return candidates().count;
}

/** Weight of those who are left. */
export function weightLeft(): u64 {
  return candidates().sum;
}

/** Takes the one at a place in the order of ids out; returns its weight, 0 when it has none. */
export function takeOut(place: u32): u64 {
  const weight = load<u64>(weightAt(place));
  store<u64>(weightAt(place), 0);
  candidates().sum -= weight;
  return weight;
}

/** The place where the cumulative weight passes `number`, which is below weightLeft(). */
export function placeOf(number: u64): u32 {
  let place: u32 = 0;
  for (let sum = load<u64>(weightAt(0)); sum <= number; ) {
    place++;
    sum += load<u64>(weightAt(place));
  }
  return place;
}

/** The place of the only one left, or -1 when there is none or more than one. */
export function lastPlace(): i32 {
  if (candidates().sum == 0) return -1;
  const place = placeOf(0);
  return load<u64>(weightAt(place)) == candidates().sum ? <i32>place : -1;
}
