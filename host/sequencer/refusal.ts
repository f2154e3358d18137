// The error for a refusal code of the core, with what only the store knows: the outcome of a TxID that was seen before.

import * as abi from '../../assembly/abi.ts';
import { refusalOf } from '../core/refusals.ts';
import { isFinal } from '../core/task-names.ts';
import { ServiceError } from '../errors.ts';
import type { Identities } from '../execution/identity.ts';
import { taskIdBytes } from '../execution/translation/tasks.ts';
import type { EntryInput } from '../ordering/block.ts';
import { eventOf, seqOfEvent } from '../store/events.ts';
import { readU32, readU64, rowKey } from '../store/prefixes.ts';
import { taskState } from '../store/task-rows.ts';
import { OPERATIONS } from '../wire/operations.ts';
import type { Store } from '../world/store.ts';
import { caseRefusal } from './case-refusal.ts';

/** `details`: words of the core's outcome. */
export function refusalFor(
  store: Store,
  ids: Identities,
  input: EntryInput,
  code: number,
  details: number[],
): ServiceError {
  if (code === abi.DUPLICATE_TX) return duplicateTx(store, ids, input);
  const ofCase = caseRefusal(store, ids, input.parsed, code);
  if (ofCase) return ofCase;
  if (code === abi.TASK_NOT_FOUND) return finalTask(store, ids, input) ?? new ServiceError('task_not_found');
  if (code === abi.NOT_PENDING && VOTES.has(input.parsed?.name ?? '')) {
    const id = input.command.subarray(abi.COMMAND_FIELDS, abi.COMMAND_FIELDS + 32);
    if (seqOfEvent(store, id) === undefined) return new ServiceError('event_not_found');
  }
  return refusalOf(code, details, ids);
}

/** Operations whose first field is the id of an event that takes verdicts. */
const VOTES: ReadonlySet<string> = new Set(['verify', 'voteCommit']);

/** Steps that check the poster before they check the state (protocol 4.4). */
const POSTER_FIRST: ReadonlySet<string> = new Set(['taskApprove', 'taskDispute', 'taskCancel']);

/** The refusal of a step on a task that left the core because it is final; undefined if there was no such task. */
function finalTask(store: Store, ids: Identities, { parsed, command }: EntryInput): ServiceError | undefined {
  if (!parsed?.path.id) return undefined;
  const state = taskState(store, taskIdBytes(parsed.path.id));
  if (!state?.core || !isFinal(state.core.status)) return undefined;
  // The command's head holds the signer's key, or the key of the acting agent.
  const actor = ids.find(command.subarray(40, 72));
  const isPoster = actor !== undefined && actor.index === state.poster;
  return new ServiceError(POSTER_FIRST.has(parsed.name) && !isPoster ? 'not_poster' : 'invalid_state');
}

/** DUPLICATE_TX with status and order of the execution, as far as the store knows them (protocol 1.8). */
function duplicateTx(store: Store, ids: Identities, input: EntryInput): ServiceError {
  const event = eventOf(store, input.id);
  if (event) {
    const { status } = OPERATIONS[input.parsed!.name];
    return new ServiceError('DUPLICATE_TX', { details: { executed: true, status, order: event.order } });
  }
  const refused = store.get(rowKey.refusedTx(input.id));
  if (!refused) return new ServiceError('DUPLICATE_TX', { details: { executed: true } });
  const code = readU32(refused, 8);
  const { status } = refusalFor(store, ids, input, code, []);
  return new ServiceError('DUPLICATE_TX', {
    details: { executed: true, status, order: readU64(refused, 0) },
  });
}
