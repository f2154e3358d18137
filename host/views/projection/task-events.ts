// Documents for system events about tasks, and what the end of a block adds (protocol 2.1, 7.1, 7.2).

import type { TaskEvent } from '../../core/task-events.ts';
import type { TaskImage } from '../../core/task-image.ts';
import { RESOLUTION } from '../../core/task-names.ts';
import { toHex } from '../../wire/bytes.ts';
import type { EventWriter, Place } from './event-writer.ts';
import { NO_VOTES } from './votes.ts';

/** Reason of a dispute opened by the core: the score failed and the window passed (protocol 7.1). */
const VERIFICATION_FAILED = 'verification_failed';

export function projectTaskEvent(
  o: Exclude<TaskEvent, { type: 'task_routed' }>,
  writer: EventWriter,
  place: Place,
): void {
  const { ids } = writer.c;
  const task = toHex(o.task);
  const more = { task_id: task };
  switch (o.type) {
    case 'task_cancelled': {
      const payload = { task_id: task, reason: RESOLUTION[o.resolution] };
      writer.system('task_cancelled', o, payload, place, more);
      break;
    }
    case 'task_disputed': {
      const { state } = writer.tasks.open(task);
      state.dispute_reason = VERIFICATION_FAILED;
      const payload = { task_id: task, reason: VERIFICATION_FAILED, dispute_deadline: o.deadline };
      writer.system('task_disputed', o, payload, place, {
        ...more,
        recipient_id: state.core!.poster_id,
        settlement_state: 'optimistic',
        deadline: o.deadline,
        votes: NO_VOTES,
        assigned_to: [],
      });
      break;
    }
    case 'claim_expired': {
      const payload = { task_id: task, claimer_id: ids.agentId(o.claimer) };
      writer.system('claim_expired', o, payload, place, more);
      break;
    }
    case 'task_settled': {
      const payload = {
        task_id: task,
        resolution: RESOLUTION[o.resolution],
        ...(o.claimer === undefined ? {} : { claimer_id: ids.agentId(o.claimer) }),
        payout: o.payout,
        refund: o.refund,
        base_fee: o.baseFee,
        assurance_fee: o.assuranceFee,
        replay: o.replay,
        bootstrap_reward: o.bootstrapReward,
      };
      writer.system('task_settled', o, payload, place, more);
    }
  }
}

/**
 * At the end of a block: stores the core's part of the task's documents, and adds the drawn validators to events of this
 * batch that take verdicts.
 */
export function projectImage(image: TaskImage, writer: EventWriter): void {
  const { core } = writer.tasks.image(image).state;
  const { submissionEvent, disputeEvent } = image;
  if (submissionEvent && core!.panel) {
    writer.amend(submissionEvent, (doc) => {
      doc.assigned_to = core!.panel!;
      doc.payload.panel = core!.panel;
    });
  }
  if (!disputeEvent) return;
  const { ids } = writer.c;
  const row = ids.state.findItem(disputeEvent);
  const item = row === undefined ? undefined : ids.state.item(row);
  if (!item) return;
  writer.amend(disputeEvent, (doc) => {
    doc.assigned_to = item.assigned.map((v) => ids.validatorId(v));
  });
}
