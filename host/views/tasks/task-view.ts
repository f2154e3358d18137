// The Task object and related objects, built from stored documents only, without the core (protocol 3.3 to 3.5).

import { rowKey } from '../../store/prefixes.ts';
import type {
  CommitBody,
  CommitDoc,
  SubmissionDoc,
  TaskStateDoc,
  TaskTextDoc,
} from '../../store/task-documents.ts';
import { taskKey } from '../../store/task-rows.ts';
import { readJsons } from '../../store/write-set.ts';
import { fromUtf8, toHex } from '../../wire/bytes.ts';
import type { Store } from '../../world/store.ts';

/** A store, or rows read from one. */
export type Rows = Pick<Store, 'get' | 'getTexts'>;

/** The stored parts of a task. */
interface Parts {
  text: TaskTextDoc;
  state: TaskStateDoc;
  submission: SubmissionDoc | undefined;
}

const PARTS = ['text', 'state', 'submission'] as const;

function partsOf(store: Rows, ids: readonly Uint8Array[]): (Parts | undefined)[] {
  const docs = readJsons(
    store,
    ids.flatMap((id) => PARTS.map((part) => taskKey(part, id))),
  );
  return ids.map((_, i) => {
    const [text, state, submission] = docs.slice(PARTS.length * i, PARTS.length * (i + 1));
    return text && state ? ({ text, state, submission } as Parts) : undefined;
  });
}

/** Content of a task's result, as sent. */
export const contentOf = (store: Rows, id: Uint8Array): string | undefined => {
  const bytes = store.get(rowKey.resultContent(id));
  return bytes && fromUtf8(bytes);
};

function submissionPart(s: SubmissionDoc): Record<string, unknown> {
  return {
    result_hash: s.result_hash,
    result_note: s.result_note,
    result_uri: s.result_uri,
    submitted_evidence: s.evidence,
    verification: s.verification,
    verification_score: s.score,
  };
}

function taskBody(id: string, { text, state, submission }: Parts): Record<string, unknown> {
  const { generation_eligible, ...core } = state.core!;
  return {
    id,
    title: text.title,
    description: text.description,
    category: text.category,
    delivery_method: text.delivery_method,
    routing: text.routing,
    success_criteria: text.success_criteria,
    tags: text.tags,
    escrow_account: `escrow:task:${id}`,
    ...core,
    dispute_reason: state.dispute_reason,
    subtask_ids: state.subtasks,
    result_encrypted: submission?.result_encrypted ?? false,
    ...(submission ? submissionPart(submission) : {}),
    contract: {
      spec_hash: text.spec_hash,
      policy_version: text.policy_version,
      success_criteria: text.success_criteria,
      required_checks: text.required_checks,
      challenge_window_secs: text.challenge_window_secs,
      max_delivery_time_secs: text.max_delivery_time_secs,
      generation_eligible,
      assurance_lane: core.assurance_lane,
    },
  };
}

/** A Task with its content; undefined for an unknown id. */
export function taskObject(store: Rows, id: Uint8Array): Record<string, unknown> | undefined {
  const [parts] = partsOf(store, [id]);
  return parts && { ...taskBody(toHex(id), parts), result_content: contentOf(store, id) };
}

/** Tasks of a list, without their content. */
export function taskRows(store: Store, ids: readonly Uint8Array[]): Record<string, unknown>[] {
  return partsOf(store, ids).map((parts, i) => taskBody(toHex(ids[i]!), parts!));
}

/** TaskResult; undefined when there is no such task. */
export function taskResult(store: Store, id: Uint8Array): Record<string, unknown> | undefined {
  const [parts] = partsOf(store, [id]);
  if (!parts) return undefined;
  const { text, state, submission } = parts;
  return {
    task_id: toHex(id),
    status: state.core!.status,
    delivery_method: text.delivery_method,
    result_content: contentOf(store, id) ?? '',
    result_encrypted: submission?.result_encrypted ?? false,
    result_hash: submission?.result_hash,
    result_note: submission?.result_note,
    result_uri: submission?.result_uri,
  };
}

/** All commits of a task in order, at most 100 (protocol 4.4). */
export function commitsOf(store: Store, id: Uint8Array, count: number): CommitDoc[] {
  const keys = Array.from({ length: count }, (_, position) => rowKey.commit(id, position, 0));
  return readJsons<CommitDoc>(store, keys).map((doc) => doc!);
}

/** Bodies of the commits at these positions. */
export function bodiesOf(store: Store, id: Uint8Array, positions: readonly number[]): CommitBody[] {
  const keys = positions.map((position) => rowKey.commit(id, position, 1));
  return readJsons<CommitBody>(store, keys).map((doc) => doc!);
}
