// Writes event documents: the document, its entries in lists, the totals, and the activity of its hour.
// Keeps: each executed event gets one document, under its seq, in the batch of the block that created it.

import type { Identities } from '../../execution/identity.ts';
import type { VertexInput } from '../../ordering/block.ts';
import { eventLeaf } from '../../store/document-leaves.ts';
import type { DocumentRoot } from '../../store/document-root.ts';
import type { EventDoc, Totals } from '../../store/documents.ts';
import type { EventType } from '../../store/event-types.ts';
import { changeEvent, isOpenEvent, putEvent, putSeq, seqOfEvent } from '../../store/events.ts';
import { rowKey } from '../../store/prefixes.ts';
import type { WriteSet } from '../../store/write-set.ts';
import { toHex } from '../../wire/bytes.ts';
import type { Params } from '../../wire/params.ts';
import { CaseBook, type CaseIndexWriter } from '../cases/case-book.ts';
import { SYSTEM_AGENT, SYSTEM_AUTHOR } from '../events/authors.ts';
import type { EventLists } from '../events/event-lists.ts';
import { TaskBook, type TaskIndexWriter } from '../tasks/task-book.ts';
import type { Activity } from './activity.ts';

/** Receives the document of each executed event. */
export type Listener = (event: EventDoc) => void;

export interface ProjectorContext {
  ids: Identities;
  /** The root over the documents. */
  documents: DocumentRoot;
  lists: Pick<EventLists, 'append' | 'flush'>;
  totals: Totals;
  chainId: string;
  genesisHash: string;
  testnet: boolean;
  params: Params;
  taskIndex: TaskIndexWriter;
  caseIndex: CaseIndexWriter;
  /**
   * Without it, of events only those get a document that a later transaction may read; of the others, what the state root is
   * over: a leaf while they are open.
   */
  keepsEvents: boolean;
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

/** Open events about tasks: votes on them and the ends of their blocks change the documents of their tasks. */
const isReadLater = (doc: EventDoc): boolean => isOpenEvent(doc) && doc.task_id !== undefined;

export class EventWriter {
  readonly tasks: TaskBook;
  readonly cases: CaseBook;
  /** Events of this block that take verdicts: the documents that listeners received. */
  readonly #open = new Map<string, EventDoc>();

  constructor(
    readonly set: WriteSet,
    readonly c: ProjectorContext,
    private readonly activity: Activity,
    private readonly onEvent: Listener,
  ) {
    this.tasks = new TaskBook(set, c.taskIndex, c.ids);
    this.cases = new CaseBook(set, c.caseIndex, c.ids);
  }

  /** Events of earlier blocks are complete: which blocks share a batch differs from node to node. */
  beginBlock(): void {
    this.#open.clear();
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
    const { lists, totals, keepsEvents } = this.c;
    if (keepsEvents || isReadLater(doc)) putEvent(this.set, id, doc);
    else if (isOpenEvent(doc)) this.#openLeaf(id, doc);
    lists.append(author, doc.event_type, doc.seq);
    totals.events[doc.event_type] = (totals.events[doc.event_type] ?? 0) + 1;
    if (doc.amount !== undefined) this.activity.add(doc.amount, doc.timestamp);
    if (doc.settlement_state === 'optimistic') this.#open.set(doc.event_id, doc);
    this.onEvent(doc);
  }

  /**
   * Completes an event of this block that takes verdicts, both the stored document and the one that listeners received.
   * Does nothing for an event of an earlier block.
   */
  amend(id: Uint8Array, change: (doc: EventDoc) => void): void {
    const sent = this.#open.get(toHex(id));
    if (!sent) return;
    change(sent);
    // The stored document may have been settled since.
    changeEvent(this.set, sent.seq, change);
  }

  /**
   * Writes what many events of the batch change: activity, and lists where enough has changed, or everything (`isAll`). To be
   * called once, before its rows are taken.
   */
  end(isAll: boolean): void {
    this.c.lists.flush(this.set, isAll);
    this.activity.flush(this.set);
  }

  /** Of an open event that has no document here: its leaf, and the number by which its settlement finds it. */
  #openLeaf(id: Uint8Array, doc: EventDoc): void {
    putSeq(this.set, id, doc.seq);
    this.c.documents.changeLate(eventLeaf(doc.seq), doc);
  }

  /** An event that no later transaction reads was settled: true where nothing but its leaf has to go. */
  closesLeaf(id: Uint8Array): boolean {
    if (this.c.keepsEvents) return false;
    const seq = seqOfEvent(this.set, id);
    if (seq === undefined) throw new Error(`settled event ${toHex(id)} has no number`);
    this.c.documents.change({ key: eventLeaf(seq), value: undefined });
    this.set.delete(rowKey.eventSeq(id));
    return true;
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
