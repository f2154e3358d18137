// Decodes a task: the image in QUERY_TASK and OUT_TASK (assembly/abi.ts).
// Amounts are Numbers: the supply is 10^15, so each is exact. Agents and validators are row numbers.

import * as abi from '../../assembly/abi.ts';
import { isZero, u64At } from '../wire/bytes.ts';

export interface TaskImage {
  id: Uint8Array;
  status: number;
  flags: number;
  poster: number;
  claimer: number | undefined;
  lane: number;
  laneAsked: number;
  resolution: number;
  payout: number;
  generation: number;
  replay: number;
  routedTo: number | undefined;
  overallBp: number;
  /** NO_QUORUM_*, and the worker's share in steps of 10 %. */
  noQuorum: number;
  share: number;
  /** What a claim reserves, what a dispute costs to open, and whether the worker contests. */
  workerBond: number;
  disputeBond: number;
  isContested: boolean;
  /** Panels drawn for its dispute. */
  panels: number;
  parent: Uint8Array | undefined;
  budget: number;
  escrow: number;
  assuranceFee: number;
  net: number;
  baseFee: number;
  /** Seconds; 0 = not set, like all times here. */
  postedAt: number;
  expiresAt: number;
  exclusiveUntil: number;
  claimedAt: number;
  claimDeadline: number;
  submittedAt: number;
  reviewDeadline: number;
  disputedAt: number;
  disputeDeadline: number;
  completedAt: number;
  cancelledAt: number;
  /** When a cancellation that the poster asked for takes effect. */
  cancelAt: number;
  submissionEvent: Uint8Array | undefined;
  disputeEvent: Uint8Array | undefined;
  panel: number[];
}

/** Decodes the image that begins at `at`. Copies what it keeps. */
export function readTaskImage(bytes: Uint8Array, view: DataView, at: number): TaskImage {
  const u32 = (field: number): number => view.getUint32(at + field, true);
  const u64 = (field: number): number => u64At(view, at + field);
  const raw = (field: number, length: number): Uint8Array => bytes.slice(at + field, at + field + length);
  const optional = (field: number, length: number): Uint8Array | undefined => {
    const value = raw(field, length);
    return isZero(value) ? undefined : value;
  };
  const row = (field: number): number | undefined => (u32(field) === 0 ? undefined : u32(field) - 1);
  const panel: number[] = [];
  for (let i = 0; i < u32(abi.TASK_PANEL_COUNT); i++) panel.push(u32(abi.TASK_PANEL + 4 * i));
  return {
    id: raw(abi.TASK_ID, 16),
    status: u32(abi.TASK_STATUS),
    flags: u32(abi.TASK_FLAGS),
    poster: u32(abi.TASK_POSTER),
    claimer: row(abi.TASK_CLAIMER),
    lane: u32(abi.TASK_LANE),
    laneAsked: u32(abi.TASK_LANE_ASKED),
    resolution: u32(abi.TASK_RESOLUTION),
    payout: u32(abi.TASK_PAYOUT),
    generation: u32(abi.TASK_GENERATION),
    replay: u32(abi.TASK_REPLAY),
    routedTo: row(abi.TASK_ROUTED_TO),
    overallBp: u32(abi.TASK_OVERALL_BP),
    noQuorum: u32(abi.TASK_NO_QUORUM),
    share: u32(abi.TASK_SHARE),
    workerBond: u64(abi.TASK_WORKER_BOND),
    disputeBond: u64(abi.TASK_DISPUTE_BOND),
    isContested: u32(abi.TASK_IS_CONTESTED) === 1,
    panels: u32(abi.TASK_PANELS),
    parent: optional(abi.TASK_PARENT, 16),
    budget: u64(abi.TASK_BUDGET),
    escrow: u64(abi.TASK_ESCROW),
    assuranceFee: u64(abi.TASK_ASSURANCE_FEE),
    net: u64(abi.TASK_NET),
    baseFee: u64(abi.TASK_BASE_FEE),
    postedAt: u64(abi.TASK_POSTED_AT),
    expiresAt: u64(abi.TASK_EXPIRES_AT),
    exclusiveUntil: u64(abi.TASK_EXCLUSIVE_UNTIL),
    claimedAt: u64(abi.TASK_CLAIMED_AT),
    claimDeadline: u64(abi.TASK_CLAIM_DEADLINE),
    submittedAt: u64(abi.TASK_SUBMITTED_AT),
    reviewDeadline: u64(abi.TASK_REVIEW_DEADLINE),
    disputedAt: u64(abi.TASK_DISPUTED_AT),
    disputeDeadline: u64(abi.TASK_DISPUTE_DEADLINE),
    completedAt: u64(abi.TASK_COMPLETED_AT),
    cancelledAt: u64(abi.TASK_CANCELLED_AT),
    cancelAt: u64(abi.TASK_CANCEL_AT),
    submissionEvent: optional(abi.TASK_SUBMISSION_EVENT, 32),
    disputeEvent: optional(abi.TASK_DISPUTE_EVENT, 32),
    panel,
  };
}
