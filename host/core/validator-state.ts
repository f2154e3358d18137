// Decodes the core's answers to queries for validators and seats (assembly/abi.ts).

import * as abi from '../../assembly/abi.ts';
import { isZero, u64At } from '../wire/bytes.ts';
import type { OutView } from './core.ts';

/** Counts of a validator's votes in one category. */
export interface CalibrationState {
  category: number;
  signals: number;
  correct: number;
  canarySignals: number;
  /** 2 for a correct vote on a canary, 1 for a partly correct one. */
  canaryPoints: number;
  /** Seconds, 0 = not suspended. */
  suspendedUntil: number;
}

/** Times in seconds, 0 = not set. */
export interface ValidatorState {
  index: number;
  id: string;
  /** VALIDATOR_* */
  status: number;
  agent: number;
  /** Undefined for an applicant without a seat in the manifest. */
  seat: number | undefined;
  reputationBp: number;
  assignmentWeight: number;
  votesDecided: number;
  votesRight: number;
  tasksProcessed: number;
  slashes: number;
  collusions: number;
  isGenesis: boolean;
  /** A judge is announced. */
  isJudge: boolean;
  staked: number;
  voteWeight: number;
  registeredAt: number;
  /** STATUS_REASON_* of a suspension. */
  reason: number;
  suspendedAt: number;
  suspendedUntil: number;
  belowSince: number;
  activatedAt: number;
  /** Of an applicant that passed probation, else 0. */
  objectionsUntil: number;
  /** Of those that object to it meanwhile. */
  objectionWeight: number;
  /** Of the probation cycle. */
  missedDraws: number;
  probationStarted: number;
  /** 1 to 3 in probation, else 0. */
  probationCycle: number;
  /** Index of the validator with the smallest id in the same cluster. */
  cluster: number | undefined;
  openChallenges: number;
  keyEpoch: number;
  /** Zeros for a validator without a seat. */
  consensusKey: Uint8Array;
  hasRecoveryKey: boolean;
  /** Pending rotation by the recovery key. */
  nextKey: { key: Uint8Array; at: number } | undefined;
  /** Category indexes, none = all. */
  categories: number[];
  calibration: CalibrationState[];
}

/** First epoch without a vertex of a seat, and the second at which it began. */
export interface Silence {
  fromEpoch: number;
  sinceSecs: number;
}

/** The silence at two fields of the core: number of the first epoch + 1 (u32), 0 = none; and its second (u64). */
export function silenceAt(view: DataView, fromAt: number, sinceAt: number): Silence | undefined {
  const from = view.getUint32(fromAt, true);
  if (from === 0) return undefined;
  return { fromEpoch: from - 1, sinceSecs: u64At(view, sinceAt) };
}

export interface SeatState {
  key: Uint8Array;
  /** 0 unless its validator is active or suspended, and 0 if it is removed. */
  weight: bigint;
  validator: number | undefined;
  /** VALIDATOR_* of its validator, NO_STATUS without one. */
  status: number;
  keyEpoch: number;
  /** Agent index. */
  operator: number;
  /** Without ordering weight, because it was silent for too long (consensus 5.11). */
  isRemoved: boolean;
  /** Undefined while it is heard. */
  silence: Silence | undefined;
  /** Left today of its part of the onboarding budget, micro-units. */
  grantsLeft: number;
  /** Newest revision of the rules that it has named (consensus 5.11). */
  revision: number;
}

function readCalibrations(view: DataView): CalibrationState[] {
  const count = view.getUint32(abi.VALIDATOR_CALIBRATIONS, true);
  return Array.from({ length: count }, (_, i) => {
    const at = abi.VALIDATOR_CALIBRATION + i * abi.CALIBRATION_BYTES;
    const u32 = (field: number): number => view.getUint32(at + field, true);
    return {
      category: u32(abi.CALIBRATION_CATEGORY),
      signals: u32(abi.CALIBRATION_SIGNALS),
      correct: u32(abi.CALIBRATION_CORRECT),
      canarySignals: u32(abi.CALIBRATION_CANARY_SIGNALS),
      canaryPoints: u32(abi.CALIBRATION_CANARY_POINTS),
      suspendedUntil: u64At(view, at + abi.CALIBRATION_SUSPENDED_UNTIL),
    };
  });
}

/** Reads the times and counts that a validator's standing depends on. */
function readStanding({ view }: OutView) {
  const u64 = (at: number): number => u64At(view, at);
  const u32 = (at: number): number => view.getUint32(at, true);
  return {
    reason: u32(abi.VALIDATOR_REASON),
    suspendedAt: u64(abi.VALIDATOR_SUSPENDED_AT),
    suspendedUntil: u64(abi.VALIDATOR_SUSPENDED_UNTIL),
    belowSince: u64(abi.VALIDATOR_BELOW_SINCE),
    activatedAt: u64(abi.VALIDATOR_ACTIVATED_AT),
    objectionsUntil: u64(abi.VALIDATOR_OBJECTIONS_UNTIL),
    objectionWeight: u64(abi.VALIDATOR_OBJECTION_WEIGHT),
    missedDraws: u32(abi.VALIDATOR_MISSED_DRAWS),
    probationStarted: u64(abi.VALIDATOR_PROBATION_STARTED),
    probationCycle: u32(abi.VALIDATOR_PROBATION_CYCLE),
    slashes: u32(abi.VALIDATOR_SLASHES),
    collusions: u32(abi.VALIDATOR_COLLUSIONS),
    openChallenges: u32(abi.VALIDATOR_OPEN_CHALLENGES),
    votesDecided: u32(abi.VALIDATOR_VOTES_DECIDED),
    votesRight: u32(abi.VALIDATOR_VOTES_RIGHT),
    tasksProcessed: u32(abi.VALIDATOR_TASKS_PROCESSED),
  };
}

/** Reads consensus and recovery keys. */
function readKeys({ bytes, view }: OutView) {
  const key = (at: number): Uint8Array => bytes.slice(at, at + 32);
  const nextAt = u64At(view, abi.VALIDATOR_NEXT_KEY_AT);
  return {
    keyEpoch: view.getUint32(abi.VALIDATOR_KEY_EPOCH, true),
    consensusKey: key(abi.VALIDATOR_CONSENSUS_KEY),
    hasRecoveryKey: !isZero(key(abi.VALIDATOR_RECOVERY_KEY)),
    nextKey: nextAt === 0 ? undefined : { key: key(abi.VALIDATOR_NEXT_KEY), at: nextAt },
  };
}

/** The id in an answer to QUERY_VALIDATOR. */
export function readValidatorId({ bytes, view }: OutView): string {
  const length = view.getUint32(abi.VALIDATOR_ID_BYTES, true);
  return new TextDecoder().decode(bytes.subarray(abi.VALIDATOR_ID, abi.VALIDATOR_ID + length));
}

function readCategories(view: DataView): number[] {
  const count = view.getUint32(abi.VALIDATOR_CATEGORY_COUNT, true);
  const categories: number[] = [];
  for (let i = 0; i < count; i++) categories.push(view.getUint32(abi.VALIDATOR_CATEGORIES + 4 * i, true));
  return categories;
}

/** The members by which lists of validators are filtered and sorted. */
export type ValidatorBrief = Pick<ValidatorState, 'status' | 'registeredAt' | 'categories'>;

/** Decodes those members from an answer to QUERY_VALIDATOR. */
export const readBrief = ({ view }: OutView): ValidatorBrief => ({
  status: view.getUint32(abi.VALIDATOR_STATUS, true),
  registeredAt: u64At(view, abi.VALIDATOR_REGISTERED_AT),
  categories: readCategories(view),
});

/** Decodes an answer to QUERY_VALIDATOR. */
export function readValidator(index: number, out: OutView): ValidatorState {
  const { view } = out;
  const u64 = (at: number): number => u64At(view, at);
  const u32 = (at: number): number => view.getUint32(at, true);
  const seat = u32(abi.VALIDATOR_SEAT);
  const cluster = u32(abi.VALIDATOR_CLUSTER);
  return {
    index,
    id: readValidatorId(out),
    ...readBrief(out),
    agent: u32(abi.VALIDATOR_AGENT),
    seat: seat === abi.NO_SEAT ? undefined : seat,
    reputationBp: u32(abi.VALIDATOR_REPUTATION_BP),
    assignmentWeight: u32(abi.VALIDATOR_ASSIGNMENT_WEIGHT),
    isGenesis: u32(abi.VALIDATOR_IS_GENESIS) === 1,
    isJudge: u32(abi.VALIDATOR_IS_JUDGE) === 1,
    staked: u64(abi.VALIDATOR_STAKED),
    voteWeight: u64(abi.VALIDATOR_VOTE_WEIGHT),
    cluster: cluster === 0 ? undefined : cluster - 1,
    calibration: readCalibrations(view),
    ...readStanding(out),
    ...readKeys(out),
  };
}

/** Decodes an answer to QUERY_SEATS: every seat, by number. */
export function readSeats({ bytes, view }: OutView): SeatState[] {
  const seats: SeatState[] = [];
  for (let at = 0; at < bytes.length; at += abi.SEAT_BYTES) {
    const validator = view.getUint32(at + abi.SEAT_VALIDATOR, true);
    seats.push({
      key: bytes.slice(at + abi.SEAT_KEY, at + abi.SEAT_KEY + 32),
      weight: view.getBigUint64(at + abi.SEAT_WEIGHT, true),
      validator: validator === 0 ? undefined : validator - 1,
      status: view.getUint32(at + abi.SEAT_STATUS, true),
      keyEpoch: view.getUint32(at + abi.SEAT_KEY_EPOCH, true),
      operator: view.getUint32(at + abi.SEAT_OPERATOR, true),
      isRemoved: view.getUint32(at + abi.SEAT_IS_REMOVED, true) === 1,
      silence: silenceAt(view, at + abi.SEAT_SILENT_FROM, at + abi.SEAT_SILENT_SINCE),
      grantsLeft: u64At(view, at + abi.SEAT_GRANTS_LEFT),
      revision: view.getUint32(at + abi.SEAT_REVISION, true),
    });
  }
  return seats;
}
