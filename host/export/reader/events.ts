// Events in an export (protocol 3.6, 3.10). A page of a list is found by the positions of its events, however far back it is.

import { newestOf, rowOf } from '../../api/handlers/events.ts';
import type { ReadArgs, Reply } from '../../api/route.ts';
import type { EventDoc } from '../../store/documents.ts';
import type { EventType } from '../../store/event-types.ts';
import { SYSTEM_AGENT } from '../../views/events/authors.ts';
import { fromHex, toHex } from '../../wire/bytes.ts';
import { ANY } from '../postgres/positions.ts';
import { agentIdOf } from './agents.ts';
import { askNode, document, EMPTY, missing, mustBeWhole } from './answers.ts';
import type { Snapshot } from './snapshot.ts';

export async function event(s: Snapshot, { path }: ReadArgs): Promise<Reply> {
  const id = path.id!.length === 64 ? fromHex(path.id!) : undefined;
  const [row] = id
    ? await s.rows<{ doc: string; state: EventDoc['settlement_state'] }>(
        'select doc, state from event where event_id = $1',
        [toHex(id)],
      )
    : [];
  if (!row) throw missing(s, 'event_not_found');
  if (row.state === 'optimistic') throw askNode('votes');
  return document(row.doc);
}

interface ListedRow {
  seq: number;
  ord: number;
  ts: number;
  type: EventType;
  event_id: string;
  agent_id: string;
  recipient_id: string | null;
  amount: number | null;
  state: EventDoc['settlement_state'];
  memo: string | null;
  reason: EventDoc['settlement_reason'] | null;
}

const shown = (row: ListedRow): Record<string, unknown> =>
  rowOf({
    event_id: row.event_id,
    seq: row.seq,
    event_type: row.type,
    agent_id: row.agent_id,
    settlement_state: row.state,
    order: row.ord,
    timestamp: row.ts,
    ...(row.recipient_id === null ? {} : { recipient_id: row.recipient_id }),
    ...(row.amount === null ? {} : { amount: row.amount }),
    ...(row.memo === null ? {} : { memo: row.memo }),
    ...(row.reason === null ? {} : { settlement_reason: row.reason }),
  });

/** The list of a filter: its conditions, and the column that has the positions in it. */
function listOf(
  agent: string,
  type: string,
): { where: string; by: 'seq' | 'by_agent' | 'by_type' | 'by_both' } {
  if (agent === ANY && type === ANY) return { where: "$1 = '' and $2 = ''", by: 'seq' };
  if (type === ANY) return { where: "agent_id = $1 and $2 = ''", by: 'by_agent' };
  if (agent === ANY) return { where: "$1 = '' and type = $2", by: 'by_type' };
  return { where: 'agent_id = $1 and type = $2', by: 'by_both' };
}

async function lengthOf(s: Snapshot, agent: string, type: string): Promise<number> {
  if (agent === ANY && type === ANY) return s.seq;
  mustBeWhole(s);
  const [row] = await s.rows<{ events: number }>(
    'select events from event_count where agent_id = $1 and type = $2',
    [agent, type],
  );
  return row?.events ?? 0;
}

/** Of a list that ends where this export begins. */
async function historyHeaders(s: Snapshot): Promise<Record<string, string>> {
  if (s.firstOrder === 0 && s.keptFrom <= 1) return {};
  const [first] = await s.rows<{ ord: number }>('select ord from event order by seq limit 1');
  return { 'X-Service-History-From': String(first?.ord ?? s.order) };
}

export async function recent(s: Snapshot, { page, query }: ReadArgs): Promise<Reply> {
  const type = query.event_type === undefined ? ANY : String(query.event_type);
  const name = query.agent_id === undefined ? ANY : String(query.agent_id);
  const agent = name === ANY || name === SYSTEM_AGENT ? name : await agentIdOf(s, name);
  if (agent === undefined) return EMPTY;
  const total = await lengthOf(s, agent, type);
  const { seqs: positions } = newestOf(total, page);
  const { where, by } = listOf(agent, type);
  const rows =
    positions.length === 0
      ? []
      : await s.rows<ListedRow>(
          `select seq, ord, ts, type, event_id, agent_id, recipient_id, amount, state,
                  doc->>'memo' as memo, doc->>'settlement_reason' as reason
           from event where ${where} and ${by} between $3 and $4 order by ${by} desc`,
          [agent, type, positions.at(-1)!, positions[0]!],
        );
  return { body: rows.map(shown), total, headers: await historyHeaders(s) };
}

export async function activity(s: Snapshot, { query }: ReadArgs): Promise<Reply> {
  mustBeWhole(s);
  const hours = query.hours as number;
  const newest = Math.floor(s.timeMs / 3_600_000);
  const list = Array.from({ length: hours }, (_, i) => newest - i);
  const rows = await s.rows<{ hour: number; volume: number; events: number }>(
    'select hour, volume, events from activity where hour between $1 and $2',
    [newest - hours + 1, newest],
  );
  const found = new Map(rows.map((row) => [row.hour, row]));
  const buckets = list.map((hour) => {
    const { volume = 0, events: count = 0 } = found.get(hour) ?? {};
    return { hour: hour * 3600, volume, count };
  });
  return { body: { hours, buckets } };
}
