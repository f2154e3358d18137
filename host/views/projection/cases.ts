// Documents for transactions about challenges, replays and canaries (protocol 2.1, 3.9).

import { ACTION, JOB_STATUS, OUTCOME } from '../../core/case-names.ts';
import { challengeIdBytes, jobIdBytes } from '../../execution/translation/cases.ts';
import { taskIdBytes } from '../../execution/translation/tasks.ts';
import { fromHex, toHex } from '../../wire/bytes.ts';
import { canaryCommitment } from '../../wire/canary.ts';
import { challengeId } from '../../wire/ids.ts';
import type { CANARY_OPERATIONS, CASE_OPERATIONS } from '../../wire/operations/cases.ts';
import type { Executed, ExecutedTx, Projections } from './types.ts';

export const NO_CHALLENGE_VOTES = {
  succeeded_weight: 0,
  failed_weight: 0,
  partial_weight: 0,
  total_weight: 0,
  participants: 0,
} as const;

function openChallenge({ parsed, outcome, doc, place, writer }: Executed<'challengeOpen'>): void {
  const { args } = parsed;
  const [challenger, target, bond, deadline] = outcome.words as [number, number, number, number];
  const id = challengeId(doc.event_id);
  const text = {
    event_id: doc.event_id,
    task_id: toHex(taskIdBytes(args.task_id)),
    challenger_id: doc.agent_id,
    target_id: writer.c.ids.validatorId(target),
    offense: args.offense ?? 'fraudulent_approval',
    ...(args.reason ? { reason: args.reason } : {}),
    ...(args.evidence_uri ? { evidence_uri: args.evidence_uri } : {}),
    ...(args.evidence_hash ? { evidence_hash: args.evidence_hash } : {}),
  };
  writer.cases.challenges.create(challengeIdBytes(id), {
    challenger,
    target,
    text,
    core: { status: 'open', bond, created_at: place.timeSecs, deadline, votes: NO_CHALLENGE_VOTES },
  });
  const { event_id: _, challenger_id, ...details } = text;
  doc.task_id = text.task_id;
  doc.payload = { challenge_id: id, ...details, challenger_id, bond, deadline };
}

function vote({ parsed, outcome, doc, writer }: Executed<'challengeVote'>): void {
  const id = challengeIdBytes(parsed.path.id!);
  const { text } = writer.cases.challenges.open(id);
  doc.task_id = text.task_id;
  doc.payload = {
    challenge_id: `chal-${toHex(id)}`,
    task_id: text.task_id,
    target_id: text.target_id,
    validator_id: writer.c.ids.validatorId(outcome.words[1]!),
    outcome: parsed.args.outcome,
    ...(parsed.args.note ? { note: parsed.args.note } : {}),
  };
}

/** Common part of both operations that report a replay. A job shows the notes of its last report only. */
function replayed({ outcome, doc, writer }: ExecutedTx, job: Uint8Array, notes?: string): void {
  const shown = writer.cases.jobs.open(job);
  const { text } = shown;
  if (notes) shown.notes = notes;
  else delete shown.notes;
  const [, executor, status, result, action, severity_bp, mismatch_count] = outcome.words as number[];
  doc.task_id = text.task_id;
  doc.payload = {
    job_id: toHex(job),
    task_id: text.task_id,
    executor_id: writer.c.ids.validatorId(executor!),
    status: JOB_STATUS[status!],
    ...(result ? { outcome: OUTCOME[result], action: ACTION[action!], severity_bp, mismatch_count } : {}),
    ...(notes ? { notes } : {}),
  };
}

function submitReplay(tx: Executed<'replaySubmit'>): void {
  const id = jobIdBytes(tx.parsed.args.job_id);
  tx.writer.cases.jobs.open(id).comparisons = tx.input.comparisons!;
  replayed(tx, id);
  tx.doc.payload.check_results = tx.parsed.args.check_results;
}

function reportReplay(tx: Executed<'replayOutcome'>): void {
  const { job_id, notes } = tx.parsed.args;
  replayed(tx, jobIdBytes(job_id), notes);
}

export const CASE_PROJECTIONS: Projections<keyof typeof CASE_OPERATIONS | keyof typeof CANARY_OPERATIONS> = {
  challengeOpen: openChallenge,
  challengeVote: vote,
  replaySubmit: submitReplay,
  replayOutcome: reportReplay,
  canaryCommit({ parsed, doc }) {
    doc.payload = { commitment: parsed.args.commitment.toLowerCase() };
  },
  canaryReturn({ doc, outcome }) {
    doc.amount = outcome.words[1]!;
    doc.payload = { amount: outcome.words[1]! };
  },
  canaryReveal({ parsed, doc, outcome, input }) {
    const { salt, type, truth } = parsed.args;
    const task_id = toHex(input.command.subarray(96, 112));
    const [, scored, fees_returned] = outcome.words as number[];
    doc.task_id = task_id;
    doc.payload = {
      commitment: canaryCommitment(task_id, { type, truth, salt: fromHex(salt)! }),
      task_id,
      type,
      truth,
      salt: salt.toLowerCase(),
      votes_scored: scored,
      fees_returned,
    };
  },
};
