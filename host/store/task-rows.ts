// The documents of a task as stored: side by side, so that the parts of a task are mostly one block of the store.

import type { Store } from '../world/store.ts';
import { keyTask } from './prefixes.ts';
import type { SubmissionDoc, TaskStateDoc, TaskTextDoc } from './task-documents.ts';
import { readJson } from './write-set.ts';

/** A store, or the write set of a group that is under way. */
type Rows = Pick<Store, 'get'>;

/** Parts of a task as numbered in keys: append only. */
export const TASK_PART = { text: 0, state: 1, submission: 2 } as const;

/** Row of a part of a task. `id`: 16 bytes. */
export const taskKey = (part: keyof typeof TASK_PART, id: Uint8Array): Uint8Array =>
  keyTask(id, TASK_PART[part]);

/** The part that never changes; undefined when there is no such task. */
export const taskText = (rows: Rows, id: Uint8Array): TaskTextDoc | undefined =>
  readJson<TaskTextDoc>(rows.get(taskKey('text', id)));

export const taskState = (rows: Rows, id: Uint8Array): TaskStateDoc | undefined =>
  readJson<TaskStateDoc>(rows.get(taskKey('state', id)));

/** What was submitted; undefined before. */
export const taskSubmission = (rows: Rows, id: Uint8Array): SubmissionDoc | undefined =>
  readJson<SubmissionDoc>(rows.get(taskKey('submission', id)));
