// Answer bodies of writes about tasks: the Task object after the batch (protocol 4.4).

import { taskIdBytes } from '../../execution/translation/tasks.ts';
import { eventOf } from '../../store/events.ts';
import { fromHex } from '../../wire/bytes.ts';
import { taskId } from '../../wire/ids.ts';
import type { TASK_OPERATIONS } from '../../wire/operations/tasks.ts';
import { taskObject } from '../tasks/task-view.ts';
import type { Answers, SucceededWrite } from './types.ts';

const created = ({ base, c }: SucceededWrite): object =>
  taskObject(c.store, fromHex(taskId(base.event_id))!, c.hidden)!;

const named = ({ parsed, c }: SucceededWrite & { parsed: { path: Record<string, string> } }): object =>
  taskObject(c.store, taskIdBytes(parsed.path.id!), c.hidden)!;

export const TASK_ANSWERS: Answers<keyof typeof TASK_OPERATIONS> = {
  taskCreate: created,
  subtaskCreate: created,
  taskClaim: named,
  taskRelease: named,
  taskDecline: named,
  taskSubmit: named,
  taskApprove: named,
  taskDispute: named,
  taskContest: named,
  taskConcede: named,
  taskOpen: named,
  taskCancel: named,
  trajectoryCommit({ outcome, base, c }) {
    const { payload } = eventOf(c.store, outcome.txId)!;
    return {
      event_id: base.event_id,
      task_id: payload.task_id,
      checkpoint_hash: payload.checkpoint_hash,
      checkpoint_size: payload.checkpoint_size,
    };
  },
};
