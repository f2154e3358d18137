// Documents for system events about tasks, and what the end of a block adds (protocol 2.1, 7.1, 7.2).

import * as abi from '../../../assembly/abi.ts';
import type { TaskEvent } from '../../core/task-events.ts';
import type { TaskImage } from '../../core/task-image.ts';
import { RESOLUTION } from '../../core/task-names.ts';
import { eventOf } from '../../store/events.ts';
import { rowKey } from '../../store/prefixes.ts';
import { countRun, posterRuns, programRuns } from '../../store/run-counts.ts';
import type { ContractReportDoc, DueDeliveryDoc, TaskStateDoc } from '../../store/task-documents.ts';
import { taskKey } from '../../store/task-rows.ts';
import { fromHex, toHex, utf8 } from '../../wire/bytes.ts';
import type { EventWriter, Place } from './event-writer.ts';
import { disputeJudges, NO_VOTES } from './votes.ts';

/** Why the core opens a dispute at the end of a review: a fact about the delivery, or its panel's quorum (protocol 15.3). */
const NOTHING_DELIVERED = 'nothing_delivered';
const PANEL_REJECTED = 'panel_rejected';

function forgetDue(set: EventWriter['set'], id: Uint8Array): void {
  const key = rowKey.dueDelivery(id);
  if (set.get(key)) set.delete(key);
}

/** Notes who judges the dispute of a task now, and how far each vote is; nobody where none is contested. */
function noteJudges(state: TaskStateDoc, { c: { ids } }: EventWriter): void {
  const { status, contested, dispute_event_id: event, dispute_panels: panels } = state.core!;
  const row = status === 'disputed' && contested ? ids.state.findItem(fromHex(event!)!) : undefined;
  const item = row === undefined ? undefined : ids.state.item(row);
  if (item && item.stage !== 0) state.dispute_judges = disputeJudges(item, panels === 1, ids);
  else delete state.dispute_judges;
}

/**
 * A vote was committed or revealed; one on the dispute of a task shows there. The core is asked, since most votes are on other
 * events, whose documents would be read for nothing. A dispute that is over has changed its task: the image of it follows.
 */
export function noteVote(event: string, writer: EventWriter): void {
  const { state } = writer.c.ids;
  const id = fromHex(event)!;
  const row = state.findItem(id);
  if (row === undefined || state.item(row)!.kind !== abi.ITEM_DISPUTE) return;
  noteJudges(writer.tasks.open(eventOf(writer.set, id)!.task_id!).state, writer);
}

/** A run ended: what passed is shown from now on, what failed is forgotten. */
function projectChecked(
  o: Extract<TaskEvent, { type: 'task_checked' }>,
  writer: EventWriter,
  place: Place,
): void {
  const { set, c } = writer;
  const { id, text, state } = writer.tasks.open(toHex(o.task));
  const report = set.getJson<ContractReportDoc>(rowKey.contractRun(id, o.run))!;
  const { submission, content } = set.getJson<DueDeliveryDoc>(rowKey.dueDelivery(id))!;
  // What was sealed stays as it was delivered.
  if (o.isPassed && !state.opening) {
    set.putJson(taskKey('submission', id), submission);
    set.put(rowKey.resultContent(id), utf8(content));
  }
  state.acceptance_report = { ...report, submission_event_id: submission.event_id };
  countRun(set, posterRuns(state.core!.poster_id), o.isPassed);
  const ran = o.isPassed ? text.acceptance!.checks : text.acceptance!.checks.slice(0, o.check + 1);
  for (const [i, { program }] of ran.entries())
    countRun(set, programRuns(program), o.isPassed || i < o.check);
  const payload = {
    task_id: toHex(o.task),
    submission_event_id: submission.event_id,
    claimer_id: c.ids.agentId(o.claimer),
    ...report,
    tries: o.tries,
    fee: o.fee,
  };
  writer.system('task_checked', o, payload, place, { task_id: payload.task_id });
}

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
      const reason = o.isDelivered ? PANEL_REJECTED : NOTHING_DELIVERED;
      state.dispute_reason = reason;
      const payload = { task_id: task, reason, dispute_deadline: o.deadline };
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
    case 'task_checked':
      projectChecked(o, writer, place);
      break;
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
 * block that take verdicts. What waited for a run that will not come is forgotten.
 */
export function projectImage(image: TaskImage, writer: EventWriter): void {
  const { id, text, state } = writer.tasks.image(image);
  const { core } = state;
  // A run has ended, or a subtask that was closed with its parent has none: what was delivered waits no more.
  if (text.acceptance && !core!.acceptance_due) forgetDue(writer.set, id);
  const { submissionEvent, disputeEvent } = image;
  noteJudges(state, writer);
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
