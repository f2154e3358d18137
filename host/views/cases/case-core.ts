// Converts the core's images of challenges and replay jobs to members of API objects: rows become ids, numbers become
// names, members that do not apply yet are absent.

import * as abi from '../../../assembly/abi.ts';
import type { ChallengeImage, JobImage } from '../../core/case-image.ts';
import { ACTION, CHALLENGE_STATUS, JOB_STATUS, OUTCOME, REPLAY_REASON } from '../../core/case-names.ts';
import type { Identities } from '../../execution/identity.ts';
import type { ChallengeCoreDoc, JobCoreDoc } from '../../store/case-documents.ts';

/** The parts of a Challenge (protocol 3.9) that the core decides. */
export function challengeCoreDoc(image: ChallengeImage): ChallengeCoreDoc {
  const resolved = {
    resolved_at: image.resolvedAt,
    refunded_bond: image.refunded,
    forfeit_amount: image.forfeit,
    slash_amount: image.slash,
    bounty: image.bounty,
  };
  return {
    status: CHALLENGE_STATUS[image.status]!,
    bond: image.bond,
    created_at: image.createdAt,
    deadline: image.deadline,
    votes: {
      succeeded_weight: image.succeededWeight,
      failed_weight: image.failedWeight,
      partial_weight: image.partialWeight,
      total_weight: image.totalWeight,
      participants: image.participants,
    },
    ...(image.status === abi.CHALLENGE_OPEN ? {} : resolved),
  };
}

/** The parts of a ReplayJob (protocol 3.9) that the core decides. */
export function jobCoreDoc(image: JobImage, ids: Identities): JobCoreDoc {
  const hasOutcome = image.outcome !== 0;
  return {
    status: JOB_STATUS[image.status]!,
    reason: REPLAY_REASON[image.reason]!,
    attempt: image.attempt,
    reward: image.reward,
    created_at: image.createdAt,
    submission_deadline: image.deadline,
    executor_id: ids.validatorId(image.executor),
    outcome: OUTCOME[image.outcome],
    action: ACTION[image.action],
    closed_at: image.closedAt === 0 ? undefined : image.closedAt,
    severity_bp: hasOutcome ? image.severityBp : undefined,
    mismatch_count: hasOutcome ? image.mismatches : undefined,
  };
}
