// Executed events as stored: documents side by side in the order of seq, so that a page of them is a few blocks of the
// store and not one for each; an id leads to its seq.
// Keeps: each executed event has both rows, written in one batch.

import type { Store } from '../world/store.ts';
import type { EventDoc } from './documents.ts';
import { keyOf, keyU64, readU64, rowU64 } from './prefixes.ts';
import { readJson, readJsons, type WriteSet } from './write-set.ts';

/** A store, or the write set of a group that is under way. */
type Rows = Pick<Store, 'get'>;

/** A new event: document and id. */
export function putEvent(set: WriteSet, id: Uint8Array, doc: EventDoc): void {
  set.put(keyOf('e', id), rowU64(doc.seq));
  putEventDoc(set, doc);
}

/** The document of an event that has its rows already. */
export const putEventDoc = (set: WriteSet, doc: EventDoc): void => set.putJson(keyU64('q', doc.seq), doc);

/** Seq of an event; undefined when there is none of that id. */
export function seqOfEvent(rows: Rows, id: Uint8Array): number | undefined {
  const row = rows.get(keyOf('e', id));
  return row && readU64(row);
}

export function eventOf(rows: Rows, id: Uint8Array): EventDoc | undefined {
  const seq = seqOfEvent(rows, id);
  return seq === undefined ? undefined : readJson<EventDoc>(rows.get(keyU64('q', seq)));
}

/**
 * Events by seq; undefined where the store has none. What was written last is in memory anyway; older pages are asked
 * for at random among all that ever happened, and keeping those blocks costs more than the reading: others have to go
 * for them, that would have been used again.
 */
export const eventsAt = (store: Store, seqs: readonly number[]): (EventDoc | undefined)[] =>
  readJsons(
    store,
    seqs.map((seq) => keyU64('q', seq)),
    'once',
  );

/** Events that are in the store, by id. */
export function eventsOf(store: Store, ids: readonly Uint8Array[]): EventDoc[] {
  const seqs = store.getMany(ids.map((id) => keyOf('e', id))).map((row) => readU64(row!));
  return eventsAt(store, seqs).map((doc) => doc!);
}
