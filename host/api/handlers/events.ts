// Executed events: detail, recent list, hourly activity (DECISIONS 3.6, 3.10, 4.10).

import { ServiceError } from '../../errors.ts';
import { SYSTEM_AUTHOR } from '../../pipeline/event-lists.ts';
import { SYSTEM_AGENT } from '../../pipeline/projection/event-writer.ts';
import { voterDocs, votesDoc } from '../../pipeline/projection/votes.ts';
import type { EventDoc } from '../../store/documents.ts';
import type { EventType } from '../../store/event-types.ts';
import { typeNumber } from '../../store/event-types.ts';
import { keyList, keyOf, keyU64, readU64 } from '../../store/prefixes.ts';
import { readJson } from '../../store/write-set.ts';
import { fromHex } from '../../wire/bytes.ts';
import { agentKey } from '../../wire/ids.ts';
import type { ReadContext } from '../context.ts';
import type { ReadArgs, Reply } from '../route.ts';

export function event(c: ReadContext, { path }: ReadArgs): Reply {
  const id = path.id!.length === 64 ? fromHex(path.id!) : undefined;
  const doc = id && readJson<EventDoc>(c.store.get(keyOf('e', id)));
  if (!id || !doc) throw new ServiceError('event_not_found');
  if (doc.settlement_state !== 'optimistic') return { body: doc };
  const row = c.state.findItem(id);
  const item = row === undefined ? undefined : c.state.item(row);
  if (!item) return { body: doc };
  return { body: { ...doc, votes: votesDoc(item), voters: voterDocs(item.voters, c.ids) } };
}

const rowOf = (doc: EventDoc): Record<string, unknown> => ({
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

/** Author number of a filter; undefined when nobody has that name. */
function authorOf(c: ReadContext, agent: string): number | undefined {
  if (agent === SYSTEM_AGENT) return SYSTEM_AUTHOR;
  const index = c.state.findAgent(agentKey(agent));
  return index === undefined ? undefined : index + 1;
}

export function recent(c: ReadContext, { page, query }: ReadArgs): Reply {
  const type = query.event_type === undefined ? 0 : typeNumber(query.event_type as EventType);
  const author = query.agent_id === undefined ? 0 : authorOf(c, String(query.agent_id));
  if (author === undefined) return { body: [], total: 0 };
  const all = author === 0 && type === 0;
  const total = all ? c.state.header().seq : c.lists.length(author, type);
  // Positions count from the oldest, from 0; the page wants the newest first.
  const from = total - 1 - page.offset;
  const positions: number[] = [];
  for (let p = from; p >= 0 && positions.length < page.size; p--) positions.push(p);
  const seqs = all
    ? positions.map((p) => p + 1)
    : c.store.getMany(positions.map((p) => keyList('l', author, type, p))).map((b) => readU64(b!));
  const ids = c.store.getMany(seqs.map((s) => keyU64('q', s)));
  const docs = c.store.getMany(ids.map((id) => keyOf('e', id!)));
  return { body: docs.map((b) => rowOf(readJson<EventDoc>(b)!)), total };
}

export function activity(c: ReadContext, { query }: ReadArgs): Reply {
  const hours = query.hours as number;
  const newest = Math.floor(c.state.header().timeMs / 3_600_000);
  const list = Array.from({ length: hours }, (_, i) => newest - i);
  const rows = c.store.getMany(list.map((hour) => keyU64('h', hour)));
  const buckets = list.map((hour, i) => ({
    hour: hour * 3600,
    volume: rows[i] ? readU64(rows[i], 0) : 0,
    count: rows[i] ? readU64(rows[i], 8) : 0,
  }));
  return { body: { hours, buckets } };
}
