// Who may be drawn, and with what weight: listed in order of validator ids, for one draw after another.
// Keeps: parties, ineligible validators and those removed weigh nothing; the sum is always that of the listed weights.
// The list lasts for one draw and is not part of the state.

import { TESTNET_ASSIGNMENT_STAKE } from '../ledger/rates';
import { header, isTestnet } from '../state/header';
import { root } from '../state/root';
import { assignmentWeight } from './calibration';
import { inOneCluster } from './clusters';
import { mayVote, operatorOf, validatorAt, validatorInOrder } from './validators';
import { requiredStake } from './weight';

const MAX_AGENTS: u32 = 16;
const AGENTS: usize = memory.data(64, 8);

@unmanaged
class Candidates {
  /** Number of agents whose validators are excluded, and of validators that are excluded themselves. */
  agents: u32;
  marked: u32;
  /** Number of listed candidates, and the weight of those that are left. */
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

/** Clears the list of exclusions. */
export function excludeNobody(): void {
  const c = candidates();
  if (c.marked != 0) memory.fill(root().leftOut, 0, header().validatorCount);
  c.agents = 0;
  c.marked = 0;
}

/** Excludes the validator of this agent (index). */
export function exclude(agent: u32): void {
  const c = candidates();
  assert(c.agents < MAX_AGENTS, 'too many agents are excluded from a draw');
  store<u32>(AGENTS + ((<usize>c.agents) << 2), agent);
  c.agents++;
}

/** Excludes this validator (index). */
export function excludeValidator(index: u32): void {
  store<u8>(markOf(index), 1);
  candidates().marked++;
}

/** Excludes this validator (index) and its cluster. O(validators) for a member of one. */
export function excludeCluster(index: u32): void {
  excludeValidator(index);
  if (validatorAt(index).cluster == 0) return;
  for (let other: u32 = 0; other < header().validatorCount; other++) {
    if (inOneCluster(index, other)) excludeValidator(other);
  }
}

/** True when the validator (index) itself is excluded, regardless of its agent. */
export function isExcludedValidator(index: u32): bool {
  return candidates().marked != 0 && load<u8>(markOf(index)) != 0;
}

/** True when the validator (index) is excluded, itself or with its agent. */
export function isExcluded(index: u32): bool {
  const c = candidates();
  if (isExcludedValidator(index)) return true;
  const agent = validatorAt(index).agent;
  for (let i: usize = 0; i < c.agents; i++) if (load<u32>(AGENTS + (i << 2)) == agent) return true;
  return false;
}

function weightAt(position: u32): usize {
  return root().drawWeights + ((<usize>position) << 3);
}

// Eligible by protocol 6.9, apart from suspensions in a category: active or in probation, enough stake, not excluded.
function isFit(index: u32, minStake: u64): bool {
  const validator = validatorAt(index);
  return mayVote(validator) && operatorOf(validator).staked >= minStake && !isExcluded(index);
}

/** Lists the weights of all candidates for a category (index) that have staked `cover`, too. O(validators). */
export function layOut(category: u32, active: u32, nowSecs: u64, cover: u64): void {
  const c = candidates();
  const required = max<u64>(requiredStake(active), cover);
  const minStake = isTestnet() ? max<u64>(required, TESTNET_ASSIGNMENT_STAKE) : required;
  c.count = 0;
  c.sum = 0;
  for (let position: u32 = 0; position < header().validatorCount; position++) {
    const index = validatorInOrder(position);
    const weight = isFit(index, minStake) ? assignmentWeight(index, category, nowSecs) : 0;
    store<u64>(weightAt(position), weight);
    c.sum += weight;
    if (weight != 0) c.count++;
  }
}

/** Number of listed candidates. */
export function candidateCount(): u32 {
  return candidates().count;
}

/** True when the one at a position in the order of ids is listed and left. */
export function isCandidate(position: u32): bool {
  return load<u64>(weightAt(position)) != 0;
}

/** Weight of those that are left. */
export function weightLeft(): u64 {
  return candidates().sum;
}

/** Removes the candidate at a position in the order of ids; returns its weight, 0 when it has none. */
export function takeOut(position: u32): u64 {
  const weight = load<u64>(weightAt(position));
  store<u64>(weightAt(position), 0);
  candidates().sum -= weight;
  return weight;
}

/** The position where the cumulative weight exceeds `number`, which is below weightLeft(). */
export function positionOf(number: u64): u32 {
  let position: u32 = 0;
  for (let sum = load<u64>(weightAt(0)); sum <= number; ) {
    position++;
    sum += load<u64>(weightAt(position));
  }
  return position;
}

/** The position of the only one left, or -1 when there is none or more than one. */
export function lastPosition(): i32 {
  if (candidates().sum == 0) return -1;
  const position = positionOf(0);
  return load<u64>(weightAt(position)) == candidates().sum ? <i32>position : -1;
}
