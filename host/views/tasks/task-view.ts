// The Task object and related objects, built from stored documents only, without the core (protocol 3.3 to 3.5).

import { openedContent } from '../../execution/openings.ts';
import { rowKey } from '../../store/prefixes.ts';
import { posterRuns, programRuns, runCount } from '../../store/run-counts.ts';
import type {
  CheckDoc,
  CommitBody,
  CommitDoc,
  RunCountDoc,
  SubmissionDoc,
  TaskCoreDoc,
  TaskStateDoc,
  TaskTextDoc,
} from '../../store/task-documents.ts';
import { taskKey } from '../../store/task-rows.ts';
import { firstJsons, readJsons } from '../../store/write-set.ts';
import { fromUtf8, toHex } from '../../wire/bytes.ts';
import type { Store } from '../../world/store.ts';
import { type Hidden, NOTHING_HIDDEN } from '../hidden.ts';

/** A store, or rows read from one. */
export type Rows = Pick<Store, 'get' | 'getTexts'>;

/** The stored parts of a task. */
interface Parts {
  text: TaskTextDoc;
  state: TaskStateDoc;
  submission: SubmissionDoc | undefined;
}

const PARTS = ['text', 'state', 'submission'] as const;

function partsOf(store: Rows, ids: readonly Uint8Array[], read = readJsons): (Parts | undefined)[] {
  const docs = read(
    store,
    ids.flatMap((id) => PARTS.map((part) => taskKey(part, id))),
  );
  // A task of which not all parts were read is not shown, unless it is the only one.
  const count = Math.max(1, Math.floor(docs.length / PARTS.length));
  return ids.slice(0, count).map((_, i) => {
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
    key_commitment: s.key_commitment,
    submitted_evidence: s.evidence,
    verification: s.verification,
    verification_score: s.score,
  };
}

function acceptancePart({ acceptance }: TaskTextDoc, state: TaskStateDoc): Record<string, unknown> {
  if (!acceptance) return {};
  const { checks, settle, hash } = acceptance;
  const report = state.acceptance_report;
  return { acceptance: checks, settle, acceptance_contract_hash: hash, acceptance_report: report };
}

function openingPart({ opening }: TaskStateDoc): Record<string, unknown> {
  if (!opening) return {};
  const { content_key, opened_by, opened_at, is_delivery } = opening;
  return { content_key, opened_by, opened_at, opened_is_delivery: is_delivery };
}

/** The Task object of a list: without its content and without counts. */
export type TaskBody = Record<string, unknown> &
  Pick<TaskCoreDoc, 'poster_id' | 'status'> & { acceptance?: readonly CheckDoc[] };

function taskBody(id: string, { text, state, submission }: Parts): TaskBody {
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
    delivered: text.delivered,
    pay_external_on_silence: text.pay_external_on_silence,
    accept_no_judges: text.accept_no_judges,
    reserved_for: text.reserved_for,
    reserved_then: text.reserved_then,
    ...acceptancePart(text, state),
    dispute_reason: state.dispute_reason,
    dispute_judges: state.dispute_judges,
    ...openingPart(state),
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

/** Names of the counts of runs that a Task shows. */
export const runsOfTask = ({ acceptance, poster_id: poster }: TaskBody): string[] =>
  acceptance ? [posterRuns(poster), ...new Set(acceptance.map(({ program }) => programRuns(program)))] : [];

/** A Task of a list with how often its programs, and the contracts of its poster, were run. */
export function withRuns(body: TaskBody, countOf: (name: string) => RunCountDoc): TaskBody {
  const { acceptance, poster_id: poster } = body;
  const runs = acceptance && countOf(posterRuns(poster));
  const programs = [...new Set(acceptance?.map(({ program }) => program))];
  return {
    ...body,
    poster_runs: runs?.runs,
    poster_runs_passed: runs?.passed,
    program_runs: acceptance && programs.map((program) => ({ program, ...countOf(programRuns(program)) })),
  };
}

/** What a sealed delivery holds that was opened. */
const openedOf = (body: TaskBody, content: string | undefined): string | undefined =>
  body.opened_is_delivery ? openedContent(body.id as string, body.content_key as string, content) : undefined;

/** A Task with what was delivered. */
export const withContent = (body: TaskBody, content: string | undefined): Record<string, unknown> => ({
  ...body,
  result_content: content,
  opened_content: openedOf(body, content),
});

/** A Task with its content, unless that is hidden; undefined for an unknown id. */
export function taskObject(
  store: Rows,
  id: Uint8Array,
  hidden: Pick<Hidden, 'has'> = NOTHING_HIDDEN,
): Record<string, unknown> | undefined {
  const [parts] = partsOf(store, [id]);
  if (!parts) return undefined;
  const body = withRuns(taskBody(toHex(id), parts), (name) => runCount(store, name));
  const content = contentOf(store, id);
  if (content !== undefined && hidden.has(parts.submission?.result_hash))
    return { ...body, result_hidden: true };
  return withContent(body, content);
}

/** Tasks of a list, without their content. */
export function taskRows(store: Store, ids: readonly Uint8Array[]): Record<string, unknown>[] {
  return partsOf(store, ids, firstJsons).map((parts, i) => taskBody(toHex(ids[i]!), parts!));
}

/** TaskResult, or that it is hidden; undefined when there is no such task. */
export function taskResult(
  store: Store,
  id: Uint8Array,
  hidden: Pick<Hidden, 'has'>,
): Record<string, unknown> | 'hidden' | undefined {
  const [parts] = partsOf(store, [id]);
  if (!parts) return undefined;
  const content = contentOf(store, id);
  if (content !== undefined && hidden.has(parts.submission?.result_hash)) return 'hidden';
  return resultObject(taskBody(toHex(id), parts), content);
}

/** The TaskResult object. */
export function resultObject(body: TaskBody, content: string | undefined): Record<string, unknown> {
  const { id, status, delivery_method, result_encrypted, result_hash, result_note, result_uri } = body;
  const { key_commitment, content_key, opened_by, opened_at } = body;
  return {
    task_id: id,
    status,
    delivery_method,
    result_content: content ?? '',
    result_encrypted,
    result_hash,
    result_note,
    result_uri,
    key_commitment,
    content_key,
    opened_by,
    opened_at,
    opened_content: openedOf(body, content),
  };
}

/** A Task of a list; undefined for an unknown id. */
export function taskRow(store: Rows, id: Uint8Array): TaskBody | undefined {
  const [parts] = partsOf(store, [id]);
  return parts && taskBody(toHex(id), parts);
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
