// Rows of a task's documents. Their keys are adjacent, so that the parts of a task are mostly in one block of the store.

import type { Store } from '../world/store.ts';
import { rowKey } from './prefixes.ts';
import type { SubmissionDoc, TaskStateDoc, TaskTextDoc } from './task-documents.ts';
import { readJson } from './write-set.ts';

/** A store, or the write set of a batch in progress. */
type Rows = Pick<Store, 'get'>;

/** Numbers of a task's parts in keys: append only. */
const TASK_PART = { text: 0, state: 1, submission: 2 } as const;
export const TASK_PARTS = Object.keys(TASK_PART) as (keyof typeof TASK_PART)[];

/** Key of a part of a task. `id`: 16 bytes. */
export const taskKey = (part: keyof typeof TASK_PART, id: Uint8Array): Uint8Array =>
  rowKey.taskPart(id, TASK_PART[part]);

/** The fixed part; undefined when there is no such task. */
export const taskText = (rows: Rows, id: Uint8Array): TaskTextDoc | undefined =>
  readJson<TaskTextDoc>(rows.get(taskKey('text', id)));

export const taskState = (rows: Rows, id: Uint8Array): TaskStateDoc | undefined =>
  readJson<TaskStateDoc>(rows.get(taskKey('state', id)));

/** The submission; undefined if there is none yet. */
export const taskSubmission = (rows: Rows, id: Uint8Array): SubmissionDoc | undefined =>
  readJson<SubmissionDoc>(rows.get(taskKey('submission', id)));
