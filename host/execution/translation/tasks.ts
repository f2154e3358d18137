// Commands of tasks (protocol 4.4).
// A submission is scored here, once: by the request and the task's text, which are the same on every node.

import * as abi from '../../../assembly/abi.ts';
import * as commands from '../../core/task-commands.ts';
import type { ScoredSubmission } from '../../ordering/block.ts';
import {
  resultHash,
  resultHashMatches,
  scoreSubmission,
  submittedEvidence,
  type TaskContract,
} from '../../scoring/index.ts';
import { fromHex, utf8 } from '../../wire/bytes.ts';
import { labelOf, tagLabels, taskCategory } from '../../wire/category.ts';
import { sha256 } from '../../wire/hash.ts';
import type { TASK_OPERATIONS } from '../../wire/operations/tasks.ts';
import type { Args, ParsedOf } from '../../wire/operations.ts';
import type { TranslateContext, Translated, Translators } from './types.ts';

const LANES: Record<string, number> = {
  standard: abi.LANE_STANDARD,
  high_assurance: abi.LANE_HIGH,
  enterprise: abi.LANE_ENTERPRISE,
};

/** Bytes of a task id in a path. Any other text gives a hash, which matches no task. */
export function taskIdBytes(text: string): Uint8Array {
  return /^[0-9a-fA-F]{32}$/.test(text) ? fromHex(text)! : sha256(utf8(text)).subarray(0, 16);
}

type Terms = Args<'subtaskCreate'> & Partial<Args<'taskCreate'>>;

function termsOf(args: Terms): commands.TaskTerms {
  const lane = args.assurance_lane === undefined ? abi.LANE_NONE : LANES[args.assurance_lane]!;
  const category = taskCategory(args.category);
  let flags = 0;
  if (args.delivery_method === 'encrypted') flags |= abi.TASK_ENCRYPTED;
  if (args.routing === 'exclusive') flags |= abi.TASK_EXCLUSIVE;
  if (args.allow_downgrade !== false) flags |= abi.TASK_DOWNGRADE_ALLOWED;
  if (lane !== abi.LANE_NONE && args.generation_eligible !== false) flags |= abi.TASK_GENERATION_ELIGIBLE;
  return {
    budget: args.budget,
    flags,
    lane,
    reviewSecs: args.challenge_window_secs ?? 0,
    deliverySecs: args.max_delivery_time_secs ?? 0,
    category,
    categoryLabel: labelOf(category),
    tagLabels: tagLabels(args.tags ?? []),
  };
}

function score(contract: TaskContract, args: Args<'taskSubmit'>): ScoredSubmission {
  return {
    verification: scoreSubmission(contract, args),
    evidence: submittedEvidence(args),
    resultHash: resultHash(args),
  };
}

function submit({ args, path }: ParsedOf<'taskSubmit'>, c: TranslateContext): Translated {
  const task = taskIdBytes(path.id!);
  let flags = 0;
  if (args.result_encrypted === true) flags |= abi.SUBMIT_ENCRYPTED;
  if (args.result_content) flags |= abi.SUBMIT_HAS_CONTENT;
  const contract = c.ids.tasks.text(task);
  if (!contract) return { command: commands.taskSubmit(c.head, task, flags, 0) };
  flags |= abi.SUBMIT_SCORED;
  if (c.isProbe) return { command: commands.taskSubmit(c.head, task, flags, 0) };
  if (!resultHashMatches(args)) flags |= abi.SUBMIT_HASH_MISMATCH;
  const submission = score(contract, args);
  const { pass, gatesOk, overallBp } = submission.verification;
  if (pass) flags |= abi.SUBMIT_PASS;
  if (gatesOk) flags |= abi.SUBMIT_GATES_HOLD;
  return { command: commands.taskSubmit(c.head, task, flags, overallBp), submission };
}

const step =
  (opcode: number) =>
  ({ path }: { path: Record<string, string> }, { head }: TranslateContext): Uint8Array =>
    commands.taskStep(opcode, head, taskIdBytes(path.id!));

export const TASK_TRANSLATORS: Translators<keyof typeof TASK_OPERATIONS> = {
  taskCreate: ({ args }, { head }) => commands.taskCreate(head, termsOf(args)),
  subtaskCreate: ({ args, path }, { head }) =>
    commands.subtaskCreate(head, taskIdBytes(path.id!), termsOf(args)),
  taskClaim: step(abi.OP_TASK_CLAIM),
  taskSubmit: submit,
  taskApprove: step(abi.OP_TASK_APPROVE),
  taskDispute: step(abi.OP_TASK_DISPUTE),
  taskCancel: step(abi.OP_TASK_CANCEL),
  trajectoryCommit({ args, path }, { head, ids }) {
    const task = taskIdBytes(path.id!);
    const parent = args.parent_commit_id;
    if (!parent) return commands.trajectoryCommit(head, task, 0);
    const event = /^[0-9a-fA-F]{64}$/.test(parent) ? fromHex(parent) : undefined;
    const found = event !== undefined && ids.tasks.isCommit(task, event);
    const flags = abi.COMMIT_HAS_PARENT | (found ? abi.COMMIT_PARENT_FOUND : 0);
    return commands.trajectoryCommit(head, task, flags);
  },
};
