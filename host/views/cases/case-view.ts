// The Challenge and ReplayJob objects, built from stored documents (protocol 3.9). The votes on an open challenge are read
// from the core, since weights change with stakes and reputations.

import { readChallenge } from '../../core/case-image.ts';
import type { State } from '../../core/state.ts';
import { baselineOf } from '../../scoring/index.ts';
import type { ChallengeDoc, JobDoc } from '../../store/case-documents.ts';
import { rowKey } from '../../store/prefixes.ts';
import type { SubmissionDoc } from '../../store/task-documents.ts';
import { taskKey } from '../../store/task-rows.ts';
import { readJson, readJsons } from '../../store/write-set.ts';
import { fromHex, toHex } from '../../wire/bytes.ts';
import type { Store } from '../../world/store.ts';
import type { Rows } from '../tasks/task-view.ts';
import { challengeCoreDoc } from './case-core.ts';

function challengeBody(state: State, id: Uint8Array, { text, core }: ChallengeDoc): object {
  const image = core.status === 'open' ? readChallenge(state.core, id) : undefined;
  return { id: `chal-${toHex(id)}`, ...text, ...(image ? challengeCoreDoc(image) : core) };
}

/** Challenges of a list. */
export function challengeRows(store: Store, state: State, ids: readonly Uint8Array[]): object[] {
  const keys = ids.map((id) => rowKey.challenge(id));
  return readJsons<ChallengeDoc>(store, keys).map((doc, i) => challengeBody(state, ids[i]!, doc!));
}

/** A Challenge; undefined for an unknown id. */
export function challengeObject(store: Pick<Store, 'get'>, state: State, id: Uint8Array): object | undefined {
  const doc = readJson<ChallengeDoc>(store.get(rowKey.challenge(id)));
  return doc && challengeBody(state, id, doc);
}

function jobBody(id: Uint8Array, doc: JobDoc, submission: SubmissionDoc): object {
  return {
    id: toHex(id),
    ...doc.text,
    ...doc.core,
    checks: baselineOf(submission.verification, submission.result_hash),
    notes: doc.notes,
    comparisons: doc.comparisons,
  };
}

/** Replay jobs of a list. */
export function jobRows(store: Rows, ids: readonly Uint8Array[]): object[] {
  const keys = ids.map((id) => rowKey.replayJob(id));
  const docs = readJsons<JobDoc>(store, keys).map((doc) => doc!);
  const tasks = docs.map((doc) => taskKey('submission', fromHex(doc.text.task_id)!));
  return readJsons<SubmissionDoc>(store, tasks).map((task, i) => jobBody(ids[i]!, docs[i]!, task!));
}

/** A ReplayJob; undefined for an unknown id. */
export function jobObject(store: Rows, id: Uint8Array): object | undefined {
  return store.get(rowKey.replayJob(id)) && jobRows(store, [id])[0];
}
