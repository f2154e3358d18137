// Refusals about challenges and replays, above all those that the core no longer has: the stored documents tell how they
// ended (protocol 4.7, 4.8).

import * as abi from '../../assembly/abi.ts';
import { isFinal } from '../core/task-names.ts';
import { type ErrorCode, invalid, ServiceError } from '../errors.ts';
import type { Identities } from '../execution/identity.ts';
import { challengeIdBytes, jobIdBytes } from '../execution/translation/cases.ts';
import { taskIdBytes } from '../execution/translation/tasks.ts';
import type { JobDoc } from '../store/case-documents.ts';
import { rowKey } from '../store/prefixes.ts';
import { taskState } from '../store/task-rows.ts';
import { readJson } from '../store/write-set.ts';
import type { Parsed } from '../wire/operations.ts';
import type { Store } from '../world/store.ts';

function codeOf(store: Store, ids: Identities, parsed: Parsed, code: number): ErrorCode | undefined {
  if (code === abi.TASK_NOT_FOUND && parsed.name === 'challengeOpen') {
    const state = taskState(store, taskIdBytes(parsed.args.task_id));
    if (!state?.core || !isFinal(state.core.status)) return undefined;
    const isKnown = ids.findValidator(parsed.args.target_id) !== undefined;
    return isKnown ? 'not_challengeable' : 'validator_not_found';
  }
  if (code === abi.CHALLENGE_NOT_FOUND && parsed.name === 'challengeVote') {
    return store.get(rowKey.challenge(challengeIdBytes(parsed.path.id!))) ? 'invalid_state' : undefined;
  }
  if (code === abi.JOB_NOT_FOUND && (parsed.name === 'replaySubmit' || parsed.name === 'replayOutcome')) {
    const doc = readJson<JobDoc>(store.get(rowKey.replayJob(jobIdBytes(parsed.args.job_id))));
    return doc && doc.core.status !== 'pending' ? 'invalid_state' : undefined;
  }
  return undefined;
}

/** The refusal of a write on a case where the documents know more than the core; undefined otherwise. */
export function caseRefusal(
  store: Store,
  ids: Identities,
  parsed: Parsed | undefined,
  code: number,
): ServiceError | undefined {
  if (code === abi.INVALID_REQUEST && parsed?.name === 'replaySubmit') {
    return invalid('task_id is not the task of the job');
  }
  const found = parsed && codeOf(store, ids, parsed, code);
  return found && new ServiceError(found);
}
