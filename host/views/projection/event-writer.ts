// Writes event documents: the document, its entries in lists, the totals, and the activity of its hour.
// Keeps: each executed event gets one document, under its seq, in the batch of the block that created it.

import type { Identities } from '../../execution/identity.ts';
import type { VertexInput } from '../../ordering/block.ts';
import type { EventDoc, Totals } from '../../store/documents.ts';
import type { EventType } from '../../store/event-types.ts';
import { putEvent, putEventDoc } from '../../store/events.ts';
import { readU64, rowKey, writeU64 } from '../../store/prefixes.ts';
import type { WriteSet } from '../../store/write-set.ts';
import { toHex } from '../../wire/bytes.ts';
import type { Params } from '../../wire/params.ts';
import { CaseBook, type CaseIndexWriter } from '../cases/case-book.ts';
import { type EventLists, SYSTEM_AUTHOR } from '../events/event-lists.ts';
import { TaskBook, type TaskIndexWriter } from '../tasks/task-book.ts';

export const SYSTEM_AGENT = 'system:node';

/** Receives the document of each executed event. */
export type Listener = (event: EventDoc) => void;

export interface ProjectorContext {
  ids: Identities;
  lists: Pick<EventLists, 'append'>;
  totals: Totals;
  chainId: string;
  genesisHash: string;
  testnet: boolean;
  params: Params;
  taskIndex: TaskIndexWriter;
  caseIndex: CaseIndexWriter;
  /** This node's seat; it delivers the webhooks registered in its own vertices. Undefined for a node without a seat. */
  seat?: number;
}

/** Where an event happened: its vertex, and the consensus time of the block. */
export interface Place {
  vertex: VertexInput;
  timeSecs: number;
}

interface Numbered {
  seq: number;
  order: number;
  index: number;
}

export class EventWriter {
  readonly tasks: TaskBook;
  readonly cases: CaseBook;
  /** Events of this batch that take verdicts: the documents that listeners received. */
  readonly #open = new Map<string, EventDoc>();

  constructor(
    readonly set: WriteSet,
    readonly c: ProjectorContext,
    private readonly onEvent: Listener,
  ) {
    this.tasks = new TaskBook(set, c.taskIndex, c.ids);
    this.cases = new CaseBook(set, c.caseIndex, c.ids);
  }

  /** The members that give an event's position in the order. */
  position(o: Numbered, { vertex, timeSecs }: Place) {
    return {
      vertex_hash: toHex(vertex.id),
      causal_refs: vertex.parents,
      causal_timestamp: vertex.round,
      order: o.order,
      index: o.index,
      timestamp: timeSecs,
    };
  }

  /** `author`: agent index + 1, or SYSTEM_AUTHOR. */
  store(doc: EventDoc, id: Uint8Array, author: number): void {
    const { lists, totals } = this.c;
    putEvent(this.set, id, doc);
    lists.append(this.set, author, doc.event_type, doc.seq);
    totals.events[doc.event_type] = (totals.events[doc.event_type] ?? 0) + 1;
    if (doc.amount !== undefined) this.#activity(doc.amount, doc.timestamp);
    if (doc.settlement_state === 'optimistic') this.#open.set(doc.event_id, doc);
    this.onEvent(doc);
  }

  /**
   * Completes an event of this batch that takes verdicts, both the stored document and the one that listeners received.
   * Does nothing for an event of an earlier batch.
   */
  amend(id: Uint8Array, change: (doc: EventDoc) => void): void {
    const sent = this.#open.get(toHex(id));
    if (!sent) return;
    change(sent);
    // The stored document may have been settled since.
    const stored = this.set.getJson<EventDoc>(rowKey.event(sent.seq))!;
    change(stored);
    putEventDoc(this.set, stored);
  }

  #activity(amount: number, timeSecs: number): void {
    const key = rowKey.activity(Math.floor(timeSecs / 3600));
    const old = this.set.get(key);
    const row = new Uint8Array(16);
    writeU64(row, (old ? readU64(old, 0) : 0) + amount);
    writeU64(row, (old ? readU64(old, 8) : 0) + 1, 8);
    this.set.put(key, row);
  }

  /** Writes a system event; `more` adds members next to the payload. */
  system(
    type: EventType,
    o: Numbered & { id: Uint8Array },
    payload: Record<string, unknown>,
    place: Place,
    more: Partial<EventDoc> = {},
  ): void {
    const doc: EventDoc = {
      event_id: toHex(o.id),
      event_type: type,
      auth: 'system',
      seq: o.seq,
      agent_id: SYSTEM_AGENT,
      payload,
      settlement_state: 'settled',
      ...more,
      ...this.position(o, place),
    };
    this.store(doc, o.id, SYSTEM_AUTHOR);
  }
}
