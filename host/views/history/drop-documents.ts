// Which documents go with the history that a node drops: tasks that are over with their cases, events, chunks of lists.
// Keeps: a document stays while anything can refer to it. A task goes when it ended before the beginning and the core had
// let go of it at the stored snapshot, since a replay from there reads documents of what the core then had; its cases go
// before it, since they are shown with its submission; a commit stays as long as its task; an event that takes verdicts stays.

import type { ChallengeDoc, JobDoc } from '../../store/case-documents.ts';
import type { EventDoc } from '../../store/documents.ts';
import { droppedRow } from '../../store/dropped-documents.ts';
import { isOpenEvent } from '../../store/events.ts';
import type { DocumentsStart } from '../../store/history.ts';
import { rangeOf, rowKey } from '../../store/prefixes.ts';
import type { TaskStateDoc } from '../../store/task-documents.ts';
import { TASK_PARTS, taskKey, taskState, taskText } from '../../store/task-rows.ts';
import { readJson } from '../../store/write-set.ts';
import { fromHex } from '../../wire/bytes.ts';
import { latin1 } from '../../wire/latin1.ts';
import type { BatchOp, Store } from '../../world/store.ts';
import { CASE_NUMBERS } from '../cases/case-index.ts';
import { lastOfChunk } from '../events/event-lists.ts';
import { deleted, inSteps, type Row } from './drop-log.ts';

/** Tasks whose end is looked up in one step: each costs the core a query. */
const MAX_TASKS = 64;
/** Tasks that go in one round. */
const MAX_ROUND = 100_000;
/** A list is named by 6 bytes after its letter; its chunks follow each other, in the order of seq. */
const LIST_KEY_BYTES = 7;

const CASES = [
  { number: CASE_NUMBERS.challenges, keyOf: rowKey.challenge },
  { number: CASE_NUMBERS.jobs, keyOf: rowKey.replayJob },
];

/** Numbers of tasks with their ids that ended before the beginning and that the core does not have now, in steps. */
export async function* endedTasks(
  store: Store,
  { time_secs: beforeSecs }: DocumentsStart,
  isInCore: (task: Uint8Array) => boolean,
): AsyncGenerator<Row[]> {
  let count = 0;
  for await (const rows of inSteps(store, rangeOf('j'), MAX_TASKS)) {
    const ended = rows.filter(([, id]) => {
      const core = taskState(store, id)?.core;
      const endedSecs = core?.completed_at ?? core?.cancelled_at;
      return endedSecs !== undefined && endedSecs < beforeSecs && !isInCore(id);
    });
    yield ended;
    count += ended.length;
    if (count >= MAX_ROUND) return;
  }
}

/** Deletions of the cases of tasks that go, or are gone. */
export async function* droppedCases(store: Store, tasks: ReadonlySet<string>): AsyncGenerator<BatchOp[]> {
  for (const { number, keyOf } of CASES) {
    const range = { gte: rowKey.caseId(number, 0), lt: rowKey.caseId(number + 1, 0) };
    for await (const rows of inSteps(store, range)) {
      yield rows.flatMap(([key, id]) => {
        const doc = readJson<ChallengeDoc | JobDoc>(store.get(keyOf(id)));
        const goes = !doc || tasks.has(doc.text.task_id) || !taskText(store, fromHex(doc.text.task_id)!);
        return goes ? [...droppedRow(keyOf(id), store.get(keyOf(id))), deleted(key)] : [];
      });
    }
  }
}

function taskRows(id: Uint8Array, state: TaskStateDoc | undefined): Uint8Array[] {
  const commits = Array.from({ length: state?.commits ?? 0 }, (_, position) => position);
  return [
    ...commits.flatMap((position) => [rowKey.commit(id, position, 0), rowKey.commit(id, position, 1)]),
    rowKey.resultContent(id),
    ...TASK_PARTS.map((part) => taskKey(part, id)),
  ];
}

/** Deletions of these tasks: one with its rows and its place among all tasks at once. */
export function* droppedTasks(store: Store, tasks: readonly Row[]): Generator<BatchOp[]> {
  for (let from = 0; from < tasks.length; from += MAX_TASKS) {
    yield tasks
      .slice(from, from + MAX_TASKS)
      .flatMap(([key, id]) => [
        ...taskRows(id, taskState(store, id)).flatMap((row) => droppedRow(row, store.get(row))),
        deleted(key),
      ]);
  }
}

/** May anything still refer to an event: a verdict, or a commit of a task that is kept. */
const isReferred = (store: Store, doc: EventDoc): boolean =>
  isOpenEvent(doc) &&
  (doc.settlement_state === 'optimistic' || taskText(store, fromHex(doc.task_id ?? '')!) !== undefined);

/** Deletions of events before a seq. */
export async function* droppedEvents(store: Store, seq: number): AsyncGenerator<BatchOp[]> {
  for await (const rows of inSteps(store, { gte: rowKey.event(0), lt: rowKey.event(seq) })) {
    yield rows.flatMap(([key, bytes]) => {
      const doc = readJson<EventDoc>(bytes)!;
      if (isReferred(store, doc)) return [];
      return [...droppedRow(key, bytes), deleted(rowKey.eventSeq(fromHex(doc.event_id)!))];
    });
  }
}

/** Deletions of chunks of event lists that end before a seq: of each list those at its beginning. */
export async function* droppedChunks(store: Store, seq: number): AsyncGenerator<BatchOp[]> {
  const { gte, lt } = rangeOf('l');
  const listOf = (key: Uint8Array): string => latin1(key.subarray(0, LIST_KEY_BYTES));
  for (let from = gte; ; ) {
    const step = await inSteps(store, { gte: from, lt }).next();
    if (step.done) return;
    const rows = step.value;
    let done: string | undefined;
    yield rows.flatMap(([key, row]) => {
      if (done === listOf(key)) return [];
      if (lastOfChunk(row) < seq) return [deleted(key)];
      done = listOf(key);
      return [];
    });
    const last = rows.at(-1)![0];
    // The rest of a list that has reached the beginning is skipped.
    from = listOf(last) === done ? afterList(last) : Uint8Array.of(...last, 0);
  }
}

const afterList = (key: Uint8Array): Uint8Array =>
  Uint8Array.of(...key.subarray(0, LIST_KEY_BYTES), 0xff, 0xff, 0xff, 0xff, 0xff);
