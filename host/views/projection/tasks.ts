// Documents for transactions about tasks: events, texts, results, trajectories (protocol 2.1, 3.3 to 3.6).
// Keeps: an event's payload has the request's fields without result_content and the bodies of commits, and nothing of a
// delivery whose contract has not passed.

import * as abi from '../../../assembly/abi.ts';
import { storedContract } from '../../execution/contracts.ts';
import { openedContent } from '../../execution/openings.ts';
import { verificationResult, verificationScore } from '../../scoring/index.ts';
import { rowKey } from '../../store/prefixes.ts';
import type { CommitBody, CommitDoc, DueDeliveryDoc, SubmissionDoc } from '../../store/task-documents.ts';
import { taskKey } from '../../store/task-rows.ts';
import { fromUtf8, toHex, utf8 } from '../../wire/bytes.ts';
import { taskCategory } from '../../wire/category.ts';
import { sha256Hex } from '../../wire/hash.ts';
import { agentKey, taskId } from '../../wire/ids.ts';
import { jcs } from '../../wire/json.ts';
import type { TASK_OPERATIONS } from '../../wire/operations/tasks.ts';
import type { OperationName } from '../../wire/operations.ts';
import type { Executed, ExecutedTx, Projections } from './types.ts';
import { NO_VOTES } from './votes.ts';

const MAIN_BRANCH = 'main';

function post(tx: Executed<'taskCreate'> | Executed<'subtaskCreate'>, parent: string | undefined): void {
  const { doc, writer, outcome } = tx;
  const { args } = tx.parsed;
  const task = taskId(doc.event_id);
  const category = taskCategory(args.category);
  const description = args.description ?? '';
  const success_criteria = args.success_criteria ?? [];
  const required_checks = args.required_checks ?? [];
  const spec = { title: args.title, description, category, success_criteria, required_checks };
  const { params, ids } = writer.c;
  const acceptance = storedContract(args);
  const hired =
    args.reserved_for === undefined ? undefined : ids.agentId(ids.find(agentKey(args.reserved_for))!.index);
  const runsFirst = acceptance && args.delivery_method !== 'encrypted';
  const reviewSecs = runsFirst ? params.review_contract_secs : params.review_default_secs;
  const text = {
    order: outcome.order,
    ...spec,
    delivery_method: args.delivery_method ?? 'public',
    routing: args.routing ?? 'advisory',
    tags: args.tags ?? [],
    spec_hash: `sha256:${sha256Hex(utf8(jcs(spec)))}`,
    policy_version: 'v1',
    challenge_window_secs: args.challenge_window_secs ?? reviewSecs,
    max_delivery_time_secs: args.max_delivery_time_secs ?? params.max_delivery_time_secs,
    delivered: args.delivered ?? 'content',
    ...(args.pay_external_on_silence === undefined
      ? {}
      : { pay_external_on_silence: args.pay_external_on_silence }),
    ...(args.accept_no_judges === true ? { accept_no_judges: true } : {}),
    ...(acceptance ? { acceptance } : {}),
    ...(hired === undefined ? {} : { reserved_for: hired, reserved_then: args.reserved_then ?? 'refund' }),
  };
  writer.tasks.create(task, text, args.budget, parent);
  doc.task_id = task;
  doc.amount = args.budget;
  if (hired !== undefined) doc.recipient_id = hired;
  Object.assign(doc.payload, { task_id: task, category });
  if (parent !== undefined) doc.payload.parent_task_id = parent;
}

/** The id in lower case of the task that the path names; it exists, since the core accepted the transaction. */
function step<N extends OperationName>({ parsed, doc }: Executed<N>): string {
  const task = parsed.path.id!.toLowerCase();
  doc.task_id = task;
  doc.payload.task_id = task;
  return task;
}

/** Marks an event as open for the verdicts of a panel; the panel is added at the end of the block. */
function openForVerdicts({ doc }: ExecutedTx, posterId: string, deadline: number): void {
  doc.recipient_id = posterId;
  doc.settlement_state = 'optimistic';
  doc.deadline = deadline;
  doc.votes = NO_VOTES;
  doc.assigned_to = [];
}

/** What waits for the run of its contract is shown to nobody: the event says no more than that it is there. */
function wait({ doc, writer }: ExecutedTx, id: Uint8Array, due: DueDeliveryDoc): void {
  writer.set.putJson(rowKey.dueDelivery(id), due);
  doc.payload = { task_id: doc.task_id, result_hash: due.submission.result_hash };
}

function submit(tx: Executed<'taskSubmit'>): void {
  const { doc, writer, input, place } = tx;
  const { args } = tx.parsed;
  const { id, text, state } = writer.tasks.open(step(tx));
  const { verification, evidence, resultHash } = input.submission!;
  const submission: SubmissionDoc = {
    event_id: doc.event_id,
    result_hash: resultHash,
    ...(args.result_note ? { result_note: args.result_note } : {}),
    ...(args.result_uri ? { result_uri: args.result_uri } : {}),
    result_encrypted: args.result_encrypted ?? false,
    ...(args.key_commitment
      ? { key_commitment: args.key_commitment.toLowerCase(), order: tx.outcome.order }
      : {}),
    evidence,
    verification: verificationResult(verification),
    score: verificationScore(verification),
  };
  if (text.acceptance && !submission.key_commitment) {
    wait(tx, id, { submission, content: args.result_content! });
    return;
  }
  writer.set.putJson(taskKey('submission', id), submission);
  if (args.result_content) writer.set.put(rowKey.resultContent(id), utf8(args.result_content));
  const deadline = place.timeSecs + text.challenge_window_secs;
  const { result_content: _, ...fields } = args;
  doc.payload = {
    ...fields,
    task_id: doc.task_id,
    result_hash: resultHash,
    verdict: submission.verification.verdict,
    overall: submission.score.overall,
    review_deadline: deadline,
  };
  if (state.core!.assurance_lane !== undefined) openForVerdicts(tx, state.core!.poster_id, deadline);
}

/**
 * Notes the key of a sealed delivery, which is public now; where a contract runs on it, its text waits for the run. True
 * when that, or that nothing was delivered, is what follows.
 */
function noteOpening(tx: Executed<'taskDispute'> | Executed<'taskContest'> | Executed<'taskOpen'>): boolean {
  const { parsed, doc, input, writer, place } = tx;
  const { id, text, state } = writer.tasks.open(doc.task_id!);
  const { content_key } = parsed.args;
  if (!content_key || state.opening) return false;
  const isDelivery = (input.opening! & abi.OPEN_HOLDS) !== 0;
  state.opening = {
    content_key: content_key.toLowerCase(),
    opened_by: doc.agent_id,
    opened_at: place.timeSecs,
    is_delivery: isDelivery,
  };
  if (!isDelivery || !text.acceptance) return !isDelivery;
  const submission = writer.set.getJson<SubmissionDoc>(taskKey('submission', id))!;
  const content = openedContent(toHex(id), content_key, fromUtf8(writer.set.get(rowKey.resultContent(id))!))!;
  writer.set.putJson(rowKey.dueDelivery(id), { submission, content } satisfies DueDeliveryDoc);
  return true;
}

function dispute(tx: Executed<'taskDispute'>): void {
  const { doc, writer, place } = tx;
  const { state } = writer.tasks.open(step(tx));
  noteOpening(tx);
  const deadline = place.timeSecs + writer.c.params.contest_secs;
  if (tx.parsed.args.reason) state.dispute_reason = tx.parsed.args.reason;
  doc.payload.dispute_deadline = deadline;
  openForVerdicts(tx, state.core!.poster_id, deadline);
}

/** A claimed task is cancelled after a notice, of which this event is the beginning. */
function cancel(tx: Executed<'taskCancel'>): void {
  step(tx);
  const cancelAt = tx.outcome.words[abi.RESULT_CANCEL_AT]!;
  if (cancelAt === 0) return;
  tx.doc.event_type = 'task_cancel_requested';
  tx.doc.payload.cancel_at = cancelAt;
}

function commit(tx: Executed<'trajectoryCommit'>): void {
  const { doc, writer, place } = tx;
  const { args } = tx.parsed;
  const task = step(tx);
  const { id, state } = writer.tasks.open(task);
  const body: CommitBody = {
    approach_description: args.approach_description ?? '',
    error_detail: args.error_detail ?? '',
    evidence_snippet: args.evidence_snippet ?? '',
    intermediate_output_hash: args.intermediate_output_hash ?? '',
    parameters: args.parameters ?? {},
  };
  const bytes = utf8(jcs(body));
  // The event's payload; the other members of the row are those of the event itself.
  const payload = {
    task_id: task,
    branch_id: args.branch_id || MAIN_BRANCH,
    outcome: args.outcome,
    ...(args.parent_commit_id ? { parent_commit_id: args.parent_commit_id.toLowerCase() } : {}),
    ...(args.category_hint ? { category_hint: args.category_hint } : {}),
    checkpoint_hash: sha256Hex(bytes),
    checkpoint_size: bytes.length,
    compute_cost: args.compute_cost ?? 0,
    quality_score_bp: args.quality_score_bp ?? 0,
  };
  const row: CommitDoc = {
    event_id: doc.event_id,
    agent_id: doc.agent_id,
    ...payload,
    causal_timestamp: place.vertex.round,
    timestamp: place.timeSecs,
  };
  writer.set.putJson(rowKey.commit(id, state.commits, 0), row);
  writer.set.put(rowKey.commit(id, state.commits, 1), bytes);
  state.commits += 1;
  doc.payload = payload;
}

export const TASK_PROJECTIONS: Projections<keyof typeof TASK_OPERATIONS> = {
  taskCreate: (tx) => post(tx, undefined),
  subtaskCreate: (tx) => post(tx, step(tx)),
  taskClaim(tx) {
    const { text } = tx.writer.tasks.open(step(tx));
    tx.doc.payload.claim_deadline = tx.place.timeSecs + text.max_delivery_time_secs;
  },
  taskRelease: (tx) => void step(tx),
  taskDecline: (tx) => void step(tx),
  taskSubmit: submit,
  taskApprove: (tx) => void step(tx),
  taskDispute: dispute,
  taskContest(tx) {
    step(tx);
    if (noteOpening(tx)) {
      // Nobody judges yet: its box, or the contract, answers first.
      tx.doc.event_type = 'task_opened';
      return;
    }
    tx.doc.payload.dispute_deadline = tx.place.timeSecs + tx.writer.c.params.dispute_deadline_secs;
  },
  taskConcede: (tx) => void step(tx),
  taskOpen(tx) {
    step(tx);
    noteOpening(tx);
  },
  taskCancel: cancel,
  trajectoryCommit: commit,
};
