// The table of validators: status, operator, counts of votes, calibration, categories.
// Keeps: an agent operates at most one validator; ids are unique; rows are never freed.
// Weights are computed in weight.ts, never stored: they follow from reputation and stake at a time.

import { VALIDATOR_ACTIVE, VALIDATOR_PROBATION } from '../abi';
import { Agent, agentAt, touchAgent } from '../ledger/agents';
import { compareText } from '../lib/bytes';
import { header } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';

export const VALIDATOR_ROW_BYTES: u32 = 456;
export const MAX_VALIDATOR_CATEGORIES: u32 = 20;
export const MAX_VALIDATOR_ID_BYTES: u32 = 64;

@unmanaged
export class Validator {
  status: u32;
  agent: u32;
  /** Seat index, NO_SEAT for an applicant. */
  seat: u32;
  baselineBp: u32;
  /** Votes on events decided by quorum, and those that agreed with the quorum. */
  votesDecided: u32;
  votesRight: u32;
  /** Decided events voted on in the current cycle. */
  tasksProcessed: u32;
  slashes: u32;
  collusions: u32;
  isGenesis: u16;
  /** 1: its operator announced a judge (judges.ts). */
  isJudge: u16;
  categoryCount: u32;
  idBytes: u32;
  registeredAtSecs: u64;
  /** Time of the last verdict, or of the last ordered vertex of the seat; 0 = never. */
  lastDutySecs: u64;
  /** Number of a day, and the panel seats on it. */
  seatsDay: u64;
  seatsToday: u32;
  /** First calibration, row + 1, in order of category index. */
  calibrationHead: u32;
  /** Each 0 when not set. */
  suspendedSecs: u64;
  suspendedUntilSecs: u64;
  /** Since when the stake of an active validator is below the required one. */
  belowSinceSecs: u64;
  activatedSecs: u64;
  /** Start of the current probation cycle. */
  probationSecs: u64;
  /** When a rotation by the recovery key, and a replacement of the recovery key, take effect. */
  nextKeySecs: u64;
  nextRecoverySecs: u64;
  /** Deadline of the validator's timer. */
  timerSecs: u64;
  /** 1..3 in probation, else 0. */
  cycle: u32;
  /** STATUS_REASON_* of a suspension. */
  reason: u32;
  /** Validator index + 1 of the cluster's smallest id, 0 = no cluster. */
  cluster: u32;
  /** Number of open challenges against it. */
  openChallenges: u32;
  /** Zeros = not configured. */
  recovery0: u64;
  recovery1: u64;
  recovery2: u64;
  recovery3: u64;
  /** With nextRecoverySecs. */
  nextRecovery0: u64;
  nextRecovery1: u64;
  nextRecovery2: u64;
  nextRecovery3: u64;
  /** With nextKeySecs. */
  nextKey0: u64;
  nextKey1: u64;
  nextKey2: u64;
  nextKey3: u64;
  /** Number of tasks in the core that it approved on their panels and is liable for. */
  approvals: u32;
  /** Events of the current probation cycle that it was drawn for and did not vote on in time. */
  missedDraws: u32;
  /** When an applicant passed probation, and when it is next tried whether it may become active; 0 = not passed. */
  passedSecs: u64;
  trySecs: u64;
  /** The part of its vote weight that is not new (weight.ts). */
  heldWeight: u64;
  // From here 32 x u16 validator index + 1, 0 = none (objections.ts); 20 x u16 category index; id[64].
  objections: u64;
}
export const OBJECTIONS_AT: usize = 288;
const CATEGORIES_AT: usize = 352;
export const ID_AT: usize = 392;

export function validatorAt(index: u32): Validator {
  return changetype<Validator>(root().validators + <usize>index * VALIDATOR_ROW_BYTES);
}

export function validatorId(validator: Validator): usize {
  return changetype<usize>(validator) + ID_AT;
}

export function setValidatorCategory(validator: Validator, position: u32, category: u16): void {
  store<u16>(changetype<usize>(validator) + CATEGORIES_AT + ((<usize>position) << 1), category);
}

/** Category index at a position of the validator's list. */
export function validatorCategory(validator: Validator, position: u32): u32 {
  return load<u16>(changetype<usize>(validator) + CATEGORIES_AT + ((<usize>position) << 1));
}

/** True when the validator lists this category, or lists none; `category` is an index, or -1. */
export function servesCategory(validator: Validator, category: i32): bool {
  if (validator.categoryCount == 0) return true;
  const list = changetype<usize>(validator) + CATEGORIES_AT;
  for (let i: usize = 0; i < validator.categoryCount; i++) {
    if (<i32>load<u16>(list + (i << 1)) == category) return true;
  }
  return false;
}

export function operatorOf(validator: Validator): Agent {
  return agentAt(validator.agent);
}

/** Index of the validator that an agent operates, or -1. */
export function validatorOf(agent: Agent): i32 {
  return <i32>agent.validator - 1;
}

/** True in a status in which verdicts are accepted. */
export function mayVote(validator: Validator): bool {
  return validator.status == VALIDATOR_ACTIVE || validator.status == VALIDATOR_PROBATION;
}

export function markValidator(validator: Validator): void {
  markBytes(changetype<usize>(validator), VALIDATOR_ROW_BYTES);
}

/** Records an application, a verdict or an ordered vertex, which locks the operator's stake for a while (protocol 6.7). */
export function noteDuty(validator: Validator, nowSecs: u64): void {
  validator.lastDutySecs = nowSecs;
  markValidator(validator);
}

/** Changes the number of tasks that the validator (index) approved on their panels. */
export function countApproval(index: u32, change: i32): void {
  const validator = validatorAt(index);
  validator.approvals += change;
  markValidator(validator);
}

/** Index of the validator at a position in the order of ids. */
export function validatorInOrder(position: u32): u32 {
  return load<u32>(root().validatorOrder + ((<usize>position) << 2));
}

// Inserts a validator into the order of ids, which has `count` others.
function insertInOrder(index: u32, count: u32): void {
  const list = root().validatorOrder;
  const added = validatorAt(index);
  let position = count;
  for (; position > 0; position--) {
    const other = load<u32>(list + ((<usize>(position - 1)) << 2));
    const row = validatorAt(other);
    if (compareText(validatorId(row), row.idBytes, validatorId(added), added.idBytes) < 0) break;
    store<u32>(list + ((<usize>position) << 2), other);
  }
  store<u32>(list + ((<usize>position) << 2), index);
}

export function rebuildValidatorOrder(): void {
  for (let index: u32 = 0; index < header().validatorCount; index++) insertInOrder(index, index);
}

/** True when no validator has this id. */
export function isFreeValidatorId(id: usize, idBytes: u32): bool {
  for (let index: u32 = 0; index < header().validatorCount; index++) {
    const row = validatorAt(index);
    if (compareText(validatorId(row), row.idBytes, id, idBytes) == 0) return false;
  }
  return true;
}

/** Adds a row for an operator without one; the caller fills in categories and has checked the capacity. */
export function addValidator(
  agent: u32,
  seat: u32,
  status: u32,
  baselineBp: u32,
  id: usize,
  idBytes: u32,
  nowSecs: u64,
): u32 {
  const index = header().validatorCount++;
  const row = validatorAt(index);
  row.status = status;
  row.agent = agent;
  row.seat = seat;
  row.baselineBp = baselineBp;
  row.registeredAtSecs = nowSecs;
  row.idBytes = idBytes;
  memory.copy(validatorId(row), id, idBytes);
  insertInOrder(index, index);
  markValidator(row);
  agentAt(agent).validator = <u16>(index + 1);
  touchAgent(agentAt(agent));
  return index;
}

/** Number of validators with a status. */
export function countStatus(status: u32): u32 {
  let count: u32 = 0;
  for (let index: u32 = 0; index < header().validatorCount; index++) {
    if (validatorAt(index).status == status) count++;
  }
  return count;
}
