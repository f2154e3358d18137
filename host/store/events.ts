// Stored events: documents are adjacent in the order of seq, so that a page of them is a few blocks of the store instead
// of one each; a second row maps an event's id to its seq.
// Keeps: each executed event has both rows, written in one batch.

import type { Store } from '../world/store.ts';
import type { EventDoc } from './documents.ts';
import { readU64, rowKey, rowU64 } from './prefixes.ts';
import { firstJsons, readJson, readJsons, type WriteSet } from './write-set.ts';

/** A store, or the write set of a batch in progress. */
type Rows = Pick<Store, 'get'>;

/** Writes the number of a new event under its id. */
export const putSeq = (set: WriteSet, id: Uint8Array, seq: number): void =>
  set.put(rowKey.eventSeq(id), rowU64(seq));

/** Writes a new event: document and id. */
export function putEvent(set: WriteSet, id: Uint8Array, doc: EventDoc): void {
  putSeq(set, id, doc.seq);
  set.putNewJson(rowKey.event(doc.seq), doc);
}

/** Rewrites the document of a stored event as `change` leaves it, and returns it; undefined if there is none. */
export function changeEvent(
  set: WriteSet,
  seq: number,
  change: (doc: EventDoc) => void,
): EventDoc | undefined {
  const key = rowKey.event(seq);
  const row = set.get(key);
  const doc = readJson<EventDoc>(row);
  if (!row || !doc) return undefined;
  change(doc);
  set.rewriteJson(key, row, doc);
  return doc;
}

/** Seq of an event; undefined for an unknown id. */
export function seqOfEvent(rows: Rows, id: Uint8Array): number | undefined {
  const row = rows.get(rowKey.eventSeq(id));
  return row && readU64(row);
}

export function eventOf(rows: Rows, id: Uint8Array): EventDoc | undefined {
  const seq = seqOfEvent(rows, id);
  return seq === undefined ? undefined : readJson<EventDoc>(rows.get(rowKey.event(seq)));
}

/**
 * Events by seq; undefined where the store has none. Recent events are in memory anyway; older pages are read at random
 * over the whole history, and caching their blocks costs more than reading them: they would evict blocks that are used
 * again.
 */
export const eventsAt = (store: Store, seqs: readonly number[]): (EventDoc | undefined)[] =>
  readJsons(
    store,
    seqs.map((seq) => rowKey.event(seq)),
    'once',
  );

/** Events by seq for a page of a list, as many of the first ones as one page may read; all must be in the store. */
export const firstEventsAt = (store: Store, seqs: readonly number[]): EventDoc[] =>
  firstJsons<EventDoc>(
    store,
    seqs.map((seq) => rowKey.event(seq)),
    'once',
  ).map((doc) => doc!);

/** Likewise by id. */
export function firstEventsOf(store: Store, ids: readonly Uint8Array[]): EventDoc[] {
  const seqs = store.getMany(ids.map((id) => rowKey.eventSeq(id))).map((row) => readU64(row!));
  return firstEventsAt(store, seqs);
}

/** True when later events may read a stored event: it can still be settled, or be the parent of a commit. */
export const isOpenEvent = (doc: EventDoc): boolean =>
  doc.settlement_state === 'optimistic' || doc.event_type === 'trajectory_commit';
