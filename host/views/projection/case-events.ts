// Documents for system events about replays and challenges (protocol 2.1, 7.5, 7.6).

import type {
  CaseEvent,
  ChallengeOpenedEvent,
  ChallengeResolvedEvent,
  ReplayClosedEvent,
  ReplayCreatedEvent,
} from '../../core/case-events.ts';
import {
  ACTION,
  CHALLENGE_STATUS,
  JOB_STATUS,
  OFFENSE,
  OUTCOME,
  REPLAY_REASON,
} from '../../core/case-names.ts';
import { toHex } from '../../wire/bytes.ts';
import { NO_CHALLENGE_VOTES } from './cases.ts';
import type { EventWriter, Place } from './event-writer.ts';

const challengeText = (id: Uint8Array): string => `chal-${toHex(id)}`;

/** A job's first attempt creates its document; further attempts change it through the image at the end of the block. */
function createJob(o: ReplayCreatedEvent, writer: EventWriter, place: Place): void {
  const { cases, c } = writer;
  if (cases.jobs.find(o.job)) return;
  const { text } = writer.tasks.open(toHex(o.task));
  cases.jobs.create(o.job, {
    order: o.order,
    executor: o.executor,
    text: {
      task_id: toHex(o.task),
      category: text.category,
      policy_version: text.policy_version,
      acceptance_contract_hash: text.spec_hash,
    },
    core: {
      status: 'pending',
      reason: REPLAY_REASON[o.reason]!,
      attempt: o.attempt,
      reward: o.reward,
      created_at: place.timeSecs,
      submission_deadline: o.deadline,
      executor_id: c.ids.validatorId(o.executor),
    },
  });
}

const createdPayload = (o: ReplayCreatedEvent): Record<string, unknown> => ({
  status: 'pending',
  reason: REPLAY_REASON[o.reason],
  attempt: o.attempt,
  reward: o.reward,
  submission_deadline: o.deadline,
});

const closedPayload = (o: ReplayClosedEvent): Record<string, unknown> => ({
  status: JOB_STATUS[o.status],
  ...(o.outcome === 0
    ? {}
    : {
        outcome: OUTCOME[o.outcome],
        action: ACTION[o.action],
        severity_bp: o.severityBp,
        mismatch_count: o.mismatches,
      }),
  paid: o.paid,
  returned: o.returned,
});

const resolvedPayload = (o: ChallengeResolvedEvent): Record<string, unknown> => ({
  status: CHALLENGE_STATUS[o.status],
  refunded_bond: o.refunded,
  forfeit_amount: o.forfeit,
  slash_amount: o.slash,
  bounty: o.bounty,
});

/** A challenge opened by a replay has no reason text: the job is the reason. */
function createChallenge(o: ChallengeOpenedEvent, writer: EventWriter, place: Place): void {
  const { ids } = writer.c;
  writer.cases.challenges.create(o.challenge, {
    challenger: o.challenger,
    target: o.target,
    text: {
      event_id: toHex(o.id),
      task_id: toHex(o.task),
      challenger_id: ids.agentId(o.challenger),
      target_id: ids.validatorId(o.target),
      offense: OFFENSE[o.offense]!,
    },
    core: {
      status: 'open',
      bond: o.bond,
      created_at: place.timeSecs,
      deadline: o.deadline,
      votes: NO_CHALLENGE_VOTES,
    },
  });
}

export function projectCaseEvent(o: CaseEvent, writer: EventWriter, place: Place): void {
  const { ids } = writer.c;
  const task_id = toHex(o.task);
  const write = (payload: Record<string, unknown>): void =>
    writer.system(o.type, o, payload, place, { task_id });
  if (o.type === 'replay_created' || o.type === 'replay_closed') {
    if (o.type === 'replay_created') createJob(o, writer, place);
    const details = o.type === 'replay_created' ? createdPayload(o) : closedPayload(o);
    write({ job_id: toHex(o.job), task_id, executor_id: ids.validatorId(o.executor), ...details });
    return;
  }
  if (o.type === 'challenge_opened') createChallenge(o, writer, place);
  const details = o.type === 'challenge_opened' ? { bond: o.bond, deadline: o.deadline } : resolvedPayload(o);
  write({
    challenge_id: challengeText(o.challenge),
    task_id,
    target_id: ids.validatorId(o.target),
    offense: OFFENSE[o.offense],
    challenger_id: ids.agentId(o.challenger),
    ...details,
  });
}
