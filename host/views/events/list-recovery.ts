// Brings the event lists to the head of the log at a start: appends the events after their mark, which were in memory when
// the process ended. Where there is no mark, whatever lists there are have another form: they are deleted and made anew from
// the stored events. So a node that joins takes no list on trust, and one of an older format needs no other migration.
// Keeps: a start that is interrupted goes on from the mark that the last one wrote.

import type { State } from '../../core/state.ts';
import type { EventDoc } from '../../store/documents.ts';
import { typeNumber } from '../../store/event-types.ts';
import { eventsAt } from '../../store/events.ts';
import { readHistory } from '../../store/history.ts';
import { rangeOf } from '../../store/prefixes.ts';
import { WriteSet } from '../../store/write-set.ts';
import type { Store } from '../../world/store.ts';
import { deleted, inSteps } from '../history/drop-log.ts';
import { authorOf } from './authors.ts';
import type { EventLists } from './event-lists.ts';

/** Events that are read at once, and rows that are deleted at once. */
const MAX_STEP = 1000;

/** `head`: seq of the last event of the log, whose agents the state knows. */
export async function recoverLists(
  store: Store,
  lists: EventLists,
  state: Pick<State, 'findAgent'>,
  head: number,
): Promise<void> {
  if (lists.last === undefined) await deleteLists(store);
  const first = Math.max((lists.last ?? 0) + 1, readHistory(store).documents.seq);
  for (let from = first; from <= head; from += MAX_STEP) {
    const seqs = Array.from({ length: Math.min(MAX_STEP, head - from + 1) }, (_, i) => from + i);
    for (const [i, doc] of eventsAt(store, seqs).entries()) if (doc) append(lists, state, doc, seqs[i]!);
    const set = new WriteSet(store);
    lists.flush(set, false);
    if (set.size > 0) await store.write(set.ops());
  }
}

/** A settled event may be the word of the peer that this node joined from: what names no author or type is in no list. */
function append(
  lists: EventLists,
  state: Pick<State, 'findAgent'>,
  { agent_id, event_type }: EventDoc,
  seq: number,
): void {
  const author = typeof agent_id === 'string' ? authorOf(state, agent_id) : undefined;
  if (author !== undefined && typeNumber(event_type) > 0) lists.append(author, event_type, seq);
}

async function deleteLists(store: Store): Promise<void> {
  for (const prefix of ['l', 'n'] as const)
    for await (const rows of inSteps(store, rangeOf(prefix), MAX_STEP))
      await store.write(rows.map(([key]) => deleted(key)));
}
