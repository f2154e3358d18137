import { describe, expect, it } from 'vitest';
import type { TaskRoutedEvent } from '../../../../host/core/task-events.ts';
import type { EventDoc } from '../../../../host/store/documents.ts';
import type {
  CapabilityDoc,
  DeliveryDoc,
  MarketTotals,
  RouteDoc,
} from '../../../../host/store/market-documents.ts';
import { MemoryStore } from '../../../../host/store/memory-store.ts';
import { rowKey } from '../../../../host/store/prefixes.ts';
import { WriteSet } from '../../../../host/store/write-set.ts';
import { EventLists } from '../../../../host/views/events/event-lists.ts';
import { Activity } from '../../../../host/views/projection/activity.ts';
import { EventWriter, type ProjectorContext } from '../../../../host/views/projection/event-writer.ts';
import { projectRouted } from '../../../../host/views/projection/market.ts';

const OWN_SEAT = 2;
const place = {
  vertex: {
    id: new Uint8Array(32),
    bytes: new Uint8Array(),
    order: 9,
    revision: 0,
    seat: 0,
    round: 1,
    parents: [],
    entries: [],
  },
  timeSecs: 1_800_000_000,
};

class Bench {
  readonly set = new WriteSet(new MemoryStore());
  readonly events: EventDoc[] = [];
  readonly #writer: EventWriter;

  constructor() {
    const context = {
      ids: { agentId: (i: number) => `agent-${i}` },
      lists: new EventLists(this.set.store),
      totals: { vertices: 0, events: {}, checkpoints: 0 },
      keepsEvents: true,
      seat: OWN_SEAT,
    } as unknown as ProjectorContext;
    this.#writer = new EventWriter(this.set, context, new Activity(), (event) => this.events.push(event));
  }

  capability(agent: number, doc: Partial<CapabilityDoc>): void {
    this.set.putJson(rowKey.capability(agent), doc);
  }

  route(seq: number, agent = 1, isNewcomer = false, reason: 'best_match' | 'newcomer' = 'best_match'): void {
    const event: TaskRoutedEvent = {
      kind: 'event',
      type: 'task_routed',
      id: new Uint8Array(32).fill(seq),
      seq,
      order: 9,
      index: 0,
      task: new Uint8Array(16).fill(seq),
      agent,
      scoreBp: 7000,
      isNewcomer,
      reason,
    };
    projectRouted(event, this.#writer, place);
  }

  delivery(seq: number): DeliveryDoc | undefined {
    return this.set.getJson<DeliveryDoc>(rowKey.delivery(seq));
  }
}

const webhook = { url: 'https://hook.example/in', secret: 'whsec' };

describe('a routed task', () => {
  it('creates the event and the route', () => {
    const bench = new Bench();
    bench.route(5);
    bench.route(6, 3, true, 'newcomer');
    // A newcomer may also be the best match.
    bench.route(7, 3, true);
    expect(bench.events[0]).toMatchObject({
      event_type: 'task_routed',
      agent_id: 'system:node',
      auth: 'system',
      task_id: '05'.repeat(16),
      payload: { task_id: '05'.repeat(16), routed_to: 'agent-1', match_score: 7000, is_newcomer: false },
    });
    expect(bench.set.getJson<RouteDoc>(rowKey.route(1))).toEqual({
      task_id: '06'.repeat(16),
      agent_id: 'agent-3',
      reason: 'newcomer',
      match_score: 7000,
      is_newcomer: true,
      routed_at: 1_800_000_000,
    });
    const last = { reason: 'best_match', is_newcomer: true };
    expect(bench.set.getJson<RouteDoc>(rowKey.route(2))).toMatchObject(last);
    expect(bench.set.getJson<MarketTotals>(rowKey.totals('market'))).toEqual({ routes: 3 });
  });

  it('keeps the last 1,000 routes', () => {
    const bench = new Bench();
    for (let seq = 1; seq <= 1003; seq++) bench.route(seq);
    const kept = Array.from({ length: 1003 }, (_, i) => bench.set.get(rowKey.route(i)) !== undefined);
    expect(kept.indexOf(true)).toBe(3);
    expect(kept.filter(Boolean)).toHaveLength(1000);
  });

  it('owes a delivery only at the seat whose vertex contains the registration', () => {
    const bench = new Bench();
    bench.capability(1, { webhook: { ...webhook, seat: OWN_SEAT } });
    bench.capability(2, { webhook: { ...webhook, seat: OWN_SEAT + 1 } });
    bench.capability(3, {});
    for (const agent of [1, 2, 3, 4]) bench.route(10 + agent, agent);
    expect(bench.delivery(11)).toEqual({
      delivery_id: '0b'.repeat(32),
      task_id: '0b'.repeat(16),
      agent_id: 'agent-1',
      ...webhook,
      issued_at: 1_800_000_000,
      attempts: 0,
      next_ms: 0,
    });
    expect([12, 13, 14].map((seq) => bench.delivery(seq))).toEqual([undefined, undefined, undefined]);
    expect(JSON.stringify(bench.events)).not.toMatch(/hook\.example|whsec/);
  });
});
