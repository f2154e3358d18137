// The submitted work of a task, from this node's documents, to be scored again.

import type { Submission } from '../scoring/index.ts';
import { eventOf } from '../store/events.ts';
import type { SubmissionDoc, TaskTextDoc } from '../store/task-documents.ts';
import { taskSubmission, taskText } from '../store/task-rows.ts';
import { contentOf } from '../views/tasks/task-view.ts';
import { fromHex } from '../wire/bytes.ts';
import type { Store } from '../world/store.ts';

export interface StoredWork {
  text: TaskTextDoc;
  submitted: SubmissionDoc;
  /** As submitted. */
  work: Submission;
}

/** `task`: id in hex. Undefined if there is no such task, or nothing was submitted. */
export function storedWork(store: Store, task: string): StoredWork | undefined {
  const id = fromHex(task);
  if (!id) return undefined;
  const text = taskText(store, id);
  const submitted = taskSubmission(store, id);
  const event = submitted && eventOf(store, fromHex(submitted.event_id)!);
  if (!text || !event) return undefined;
  // The event has all fields of the submission except the content, which is stored separately.
  return { text, submitted, work: { ...event.payload, result_content: contentOf(store, id) } };
}
