// Answer bodies of writes about challenges, replays and canaries (protocol 4.7, 4.8).

import { ACTION, CHALLENGE_STATUS, OUTCOME } from '../../core/case-names.ts';
import { challengeIdBytes, jobIdBytes } from '../../execution/translation/cases.ts';
import { toHex } from '../../wire/bytes.ts';
import { challengeId } from '../../wire/ids.ts';
import type { CANARY_OPERATIONS, CASE_OPERATIONS } from '../../wire/operations/cases.ts';
import { challengeObject, jobObject } from '../cases/case-view.ts';
import type { Answers, Succeeded } from './types.ts';

function vote({ parsed, words, base }: Succeeded<'challengeVote'>): object {
  const [, , status, refunded_bond, forfeit_amount, slash_amount, bounty, ...tallies] = words;
  const [succeeded_weight, failed_weight, partial_weight, total_weight, participants] = tallies;
  return {
    event_id: base.event_id,
    challenge_id: `chal-${toHex(challengeIdBytes(parsed.path.id!))}`,
    outcome: parsed.args.outcome,
    status: CHALLENGE_STATUS[status!],
    votes: { succeeded_weight, failed_weight, partial_weight, total_weight, participants },
    refunded_bond,
    forfeit_amount,
    slash_amount,
    bounty,
  };
}

function submitReplay({ parsed, words, base, input, c }: Succeeded<'replaySubmit'>): object {
  const [, , , outcome, action, severity_bp, mismatch_count] = words;
  return {
    event_id: base.event_id,
    job: jobObject(c.store, jobIdBytes(parsed.args.job_id))!,
    outcome: OUTCOME[outcome!],
    action: ACTION[action!],
    severity_bp,
    mismatch_count,
    comparisons: input.comparisons!,
  };
}

export const CASE_ANSWERS: Answers<keyof typeof CASE_OPERATIONS | keyof typeof CANARY_OPERATIONS> = {
  challengeOpen: ({ base, c }) =>
    challengeObject(c.store, c.ids.state, challengeIdBytes(challengeId(base.event_id)))!,
  challengeVote: vote,
  replaySubmit: submitReplay,
  replayOutcome: ({ parsed, base, c }) => ({
    event_id: base.event_id,
    job: jobObject(c.store, jobIdBytes(parsed.args.job_id))!,
  }),
  canaryCommit: ({ base }) => base,
  canaryReveal: ({ base }) => base,
  canaryReturn: ({ base }) => base,
};
