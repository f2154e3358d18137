// Makes what follows from the documents that a joining node received: where an event, a task or a case is found, the lists of
// tasks and cases, and the sums over tasks. So a peer's word counts for none of them (protocol 12.8, Joining).
// Keeps: the code that lists a task or case when it changes lists it here; a step is one batch. Of tasks that the peer had
// dropped there is nothing to list or add up: then the sums are the peer's.

import type { ChallengeDoc, JobDoc } from '../store/case-documents.ts';
import type { EventDoc } from '../store/documents.ts';
import { hasAllDocuments, readHistory } from '../store/history.ts';
import { type Prefix, rangeOf, readU64, rowKey, rowU64 } from '../store/prefixes.ts';
import { taskState, taskText } from '../store/task-rows.ts';
import { readJson, WriteSet } from '../store/write-set.ts';
import { CASE_NUMBERS, CaseIndex, type CaseKind, type CaseTerms } from '../views/cases/case-index.ts';
import { termsOfChallenge, termsOfJob } from '../views/cases/case-terms.ts';
import { figuresOf } from '../views/tasks/figures.ts';
import { TaskIndex } from '../views/tasks/task-index.ts';
import { termsOfTask } from '../views/tasks/task-lists.ts';
import { fromHex } from '../wire/bytes.ts';
import type { Store } from '../world/store.ts';
import { JoinFault } from './join-fault.ts';

/** Rows of documents behind one batch. */
const MAX_STEP = 1000;
/** Last byte of the key of a task's fixed part. */
const TEXT_PART = 0;

type Each = (set: WriteSet, key: Uint8Array, value: Uint8Array) => void;

/** Goes through the rows of a prefix; `flush` adds to each batch what was collected. */
async function inBatches(
  store: Store,
  prefix: Prefix,
  each: Each,
  flush: (set: WriteSet) => void = () => {},
): Promise<void> {
  let set = new WriteSet(store);
  let count = 0;
  const write = async (): Promise<void> => {
    flush(set);
    if (set.size > 0) await store.write(set.ops());
    set = new WriteSet(store);
    count = 0;
  };
  for await (const [key, value] of store.scan(rangeOf(prefix))) {
    each(set, key, value);
    if (++count === MAX_STEP) await write();
  }
  if (count > 0) await write();
}

/** Before the documents are checked: an open event must be found by its id. Errors: JoinFault. */
export async function placeEvents(store: Store): Promise<void> {
  await inBatches(store, 'q', (set, key, value) => {
    const id = idOf(value);
    const bytes = typeof id === 'string' ? fromHex(id) : undefined;
    if (bytes?.length !== 32) throw new JoinFault('an event has no id');
    if (set.get(rowKey.eventSeq(bytes))) throw new JoinFault(`two events have the id ${id}`);
    set.put(rowKey.eventSeq(bytes), rowU64(readU64(key, 1)));
  });
}

function idOf(event: Uint8Array): unknown {
  try {
    return readJson<EventDoc>(event)?.event_id;
  } catch (error) {
    throw new JoinFault(`a document cannot be read: ${(error as Error).message}`);
  }
}

/** After the documents were checked: their numbers are those that seats signed. Errors: JoinFault. */
export async function makeLists(store: Store): Promise<void> {
  await listTasks(store);
  await listCases<ChallengeDoc>(store, 'H', 'challenges', termsOfChallenge);
  await listCases<JobDoc>(store, 'Y', 'jobs', termsOfJob);
}

async function listTasks(store: Store): Promise<void> {
  await inBatches(store, 'x', (set, key) => {
    if (key.at(-1) !== TEXT_PART) return;
    const id = key.slice(1, 17);
    set.put(rowKey.taskId(taskText(store, id)!.number), id);
  });
  const hasAll = hasAllDocuments(readHistory(store));
  const index = new TaskIndex(store, hasAll);
  await inBatches(
    store,
    'j',
    (_set, _key, id) => {
      const [text, state] = [taskText(store, id)!, taskState(store, id)];
      const figures = state && figuresOf(state);
      if (!state?.core || !figures) throw new JoinFault('a task has no state');
      const isSubtask = state.core.is_subtask;
      if (hasAll) index.note(text.category, state.core.budget, isSubtask);
      const category = index.category(text.category);
      if (category === undefined) throw new JoinFault(`the counter of category ${text.category} is missing`);
      index.move(text.number, undefined, termsOfTask(state, category)!);
      if (hasAll) index.count(undefined, figures);
    },
    (set) => index.flush(set),
  );
}

async function listCases<D extends ChallengeDoc | JobDoc>(
  store: Store,
  prefix: Prefix,
  kind: CaseKind,
  termsOf: (doc: D) => CaseTerms,
): Promise<void> {
  const index = new CaseIndex(store);
  await inBatches(
    store,
    prefix,
    (set, key, value) => {
      const doc = readJson<D>(value)!;
      set.put(rowKey.caseId(CASE_NUMBERS[kind], doc.number), key.slice(1));
      index.move(kind, doc.number, undefined, termsOf(doc));
    },
    (set) => index.flush(set),
  );
}
