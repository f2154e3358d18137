// Commands of challenges, replays and canaries (protocol 4.7, 4.8, 7.6, 7.7).
// The report of a replay is compared with its baseline here, once: by the request and by stored texts of earlier blocks,
// which are the same on every node.

import * as abi from '../../../assembly/abi.ts';
import * as commands from '../../core/case-commands.ts';
import { CANARY_TYPE, CHALLENGE_STATUS, numberOf, OFFENSE, OUTCOME } from '../../core/case-names.ts';
import { type Comparison, compareChecks } from '../../scoring/index.ts';
import { fromHex, utf8 } from '../../wire/bytes.ts';
import { sha256 } from '../../wire/hash.ts';
import { lowerHexKey } from '../../wire/ids.ts';
import type { CANARY_OPERATIONS, CASE_OPERATIONS } from '../../wire/operations/cases.ts';
import type { ParsedOf } from '../../wire/operations.ts';
import { taskIdBytes } from './tasks.ts';
import type { TranslateContext, Translated, Translators } from './types.ts';

/** Bytes of a challenge id. Any other text gives a hash, which matches no challenge. */
export function challengeIdBytes(text: string): Uint8Array {
  const hex = /^chal-([0-9a-fA-F]{24})$/.exec(text)?.[1];
  return hex === undefined ? sha256(utf8(text)).subarray(0, 12) : fromHex(hex)!;
}

/** Bytes of a replay job's id; any other text gives a hash, which matches no job. */
export const jobIdBytes = (text: string): Uint8Array =>
  /^[0-9a-fA-F]{64}$/.test(text) ? fromHex(text)! : sha256(utf8(text));

const DELTA_CODES: Readonly<Record<number, number>> = {
  0: abi.COMPARED_EQUAL,
  5000: abi.COMPARED_ARTIFACT_DIFFERS,
  10000: abi.COMPARED_DIFFERS,
};
const comparedCode = ({ delta_bp, anomaly }: Comparison): number =>
  DELTA_CODES[delta_bp]! | (anomaly ? abi.COMPARED_ANOMALY : 0);

function submitReplay({ args }: ParsedOf<'replaySubmit'>, { head, ids }: TranslateContext): Translated {
  const job = jobIdBytes(args.job_id);
  const task = args.task_id ? taskIdBytes(args.task_id) : undefined;
  const baseline = ids.tasks.replay(job)?.checks ?? [];
  const comparisons = compareChecks(baseline, args.check_results);
  const command = commands.replaySubmit(head, job, task, comparisons.map(comparedCode));
  return { command, comparisons };
}

function reportReplay({ args }: ParsedOf<'replayOutcome'>, { head, ids }: TranslateContext): Uint8Array {
  const job = jobIdBytes(args.job_id);
  const outcome = args.status === 'failed' ? abi.REPLAY_OUTCOME_FAILED : numberOf(OUTCOME, args.outcome!);
  // A job that no earlier block created counts as code or data: its outcome cannot be claimed without checks.
  const isCodeOrData = ids.tasks.replay(job)?.isCodeOrData ?? true;
  return commands.replayOutcome(head, job, outcome, isCodeOrData);
}

export const CASE_TRANSLATORS: Translators<keyof typeof CASE_OPERATIONS | keyof typeof CANARY_OPERATIONS> = {
  challengeOpen: ({ args }, { head }) =>
    commands.challengeOpen(head, {
      task: taskIdBytes(args.task_id),
      target: lowerHexKey(args.target_id),
      offense: numberOf(OFFENSE, args.offense ?? 'fraudulent_approval'),
      bond: args.bond,
    }),
  challengeVote: ({ args, path }, { head }) =>
    commands.challengeVote(head, challengeIdBytes(path.id!), numberOf(CHALLENGE_STATUS, args.outcome)),
  replaySubmit: submitReplay,
  replayOutcome: reportReplay,
  canaryCommit: ({ args }, { head }) => commands.canaryCommit(head, fromHex(args.commitment)!),
  canaryReturn: (_, { head }) => commands.canaryReturn(head),
  canaryReveal: ({ args }, { head }) =>
    commands.canaryReveal(
      head,
      taskIdBytes(args.task_id),
      fromHex(args.salt)!,
      numberOf(CANARY_TYPE, args.type),
      args.truth,
    ),
};
