// Decodes challenges and replay jobs: the images in QUERY_CHALLENGE and QUERY_JOB, OUT_CHALLENGE and OUT_JOB
// (assembly/abi.ts). Amounts are Numbers: the supply is 10^15, so each is exact.

import * as abi from '../../assembly/abi.ts';
import { u64At } from '../wire/bytes.ts';
import type { Core } from './core.ts';

export interface ChallengeImage {
  /** 12 bytes. */
  id: Uint8Array;
  task: Uint8Array;
  /** Id of the event that opened it. */
  event: Uint8Array;
  /** CHALLENGE_* and OFFENSE_*. */
  status: number;
  offense: number;
  /** Agent index, validator index. */
  challenger: number;
  target: number;
  bond: number;
  createdAt: number;
  deadline: number;
  /** 0 while open, like the amounts that follow. */
  resolvedAt: number;
  refunded: number;
  forfeit: number;
  slash: number;
  bounty: number;
  succeededWeight: number;
  failedWeight: number;
  partialWeight: number;
  totalWeight: number;
  participants: number;
}

export interface JobImage {
  id: Uint8Array;
  task: Uint8Array;
  /** JOB_*, REPLAY_*. */
  status: number;
  reason: number;
  attempt: number;
  /** Validator index. */
  executor: number;
  /** OUTCOME_*, ACTION_*; 0 = none. */
  outcome: number;
  action: number;
  severityBp: number;
  mismatches: number;
  reward: number;
  createdAt: number;
  deadline: number;
  /** 0 while pending. */
  closedAt: number;
}

const reader = (bytes: Uint8Array, view: DataView, at: number) => ({
  raw: (field: number, length: number): Uint8Array => bytes.slice(at + field, at + field + length),
  u32: (field: number): number => view.getUint32(at + field, true),
  u64: (field: number): number => u64At(view, at + field),
});

/** Decodes the image that begins at `at`. Copies what it keeps. */
export function readChallengeImage(bytes: Uint8Array, view: DataView, at: number): ChallengeImage {
  const { raw, u32, u64 } = reader(bytes, view, at);
  return {
    id: raw(abi.CHALLENGE_ID, 12),
    task: raw(abi.CHALLENGE_TASK, 16),
    event: raw(abi.CHALLENGE_EVENT, 32),
    status: u32(abi.CHALLENGE_STATUS),
    offense: u32(abi.CHALLENGE_OFFENSE),
    challenger: u32(abi.CHALLENGE_CHALLENGER),
    target: u32(abi.CHALLENGE_TARGET),
    bond: u64(abi.CHALLENGE_BOND),
    createdAt: u64(abi.CHALLENGE_CREATED_AT),
    deadline: u64(abi.CHALLENGE_DEADLINE),
    resolvedAt: u64(abi.CHALLENGE_RESOLVED_AT),
    refunded: u64(abi.CHALLENGE_REFUNDED),
    forfeit: u64(abi.CHALLENGE_FORFEIT),
    slash: u64(abi.CHALLENGE_SLASH),
    bounty: u64(abi.CHALLENGE_BOUNTY),
    succeededWeight: u64(abi.CHALLENGE_FOR_SUCCEEDED),
    failedWeight: u64(abi.CHALLENGE_FOR_FAILED),
    partialWeight: u64(abi.CHALLENGE_FOR_PARTIAL),
    totalWeight: u64(abi.CHALLENGE_TOTAL_WEIGHT),
    participants: u64(abi.CHALLENGE_PARTICIPANTS),
  };
}

/** Like readChallengeImage. */
export function readJobImage(bytes: Uint8Array, view: DataView, at: number): JobImage {
  const { raw, u32, u64 } = reader(bytes, view, at);
  return {
    id: raw(abi.JOB_ID, 32),
    task: raw(abi.JOB_TASK, 16),
    status: u32(abi.JOB_STATUS),
    reason: u32(abi.JOB_REASON),
    attempt: u32(abi.JOB_ATTEMPT),
    executor: u32(abi.JOB_EXECUTOR),
    outcome: u32(abi.JOB_OUTCOME),
    action: u32(abi.JOB_ACTION),
    severityBp: u32(abi.JOB_SEVERITY),
    mismatches: u32(abi.JOB_MISMATCHES),
    reward: u64(abi.JOB_REWARD),
    createdAt: u64(abi.JOB_CREATED_AT),
    deadline: u64(abi.JOB_DEADLINE),
    closedAt: u64(abi.JOB_CLOSED_AT),
  };
}

/** A challenge that is not archived yet, by its 12-byte id; an open one with its current weights. */
export function readChallenge(core: Core, id: Uint8Array): ChallengeImage | undefined {
  const argument = new Uint8Array(16);
  argument.set(id);
  const out = core.queryBytes(abi.QUERY_CHALLENGE, argument);
  return out && readChallengeImage(out.bytes, out.view, 0);
}
