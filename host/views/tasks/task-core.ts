// Converts the core's image of a task to members of the Task object: rows become ids, numbers become names, zeros that
// mean "not set" become absent members.

import * as abi from '../../../assembly/abi.ts';
import type { TaskImage } from '../../core/task-image.ts';
import {
  GENERATION,
  LANE,
  NO_QUORUM,
  PAYOUT,
  REPLAY,
  RESOLUTION,
  TASK_STATUS,
} from '../../core/task-names.ts';
import type { Identities } from '../../execution/identity.ts';
import type { TaskCoreDoc } from '../../store/task-documents.ts';
import { toHex } from '../../wire/bytes.ts';
import { replayJobId } from '../../wire/ids.ts';
import { SHARE_STEP_BP } from '../../wire/operations/ledger.ts';

const LOCKED = new Set([abi.TASK_CLAIMED, abi.TASK_SUBMITTED, abi.TASK_DISPUTED]);
const time = (secs: number): number | undefined => (secs === 0 ? undefined : secs);
const hex = (id: Uint8Array | undefined): string | undefined => id && toHex(id);

/** The parts of a Task (protocol 3.3) that the core decides. Members that do not apply are undefined. */
export function coreDoc(image: TaskImage, ids: Identities): TaskCoreDoc {
  const agent = (row: number | undefined): string | undefined =>
    row === undefined ? undefined : ids.agentId(row);
  const isAssured = image.lane !== abi.LANE_NONE;
  const isSettled = image.payout === abi.PAYOUT_PAID || image.payout === abi.PAYOUT_REFUNDED;
  const isReserved = (image.flags & abi.TASK_RESERVED) !== 0;
  const claimer = agent(image.claimer);
  return {
    poster_id: ids.agentId(image.poster),
    claimer_id: claimer,
    budget: image.budget,
    escrow_amount: image.escrow,
    escrow_locked_to: LOCKED.has(image.status) ? claimer : undefined,
    status: TASK_STATUS[image.status]!,
    payout_status: PAYOUT[image.payout]!,
    resolution: RESOLUTION[image.resolution],
    requested_lane: LANE[image.laneAsked],
    assurance_lane: LANE[image.lane],
    downgraded: (image.flags & abi.TASK_DOWNGRADED) !== 0,
    is_subtask: (image.flags & abi.TASK_IS_SUBTASK) !== 0,
    generation_eligible: isAssured && (image.flags & abi.TASK_GENERATION_ELIGIBLE) !== 0,
    assurance_fee: isAssured ? image.assuranceFee : undefined,
    worker_net_payout: image.net === 0 ? undefined : image.net,
    worker_bond: image.workerBond,
    dispute_bond: image.disputeBond,
    contested: image.isContested ? true : undefined,
    dispute_panels: image.panels === 0 ? undefined : image.panels,
    no_quorum: NO_QUORUM[image.noQuorum]!,
    worker_share_bp: image.share === abi.SHARES ? undefined : image.share * SHARE_STEP_BP,
    base_fee: isSettled ? image.baseFee : undefined,
    panel: image.panel.length === 0 ? undefined : image.panel.map((v) => ids.validatorId(v)),
    submission_event_id: hex(image.submissionEvent),
    dispute_event_id: hex(image.disputeEvent),
    parent_task_id: hex(image.parent),
    routed_to: isReserved ? undefined : agent(image.routedTo),
    replay_status: REPLAY[image.replay],
    replay_job_id: image.replay === abi.REPLAY_NONE ? undefined : replayJobId(toHex(image.id)),
    generation_status: GENERATION[image.generation],
    posted_at: image.postedAt,
    expires_at: image.status === abi.TASK_OPEN ? time(image.expiresAt) : undefined,
    exclusive_until: isReserved ? undefined : time(image.exclusiveUntil),
    reserved_until: isReserved ? time(image.exclusiveUntil) : undefined,
    claimed_at: time(image.claimedAt),
    claim_deadline: time(image.claimDeadline),
    cancel_at: time(image.cancelAt),
    submitted_at: time(image.submittedAt),
    review_deadline: time(image.reviewDeadline),
    disputed_at: time(image.disputedAt),
    dispute_deadline: time(image.disputeDeadline),
    completed_at: time(image.completedAt),
    cancelled_at: time(image.cancelledAt),
    acceptance_due: (image.flags & abi.TASK_CHECKING) !== 0 || undefined,
  };
}
