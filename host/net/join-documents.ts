// Checks the documents that a joining node received against the root that seats signed.
// Keeps: a document that has a leaf under the root is what was signed. A peer may have dropped documents of what is over,
// and then gives the values of their leaves; none of a task that the core still has, and no open event, may be missing.

import type { State } from '../core/state.ts';
import type { CaseTotals } from '../store/case-documents.ts';
import {
  isCaseLeaf,
  isEventLeaf,
  leavesOf,
  ROOTED_PREFIXES,
  taskOfDropped,
} from '../store/document-leaves.ts';
import { DocumentRoot, MAX_CHANGES_AT_ONCE } from '../store/document-root.ts';
import type { EventDoc } from '../store/documents.ts';
import { eventOf, isOpenEvent, seqOfEvent } from '../store/events.ts';
import { hasAllDocuments, readHistory } from '../store/history.ts';
import { type Prefix, rangeOf, readU64, rowKey } from '../store/prefixes.ts';
import type { CommitDoc, TaskTotals } from '../store/task-documents.ts';
import { taskKey } from '../store/task-rows.ts';
import { readJson, WriteSet } from '../store/write-set.ts';
import { equalBytes, fromHex, toHex } from '../wire/bytes.ts';
import { MAX_KEY_BYTES, stateRootOf } from '../wire/document-proof.ts';
import { sha256 } from '../wire/hash.ts';
import type { Store } from '../world/store.ts';
import { JoinFault } from './join-fault.ts';

/** Documents that are numbered: where their numbers go on is not under the root, but follows from how many there are. */
type Counts = Record<'x' | 'H' | 'Y', number>;

const PROGRAM = 'P'.charCodeAt(0);

function count(counts: Counts, key: Uint8Array): void {
  const letter = String.fromCharCode(key[0]!) as keyof Counts;
  // A task has one fixed part.
  if (letter in counts && (letter !== 'x' || key.at(-1) === 0)) counts[letter] += 1;
}

/** Writes the tree over the documents that were received. Errors: JoinFault. */
export async function checkDocuments(
  store: Store,
  state: State,
  coreRoot: Uint8Array,
  signed: Uint8Array,
): Promise<void> {
  const documents = new DocumentRoot(store);
  const counts: Counts = { x: 0, H: 0, Y: 0 };
  const addAll = async (prefix: Prefix, add: (key: Uint8Array, value: Uint8Array) => void): Promise<void> => {
    for await (const [key, value] of store.scan(rangeOf(prefix))) {
      add(key, value);
      if (documents.changed >= MAX_CHANGES_AT_ONCE) await writeTree(store, documents);
    }
  };
  for (const prefix of ROOTED_PREFIXES) {
    await addAll(prefix, (key, value) => {
      count(counts, key);
      addLeaves(store, state, documents, key, value);
    });
  }
  const hasAll = hasAllDocuments(readHistory(store));
  await addAll('G', (key, value) => {
    const leaf = key.slice(1);
    if (hasAll) throw new JoinFault(`the document ${toHex(leaf)} is missing`);
    count(counts, leaf);
    addDropped(store, state, documents, leaf, value);
  });
  await writeTree(store, documents);
  const root = stateRootOf(coreRoot, documents.hash);
  if (!equalBytes(root, signed)) {
    throw new JoinFault(
      `the state with its documents has root ${toHex(root)}, the signed one is ${toHex(signed)}`,
    );
  }
  await checkReferred(store, state);
  checkCounts(store, counts);
  checkCategories(store);
}

function addLeaves(
  store: Store,
  state: State,
  documents: DocumentRoot,
  key: Uint8Array,
  value: Uint8Array,
): void {
  try {
    let read: { doc: unknown } | undefined;
    const doc = (): unknown => {
      read ??= { doc: readJson(value) };
      return read.doc;
    };
    const leaves = leavesOf(key, false, doc, (agent) => state.agentKey(agent));
    const hash = leaves.length > 0 ? sha256(value) : undefined;
    for (const { key: leaf, isSet } of leaves) {
      if (leaf.length > MAX_KEY_BYTES) throw new JoinFault('a key of a document is too long');
      if (!isSet) continue;
      if (store.get(rowKey.droppedLeaf(leaf)))
        throw new JoinFault(`the document ${toHex(leaf)} is there, and dropped as well`);
      documents.change({ key: leaf, value: hash });
    }
    if (leaves.some((leaf) => leaf.isSet && isEventLeaf(leaf.key))) checkEvent(store, key, doc() as EventDoc);
    if (leaves.length > 0 && key[0] === PROGRAM) checkProgram(store, key);
  } catch (error) {
    if (error instanceof JoinFault) throw error;
    throw new JoinFault(`a document cannot be read: ${(error as Error).message}`);
  }
}

/** A task goes with all of its documents at once, its cases before it: one that is shown in part would be shown falsely. */
function addDropped(
  store: Store,
  state: State,
  documents: DocumentRoot,
  leaf: Uint8Array,
  value: Uint8Array,
): void {
  const task = taskOfDropped(leaf);
  if (leaf.length > MAX_KEY_BYTES || value.length !== 32 || (!task && !isEventLeaf(leaf)))
    throw new JoinFault(`the document ${toHex(leaf)} cannot have been dropped`);
  if (task && state.task(task))
    throw new JoinFault(`a document of the unfinished task ${toHex(task)} is missing`);
  if (task && !isCaseLeaf(leaf) && store.get(taskKey('text', task)))
    throw new JoinFault(`a part of task ${toHex(task)} is missing, which is there`);
  documents.change({ key: leaf, value });
}

/** A program has a module, whose hash is its name. */
function checkProgram(store: Store, key: Uint8Array): void {
  const name = key.slice(1, 33);
  const module = store.get(rowKey.program(name, 1));
  if (!module || !equalBytes(sha256(module), name))
    throw new JoinFault(`the module of program ${toHex(name)} is missing, or another one`);
}

/** An open event must be found under its id and its seq. */
function checkEvent(store: Store, key: Uint8Array, { event_id, seq }: EventDoc): void {
  if (readU64(key, 1) !== seq || seqOfEvent(store, fromHex(event_id)!) !== seq)
    throw new JoinFault(`open event ${event_id} is not stored under its id and number`);
}

/**
 * Events that later ones may refer to may not be dropped: open ones, and commits of tasks that are there. What is found under such an
 * id must be open itself: only then it has a leaf, so that it is not a settled event, which nothing proves, in the place of a dropped one.
 */
async function checkReferred(store: Store, state: State): Promise<void> {
  const refer = (id: Uint8Array): void => {
    const doc = eventOf(store, id);
    if (!doc || !isOpenEvent(doc)) throw new JoinFault(`open event ${toHex(id)} is missing`);
  };
  for (const row of state.items()) refer(state.itemBrief(row)!.eventId);
  for await (const [key, value] of store.scan(rangeOf('g'))) {
    if (key.at(-1) === 0) refer(fromHex(readJson<CommitDoc>(value)!.event_id)!);
  }
}

/** Numbers of new documents go on from these. */
function checkCounts(store: Store, counts: Counts): void {
  const tasks = readJson<TaskTotals>(store.get(rowKey.totals('tasks')))?.count ?? 0;
  const cases = readJson<CaseTotals>(store.get(rowKey.totals('cases')));
  if (tasks !== counts.x || (cases?.challenges ?? 0) !== counts.H || (cases?.jobs ?? 0) !== counts.Y)
    throw new JoinFault('the counts of tasks, challenges and replay jobs are not those of the documents');
}

/** Each category has a counter; a task had it first. */
function checkCategories(store: Store): void {
  const { count = 0, categories = 0 } = readJson<TaskTotals>(store.get(rowKey.totals('tasks'))) ?? {};
  for (let number = 0; number < categories; number++) {
    if (number >= count || !store.get(rowKey.totals(`task-category-${number}`)))
      throw new JoinFault(`the counter of category ${number} is missing`);
  }
}

async function writeTree(store: Store, documents: DocumentRoot): Promise<void> {
  const set = new WriteSet(store);
  documents.update(set);
  await store.write(set.ops());
}
