// Executed events: detail, recent list, hourly activity (protocol 3.6, 3.10, 4.10).

import type { EventDoc } from '../../store/documents.ts';
import type { EventType } from '../../store/event-types.ts';
import { typeNumber } from '../../store/event-types.ts';
import { eventOf, firstEventsAt } from '../../store/events.ts';
import { readU64, rowKey } from '../../store/prefixes.ts';
import { authorOf } from '../../views/events/authors.ts';
import { eventObject } from '../../views/events/event-view.ts';
import { fromHex } from '../../wire/bytes.ts';
import type { ReadContext } from '../context.ts';
import type { ReadArgs, Reply } from '../route.ts';
import { historyHeaders, missing } from './history.ts';

export function event(c: ReadContext, { path }: ReadArgs): Reply {
  const id = path.id!.length === 64 ? fromHex(path.id!) : undefined;
  const doc = id && eventOf(c.store, id);
  if (!id || !doc) throw missing(c, 'event_not_found');
  return { body: eventObject(doc, c.state, c.ids) };
}

/** What a row of a list shows of an event. */
type ShownEvent = Pick<
  EventDoc,
  | 'event_id'
  | 'seq'
  | 'event_type'
  | 'agent_id'
  | 'settlement_state'
  | 'order'
  | 'timestamp'
  | 'recipient_id'
  | 'amount'
  | 'memo'
  | 'settlement_reason'
>;

/** The EventRow object. */
export const rowOf = (doc: ShownEvent): Record<string, unknown> => ({
  event_id: doc.event_id,
  seq: doc.seq,
  event_type: doc.event_type,
  agent_id: doc.agent_id,
  settlement_state: doc.settlement_state,
  order: doc.order,
  timestamp: doc.timestamp,
  ...(doc.recipient_id === undefined ? {} : { recipient_id: doc.recipient_id }),
  ...(doc.amount === undefined ? {} : { amount: doc.amount }),
  ...(doc.memo === undefined ? {} : { memo: doc.memo }),
  ...(doc.settlement_reason === undefined ? {} : { settlement_reason: doc.settlement_reason }),
});

/** A page of all events, newest first; it can be computed, since seqs have no gaps. */
export function newestOf(
  total: number,
  { offset, size }: ReadArgs['page'],
): { seqs: number[]; total: number } {
  const count = Math.max(0, Math.min(size, total - offset));
  return { seqs: Array.from({ length: count }, (_, i) => total - offset - i), total };
}

export function recent(c: ReadContext, { page, query }: ReadArgs): Reply {
  const type = query.event_type === undefined ? 0 : typeNumber(query.event_type as EventType);
  const author = query.agent_id === undefined ? 0 : authorOf(c.state, String(query.agent_id));
  if (author === undefined) return { body: [], total: 0 };
  const first = c.history().documents.seq;
  const { seqs: listed, total } =
    author === 0 && type === 0
      ? newestOf(c.state.header().seq, page)
      : c.lists.page(author, type, page.offset, page.size);
  const seqs = listed.filter((seq) => seq >= first);
  const body = firstEventsAt(c.store, seqs).map(rowOf);
  return { body, wanted: seqs.length, total, headers: historyHeaders(c) };
}

export function activity(c: ReadContext, { query }: ReadArgs): Reply {
  const hours = query.hours as number;
  const newest = Math.floor(c.state.header().timeMs / 3_600_000);
  const list = Array.from({ length: hours }, (_, i) => newest - i);
  const rows = c.store.getMany(list.map((hour) => rowKey.activity(hour)));
  const buckets = list.map((hour, i) => ({
    hour: hour * 3600,
    volume: rows[i] ? readU64(rows[i], 0) : 0,
    count: rows[i] ? readU64(rows[i], 8) : 0,
  }));
  return { body: { hours, buckets } };
}
