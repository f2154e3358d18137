// The order that nodes hold when a run is over: their event lists, compared, and the events behind them.
// Read through the API, as anybody can.

import { Connection, requestBytes } from '../load/connection.ts';
import type { NodeProcess } from '../load/node-process.ts';
import type { OrderedEvent } from './call.ts';

const PAGE = 200;
const READERS = 8;

interface Row {
  event_id: string;
  event_type: string;
  seq: number;
  order: number;
  agent_id: string;
}

interface EventBody extends Row {
  payload: Record<string, unknown>;
}

/** Types without any effect that is judged. */
const WITHOUT_EFFECT = new Set(['verification']);

async function rowsOf(node: NodeProcess): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const part = await node.json<Row[]>(`/v1/events/recent?per_page=${PAGE}&page=${page}`);
    rows.push(...part);
    if (part.length < PAGE) return rows.reverse();
  }
}

async function payloadsOf(node: NodeProcess, rows: readonly Row[]): Promise<OrderedEvent[]> {
  const events: OrderedEvent[] = rows.map((row) => ({
    id: row.event_id,
    seq: row.seq,
    order: row.order,
    type: row.event_type,
    agent: row.agent_id,
    payload: {},
  }));
  let next = 0;
  const connections = await Connection.openMany(node.port, READERS);
  const read = async (connection: Connection): Promise<void> => {
    while (next < events.length) {
      const at = next++;
      const event = events[at]!;
      if (WITHOUT_EFFECT.has(event.type)) continue;
      const { body } = await connection.send(requestBytes({ method: 'GET', path: `/v1/events/${event.id}` }));
      events[at] = { ...event, payload: (JSON.parse(body.toString()) as EventBody).payload };
    }
  };
  try {
    await Promise.all(connections.map(read));
  } finally {
    for (const connection of connections) connection.close();
  }
  return events;
}

/** The events of nodes that nobody writes to any more, and where their lists differ. */
export async function orderOf(
  nodes: readonly NodeProcess[],
): Promise<{ events: OrderedEvent[]; faults: string[] }> {
  const faults: string[] = [];
  const read = async (
    node: NodeProcess,
    i: number,
  ): Promise<{ node: NodeProcess; i: number; list: Row[] }[]> => {
    try {
      return [{ node, i, list: await rowsOf(node) }];
    } catch (error) {
      faults.push(`node ${i + 1} gives no list of its events: ${error}`);
      return [];
    }
  };
  const [first, ...others] = (await Promise.all(nodes.map(read))).flat();
  if (!first) return { events: [], faults };
  const text = (row: Row | undefined): string =>
    row ? `${row.event_type} ${row.event_id} at order ${row.order}` : 'nothing';
  for (const { i, list } of others) {
    const length = Math.max(list.length, first.list.length);
    const at = Array.from({ length }, (_, n) => n).find((n) => text(list[n]) !== text(first.list[n]));
    if (at === undefined) continue;
    const [has, other] = [text(first.list[at]), text(list[at])];
    faults.push(`event ${at + 1}: node ${first.i + 1} has ${has}, node ${i + 1} has ${other}`);
  }
  return { events: await payloadsOf(first.node, first.list), faults };
}
