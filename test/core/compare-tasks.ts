// Tasks of a core and of the model in one form, and the events about them decoded.
// Keeps: every field of the image that abi.ts names is compared.

import * as abi from '../../assembly/abi.ts';
import { disputeBond } from '../model/bonds.ts';
import { feesOf } from '../model/task-money.ts';
import type { ModelTask } from '../model/task-state.ts';
import { type EventOutcome, hex } from './driver.ts';

type Row = Record<string, unknown>;
const ZERO = (bytes: number): string => '0'.repeat(2 * bytes);

/** An image as the core tells it. */
export function shownTaskView(view: DataView): Row {
  const text = (at: number, bytes: number): string =>
    hex(new Uint8Array(view.buffer, view.byteOffset + at, bytes));
  const u32 = (at: number): number => view.getUint32(at, true);
  const u64 = (at: number): bigint => view.getBigUint64(at, true);
  const panel = Array.from({ length: u32(abi.TASK_PANEL_COUNT) }, (_, i) => u32(abi.TASK_PANEL + 4 * i));
  const words = [abi.TASK_STATUS, abi.TASK_FLAGS, abi.TASK_POSTER, abi.TASK_CLAIMER, abi.TASK_LANE];
  words.push(abi.TASK_LANE_ASKED, abi.TASK_RESOLUTION, abi.TASK_PAYOUT, abi.TASK_GENERATION, abi.TASK_REPLAY);
  words.push(abi.TASK_ROUTED_TO, abi.TASK_OVERALL_BP, abi.TASK_NO_QUORUM, abi.TASK_SHARE);
  words.push(abi.TASK_IS_CONTESTED, abi.TASK_PANELS);
  const amounts = [abi.TASK_BUDGET, abi.TASK_ESCROW, abi.TASK_ASSURANCE_FEE, abi.TASK_NET, abi.TASK_BASE_FEE];
  amounts.push(abi.TASK_WORKER_BOND, abi.TASK_DISPUTE_BOND);
  const times = [abi.TASK_POSTED_AT, abi.TASK_EXPIRES_AT, abi.TASK_EXCLUSIVE_UNTIL, abi.TASK_CLAIMED_AT];
  times.push(abi.TASK_CLAIM_DEADLINE, abi.TASK_SUBMITTED_AT, abi.TASK_REVIEW_DEADLINE, abi.TASK_DISPUTED_AT);
  times.push(abi.TASK_DISPUTE_DEADLINE, abi.TASK_COMPLETED_AT, abi.TASK_CANCELLED_AT, abi.TASK_CANCEL_AT);
  return {
    id: text(abi.TASK_ID, 16),
    parent: text(abi.TASK_PARENT, 16),
    words: words.map(u32),
    amounts: amounts.map(u64),
    times: times.map((at) => Number(u64(at))),
    submission: text(abi.TASK_SUBMISSION_EVENT, 32),
    dispute: text(abi.TASK_DISPUTE_EVENT, 32),
    panel,
  };
}

function netOf(task: ModelTask): bigint {
  if (task.escrow === 0n) return task.paid;
  const { base, assurance } = feesOf(task);
  return task.escrow - base - assurance;
}

/** The image that the model's task should have. */
export function modelTaskView(task: ModelTask): Row {
  const at = (status: number, time: number): number => (task.status === status ? time : 0);
  return {
    id: task.id,
    parent: task.parent?.id ?? ZERO(16),
    words: [
      task.status,
      task.flags,
      task.poster.index,
      task.claimer ? task.claimer.index + 1 : 0,
      task.lane,
      task.laneAsked,
      task.resolution,
      task.payout,
      task.generation,
      task.replay,
      task.routed.routedTo === undefined ? 0 : task.routed.routedTo + 1,
      task.overallBp,
      task.noQuorum,
      task.share,
      task.isContested ? 1 : 0,
      task.panels,
    ],
    amounts: [
      task.budget,
      task.escrow,
      task.assuranceFee,
      netOf(task),
      task.baseFee,
      task.workerBond,
      disputeBond(task.budget),
    ],
    times: [
      task.posted,
      at(abi.TASK_OPEN, task.expires),
      task.exclusiveUntil,
      task.claimed,
      task.claimDeadline,
      task.submitted,
      task.reviewDeadline,
      task.disputed,
      task.disputeDeadline,
      at(abi.TASK_COMPLETED, task.ended),
      at(abi.TASK_CANCELLED, task.ended),
      task.cancelAt,
    ],
    submission: task.submissionEvent || ZERO(32),
    dispute: task.disputeEvent || ZERO(32),
    panel: task.panel.map((v) => v.index),
  };
}

/** Fields of an event about a task, or undefined for other events. */
export function decodeTaskEvent(event: EventOutcome): Row | undefined {
  const view = new DataView(event.fields.buffer, event.fields.byteOffset);
  const u32 = (at: number): number => view.getUint32(at - 64, true);
  const u64 = (at: number): bigint => view.getBigUint64(at - 64, true);
  const id = hex(event.fields.subarray(0, 16));
  switch (event.type) {
    case abi.EVENT_TASK_CANCELLED:
      return { id, resolution: u32(80) };
    case abi.EVENT_TASK_DISPUTED:
      return { id, deadline: Number(u64(80)), delivered: u32(88) };
    case abi.EVENT_TASK_ROUTED:
      return { id, agent: u32(80), score: u32(84), isNewcomer: u32(88), reason: u32(92) };
    case abi.EVENT_CLAIM_EXPIRED:
      return { id, claimer: u32(80) };
    case abi.EVENT_TASK_CHECKED: {
      const shown = { passed: u32(80), check: u32(84), scoreBp: u32(88), tries: u32(92), fee: u64(96) };
      return { id, ...shown, claimer: u32(104), run: u32(108) };
    }
    case abi.EVENT_TASK_SETTLED:
      return {
        id,
        resolution: u32(80),
        claimer: u32(84),
        payout: u64(88),
        refund: u64(96),
        base: u64(104),
        assurance: u64(112),
        reward: u64(120),
        treasury: u64(128),
        replay: u32(136),
        status: u32(140),
      };
    default:
      return undefined;
  }
}
