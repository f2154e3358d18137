// A validator, its seat and its counts in the model: plain objects with references instead of rows.

import type { ModelAgent } from './state.ts';

/** Counts of a validator in one category. */
export interface ModelCalibration {
  signals: number;
  correct: number;
  canarySignals: number;
  /** 2 for a canary judged rightly, 1 for one judged partly so. */
  canaryPoints: number;
  suspendedUntil: number;
}

export interface ModelValidator {
  index: number;
  id: string;
  status: number;
  agent: ModelAgent;
  /** NO_SEAT for an applicant. */
  seat: number;
  baselineBp: number;
  registeredAt: number;
  lastDuty: number;
  isGenesis: boolean;
  /** A judge is announced (15.8). */
  isJudge: boolean;
  /** Names of the categories it serves, none = all. */
  categories: string[];
  /** Votes on events decided by quorum, of the present cycle, and those that were right. */
  decided: number;
  right: number;
  /** Decided events of the cycle that it was drawn for, without its vote. */
  missedDraws: number;
  /** When an applicant passed, and when it is tried whether it may become active; 0 = not passed. */
  passedAt: number;
  tryAt: number;
  /** Those that object to it while it waits. */
  objectors: ModelValidator[];
  /** The part of its vote weight that is not new. */
  held: bigint;
  /** By category number; a full table of counts takes no new pair. */
  calibrations: Map<number, ModelCalibration>;
  slashes: number;
  collusions: number;
  /** Times in seconds, 0 = not set. */
  suspendedAt: number;
  suspendedUntil: number;
  reason: number;
  belowSince: number;
  activatedAt: number;
  probationStarted: number;
  /** 1..3 in probation, else 0. */
  cycle: number;
  /** The member of its cluster with the smallest id. */
  cluster: ModelValidator | undefined;
  /** hex64, empty = none; the next ones wait for their time. */
  recovery: string;
  nextRecovery: string;
  nextRecoveryAt: number;
  nextKey: string;
  nextKeyAt: number;
}

export interface ModelSeat {
  operator: ModelAgent;
  validator: ModelValidator | undefined;
  /** Validator id of the manifest. */
  id: string;
  /** Consensus key, hex64. */
  key: string;
  keyEpoch: number;
}

/** A validator with the stamps that its status brings; not yet in the list. */
export function newValidator(
  index: number,
  id: string,
  agent: ModelAgent,
  seat: number,
  status: number,
  now: number,
): ModelValidator {
  return {
    index,
    id,
    status,
    agent,
    seat,
    baselineBp: 0,
    registeredAt: now,
    lastDuty: 0,
    isGenesis: false,
    isJudge: false,
    categories: [],
    decided: 0,
    right: 0,
    missedDraws: 0,
    passedAt: 0,
    tryAt: 0,
    objectors: [],
    held: 0n,
    calibrations: new Map(),
    slashes: 0,
    collusions: 0,
    suspendedAt: 0,
    suspendedUntil: 0,
    reason: 0,
    belowSince: 0,
    activatedAt: 0,
    probationStarted: 0,
    cycle: 0,
    cluster: undefined,
    recovery: '',
    nextRecovery: '',
    nextRecoveryAt: 0,
    nextKey: '',
    nextKeyAt: 0,
  };
}
