// Positions of events in the lists that readers page: of an agent, of a type, of both; and how long each list is.
// Keeps: positions count from 1 without a gap, so a page is found by its key, however far back it is.

import type { ClientBase } from 'pg';
import type { EventDoc } from '../../store/documents.ts';
import type { PlacedEvent } from './tables.ts';

/** Stands for any agent or any type: no event has an empty one. */
export const ANY = '';

/** Position of an event in one list, which is given once its length is known. */
class Lists {
  readonly #added = new Map<string, { agent: string; type: string; events: number }>();

  /** How many of the list are new with this one. */
  add(agent: string, type: string): number {
    const name = `${agent} ${type}`;
    const list = this.#added.get(name) ?? { agent, type, events: 0 };
    list.events += 1;
    this.#added.set(name, list);
    return list.events;
  }

  /** Adds the new events to the counts; for each list how many it had before. */
  async count(client: ClientBase): Promise<(agent: string, type: string) => number> {
    const lists = [...this.#added.values()];
    const { rows } = await client.query<{ agent_id: string; type: string; events: string }>(
      `insert into event_count (agent_id, type, events)
       select n.agent_id, n.type, n.events from unnest($1::text[], $2::text[], $3::bigint[]) as n(agent_id, type, events)
       on conflict (agent_id, type) do update set events = event_count.events + excluded.events
       returning agent_id, type, events`,
      [lists.map(({ agent }) => agent), lists.map(({ type }) => type), lists.map(({ events }) => events)],
    );
    const before = new Map(
      rows.map(({ agent_id, type, events }) => {
        const name = `${agent_id} ${type}`;
        return [name, Number(events) - this.#added.get(name)!.events];
      }),
    );
    return (agent, type) => before.get(`${agent} ${type}`)!;
  }
}

/** New events with their positions, which are counted: in the transaction that writes them. */
export async function placedEvents(client: ClientBase, events: readonly EventDoc[]): Promise<PlacedEvent[]> {
  if (events.length === 0) return [];
  const lists = new Lists();
  const placed = events.map((doc) => ({
    doc,
    byAgent: lists.add(doc.agent_id, ANY),
    byType: lists.add(ANY, doc.event_type),
    byBoth: lists.add(doc.agent_id, doc.event_type),
  }));
  const before = await lists.count(client);
  for (const one of placed) {
    const { agent_id: agent, event_type: type } = one.doc;
    one.byAgent += before(agent, ANY);
    one.byType += before(ANY, type);
    one.byBoth += before(agent, type);
  }
  return placed;
}
