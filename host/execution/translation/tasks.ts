// Commands of tasks (protocol 4.4).
// A submission is scored here, once: by the request and the task's text, which are the same on every node.

import * as abi from '../../../assembly/abi.ts';
import * as commands from '../../core/task-commands.ts';
import { NO_QUORUM_OF } from '../../core/task-names.ts';
import { invalid } from '../../errors.ts';
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
import { agentKey } from '../../wire/ids.ts';
import type { TASK_OPERATIONS } from '../../wire/operations/tasks.ts';
import type { Args, ParsedOf } from '../../wire/operations.ts';
import { isSealedBox } from '../../wire/sealed-box.ts';
import { admitContract, type Programs } from '../contracts.ts';
import { openingFlags } from '../openings.ts';
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

const EVERY_OPENING = abi.OPEN_GIVEN | abi.OPEN_MATCHES | abi.OPEN_HOLDS;

type Terms = Args<'subtaskCreate'> & Partial<Args<'taskCreate'>>;

function termsOf(args: Terms, programs: Programs): commands.TaskTerms {
  const acceptance = admitContract(args, programs);
  const lane = args.assurance_lane === undefined ? abi.LANE_NONE : LANES[args.assurance_lane]!;
  const category = taskCategory(args.category);
  let flags = 0;
  if (args.delivery_method === 'encrypted') flags |= abi.TASK_ENCRYPTED;
  if (args.worker_bond !== undefined) flags |= abi.TASK_BOND_GIVEN;
  if (args.routing === 'exclusive') flags |= abi.TASK_EXCLUSIVE;
  if (args.allow_downgrade !== false) flags |= abi.TASK_DOWNGRADE_ALLOWED;
  if (lane !== abi.LANE_NONE && args.generation_eligible !== false) flags |= abi.TASK_GENERATION_ELIGIBLE;
  if (acceptance?.settle === 'on_pass') flags |= abi.TASK_ON_PASS;
  if (acceptance?.checks.some(({ seeded }) => seeded)) flags |= abi.TASK_SEEDED;
  if (args.delivered === 'external') flags |= abi.TASK_EXTERNAL;
  if (args.reserved_for !== undefined) {
    flags |= abi.TASK_RESERVED;
    if (args.reserved_then !== 'open') flags |= abi.TASK_RESERVED_OR_REFUND;
  }
  if (args.accept_no_judges === true) flags |= abi.TASK_ACCEPTS_NO_JUDGES;
  if (args.pay_external_on_silence === true) flags |= abi.TASK_PAYS_SILENTLY;
  return {
    fuel: acceptance?.fuel ?? 0,
    budget: args.budget,
    flags,
    lane,
    reviewSecs: args.challenge_window_secs ?? 0,
    deliverySecs: args.max_delivery_time_secs ?? 0,
    ...(args.worker_bond === undefined ? {} : { workerBond: args.worker_bond }),
    ...(args.reserved_for === undefined
      ? {}
      : { reservedFor: agentKey(args.reserved_for), reservedSecs: args.reserved_secs ?? 0 }),
    noQuorum: NO_QUORUM_OF[args.no_quorum ?? (acceptance ? 'worker' : 'split')],
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
  if (args.result_hash && args.result_uri) flags |= abi.SUBMIT_HAS_PLACE;
  if (args.key_commitment && isSealedBox(args.result_content!)) flags |= abi.SUBMIT_SEALED;
  const contract = c.ids.tasks.text(task);
  if (!contract) return { command: commands.taskSubmit(c.head, task, flags, 0) };
  flags |= abi.SUBMIT_SCORED;
  if (c.isProbe) return { command: commands.taskSubmit(c.head, task, flags, 0) };
  if (!resultHashMatches(args)) flags |= abi.SUBMIT_HASH_MISMATCH;
  const submission = score(contract, args);
  const { factsHold, overallBp } = submission.verification;
  if (factsHold) flags |= abi.SUBMIT_FACTS_HOLD;
  return { command: commands.taskSubmit(c.head, task, flags, overallBp), submission };
}

const step =
  (opcode: number) =>
  ({ path }: { path: Record<string, string> }, { head }: TranslateContext): Uint8Array =>
    commands.taskStep(opcode, head, taskIdBytes(path.id!));

/**
 * The task of a step that reserves a bond, which is fixed when a task is posted. Where the signer says how much may be reserved, a
 * task that was not there before the block is none: a seat can order it with the step, and nobody had seen its bond. Refuses more
 * than the signer allows.
 */
function bondedTask(
  { args, path }: ParsedOf<'taskClaim'> | ParsedOf<'taskDispute'>,
  { ids }: TranslateContext,
  bond: 'workerBond' | 'disputeBond',
): Uint8Array {
  const id = taskIdBytes(path.id!);
  const { max_bond: most } = args;
  if (most === undefined) return id;
  const known = ids.state.task(id);
  if (!known) return sha256(id).subarray(0, id.length);
  if (known[bond] > most) throw invalid(`the task reserves ${known[bond]} micro-units, more than max_bond`);
  return id;
}

/** A step that may bring the key of a sealed delivery. */
function openingStep(
  opcode: number,
  task: Uint8Array,
  { content_key: key }: { content_key?: string },
  { head, ids, isProbe }: TranslateContext,
): Translated {
  // The box is opened only for a party: the probe says that the key fits.
  const opening = isProbe && key ? EVERY_OPENING : openingFlags(task, key, ids.tasks);
  return { command: commands.taskStep(opcode, head, task, opening), opening };
}

export const TASK_TRANSLATORS: Translators<keyof typeof TASK_OPERATIONS> = {
  taskCreate: ({ args }, { head, ids }) => commands.taskCreate(head, termsOf(args, ids.tasks)),
  subtaskCreate: ({ args, path }, { head, ids }) =>
    commands.subtaskCreate(head, taskIdBytes(path.id!), termsOf(args, ids.tasks)),
  taskClaim: (parsed, c) => commands.taskStep(abi.OP_TASK_CLAIM, c.head, bondedTask(parsed, c, 'workerBond')),
  taskRelease: step(abi.OP_TASK_RELEASE),
  taskDecline: step(abi.OP_TASK_DECLINE),
  taskSubmit: submit,
  taskApprove: step(abi.OP_TASK_APPROVE),
  taskDispute: (parsed, c) =>
    openingStep(abi.OP_TASK_DISPUTE, bondedTask(parsed, c, 'disputeBond'), parsed.args, c),
  taskContest: ({ args, path }, c) => openingStep(abi.OP_TASK_CONTEST, taskIdBytes(path.id!), args, c),
  taskOpen: ({ args, path }, c) => openingStep(abi.OP_TASK_OPEN, taskIdBytes(path.id!), args, c),
  taskConcede: step(abi.OP_TASK_CONCEDE),
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
