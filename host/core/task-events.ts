// Decodes the events about tasks that the core emits by itself (assembly/abi.ts, EVENT_TASK_*).

import * as abi from '../../assembly/abi.ts';
import { u64At } from '../wire/bytes.ts';

interface TaskEventBase {
  kind: 'event';
  id: Uint8Array;
  seq: number;
  order: number;
  index: number;
  /** Task id, 16 bytes. */
  task: Uint8Array;
}
interface TaskCancelledEvent extends TaskEventBase {
  type: 'task_cancelled';
  resolution: number;
}
interface TaskDisputedEvent extends TaskEventBase {
  type: 'task_disputed';
  deadline: number;
  /** False: the dispute is over, since nothing was delivered. */
  isDelivered: boolean;
}
interface ClaimExpiredEvent extends TaskEventBase {
  type: 'claim_expired';
  claimer: number;
}
interface TaskSettledEvent extends TaskEventBase {
  type: 'task_settled';
  resolution: number;
  claimer: number | undefined;
  payout: number;
  refund: number;
  baseFee: number;
  assuranceFee: number;
  bootstrapReward: number;
  treasuryFee: number;
  replay: boolean;
  payoutStatus: number;
}
/** A contract has run. */
interface TaskCheckedEvent extends TaskEventBase {
  type: 'task_checked';
  isPassed: boolean;
  /** Position of the check that failed. */
  check: number;
  scoreBp: number;
  /** Failed runs of this claim. */
  tries: number;
  /** What the worker paid for the run. */
  fee: number;
  claimer: number;
  /** Number of the run among those of the task. */
  run: number;
}
export interface TaskRoutedEvent extends TaskEventBase {
  type: 'task_routed';
  agent: number;
  scoreBp: number;
  /** The agent has completed fewer than 10 tasks, whatever the reason of the choice. */
  isNewcomer: boolean;
  /** `newcomer` when it was a newcomer's turn (protocol 6.16). */
  reason: 'best_match' | 'newcomer';
}
export type TaskEvent =
  | TaskCancelledEvent
  | TaskDisputedEvent
  | ClaimExpiredEvent
  | TaskSettledEvent
  | TaskCheckedEvent
  | TaskRoutedEvent;

/** The event at `at`, or undefined for a type not about tasks. `base`: the members that every event has. */
export function readTaskEvent(
  type: number,
  at: number,
  bytes: Uint8Array,
  view: DataView,
  base: Omit<TaskEventBase, 'task'>,
): TaskEvent | undefined {
  const u64 = (field: number): number => u64At(view, at + field);
  const u32 = (field: number): number => view.getUint32(at + field, true);
  const head = { ...base, task: bytes.slice(at + 64, at + 80) };
  switch (type) {
    case abi.EVENT_TASK_CANCELLED:
      return { ...head, type: 'task_cancelled', resolution: u32(80) };
    case abi.EVENT_TASK_DISPUTED:
      return { ...head, type: 'task_disputed', deadline: u64(80), isDelivered: u32(88) === 1 };
    case abi.EVENT_CLAIM_EXPIRED:
      return { ...head, type: 'claim_expired', claimer: u32(80) };
    case abi.EVENT_TASK_SETTLED:
      return {
        ...head,
        type: 'task_settled',
        resolution: u32(80),
        claimer: u32(84) === 0 ? undefined : u32(84) - 1,
        payout: u64(88),
        refund: u64(96),
        baseFee: u64(104),
        assuranceFee: u64(112),
        bootstrapReward: u64(120),
        treasuryFee: u64(128),
        replay: u32(136) === 1,
        payoutStatus: u32(140),
      };
    case abi.EVENT_TASK_CHECKED:
      return {
        ...head,
        type: 'task_checked',
        isPassed: u32(abi.OUT_TASK_CHECKED_PASSED) === 1,
        check: u32(abi.OUT_TASK_CHECKED_CHECK),
        scoreBp: u32(abi.OUT_TASK_CHECKED_SCORE_BP),
        tries: u32(abi.OUT_TASK_CHECKED_TRIES),
        fee: u64(abi.OUT_TASK_CHECKED_FEE),
        claimer: u32(abi.OUT_TASK_CHECKED_CLAIMER),
        run: u32(abi.OUT_TASK_CHECKED_RUN),
      };
    case abi.EVENT_TASK_ROUTED:
      return {
        ...head,
        type: 'task_routed',
        agent: u32(80),
        scoreBp: u32(84),
        isNewcomer: u32(88) === 1,
        reason: u32(92) === abi.ROUTE_NEWCOMER ? 'newcomer' : 'best_match',
      };
    default:
      return undefined;
  }
}
