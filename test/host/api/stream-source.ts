// Synthetic events for stream tests: stored as the views store them, then published, without a ledger.

import { StreamFeed } from '../../../host/api/stream-feed.ts';
import { StreamHub } from '../../../host/api/stream-hub.ts';
import type { EventDoc } from '../../../host/store/documents.ts';
import type { EventType } from '../../../host/store/event-types.ts';
import { putEvent } from '../../../host/store/events.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { rowKey } from '../../../host/store/prefixes.ts';
import { WriteSet } from '../../../host/store/write-set.ts';
import { EventLists } from '../../../host/views/events/event-lists.ts';
import type { Clock } from '../../../host/world/clock.ts';
import type { Store } from '../../../host/world/store.ts';

export const TIME = 1_800_000_000;

export const idOf = (seq: number): string => seq.toString(16).padStart(64, '0');

/** A stake event, or whatever else is asked for. */
export function eventOf(seq: number, type: EventType = 'stake', more: Partial<EventDoc> = {}): EventDoc {
  return {
    event_id: idOf(seq),
    event_type: type,
    auth: 'tx_v1',
    seq,
    agent_id: 'alice',
    payload: { amount: seq, staked_amount: 2 * seq },
    amount: seq,
    settlement_state: 'settled',
    vertex_hash: idOf(1),
    causal_refs: [],
    causal_timestamp: 1,
    order: seq,
    index: 0,
    timestamp: TIME + seq,
    ...more,
  };
}

export class EventSource {
  readonly feed: StreamFeed;
  readonly hub: StreamHub;
  readonly logged: unknown[] = [];
  /** Seq of the first event that is kept. */
  first = 1;
  sent = 0;
  slow = 0;

  constructor(
    clock: Pick<Clock, 'monotonicMs' | 'setTimer' | 'soon'>,
    readonly store: Store = new MemoryStore(),
    /** Of whoever writes to the store: what they hold in memory is on no disk yet. */
    readonly lists = new EventLists(store),
  ) {
    this.feed = new StreamFeed(store, this.lists, 0, () => this.first);
    this.hub = new StreamHub({
      feed: this.feed,
      clock,
      log: { error: (entry: unknown) => void this.logged.push(entry) },
      timeSecs: () => TIME,
      onSent: (count) => {
        this.sent += count;
      },
      onSlowConsumer: () => {
        this.slow++;
      },
    });
  }

  async write(docs: readonly EventDoc[]): Promise<void> {
    const set = new WriteSet(this.store);
    for (const doc of docs) {
      putEvent(set, Buffer.from(doc.event_id, 'hex'), doc);
      this.lists.append(1, doc.event_type, doc.seq);
    }
    this.lists.flush(set, false);
    await this.store.write(set.ops());
  }

  /** Stores and publishes the next `count` events as one group. */
  async add(count: number, type: EventType = 'stake'): Promise<EventDoc[]> {
    const from = this.feed.head + 1;
    const docs = Array.from({ length: count }, (_, i) => eventOf(from + i, type));
    await this.write(docs);
    this.hub.publish(docs, from + count - 1);
    return docs;
  }

  /** Forgets the events up to a seq, as a store does that keeps a part only. */
  async prune(to: number): Promise<void> {
    this.first = to + 1;
    const seqs = Array.from({ length: to }, (_, i) => i + 1);
    await this.store.write(
      seqs.flatMap((seq) => [
        { key: rowKey.event(seq), value: undefined },
        { key: rowKey.eventSeq(Buffer.from(idOf(seq), 'hex')), value: undefined },
      ]),
    );
  }
}
