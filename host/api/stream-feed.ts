// The messages of the stream by seq: built once for each event and shared by all readers.
// Keeps: `head` is the last durable event; messages are in chunks of consecutive seqs, filled from live events while there
// are readers and from the store otherwise; memory is bounded in chunks and bytes. A message read from the store equals
// the one that was sent live.

import type { EventDoc } from '../store/documents.ts';
import { EVENT_TYPES, typeNumber } from '../store/event-types.ts';
import { eventsAt } from '../store/events.ts';
import { ANY_AUTHOR } from '../views/events/authors.ts';
import type { EventLists } from '../views/events/event-lists.ts';
import { type Hidden, NOTHING_HIDDEN } from '../views/hidden.ts';
import type { Store } from '../world/store.ts';
import { streamData } from './stream-events.ts';

/** Events in a chunk: one read of the store, about 2 ms of work. */
export const CHUNK_EVENTS = 256;
const MAX_CHUNKS = 64;
const MAX_BYTES = 32 << 20;

export interface Message {
  seq: number;
  /** Number of the event type, as in stored lists. */
  type: number;
  /** JSON text. */
  bytes: Uint8Array;
}

/** Consecutive messages from `first` on. */
interface Chunk {
  first: number;
  messages: Message[];
  bytes: number;
}

const NUMBERS = new Map(EVENT_TYPES.map((type) => [type, typeNumber(type)]));

function messageOf(doc: EventDoc, json: Hidden['json']): Message {
  const { seq, event_type: type, timestamp } = doc;
  return {
    seq,
    type: NUMBERS.get(type)!,
    bytes: Buffer.from(json({ seq, type, timestamp, data: streamData(doc) })),
  };
}

/** The message in place of events `from` + 1 to `to`, which cannot be sent. `timeSecs`: Unix seconds. */
export function gapMessage(from: number, to: number, timeSecs: number): Uint8Array {
  const gap = { seq: to, type: 'gap', timestamp: timeSecs, data: { from, to } };
  return Buffer.from(JSON.stringify(gap));
}

const numberOf = (seq: number): number => Math.floor((seq - 1) / CHUNK_EVENTS);
const startOf = (chunk: number): number => chunk * CHUNK_EVENTS + 1;

export class StreamFeed {
  /** By chunk number, the most recently read at the end. */
  readonly #chunks = new Map<number, Chunk>();
  /** Number of the chunk at the end of the map. */
  #newest = -1;
  #bytes = 0;
  #head: number;
  /** Of what is hidden in the cached messages. */
  #version: number;
  /** Chunks filled from the store so far. */
  loads = 0;

  /** `head`: seq of the last durable event; `firstSeq`: of the first event that this node keeps. */
  constructor(
    private readonly store: Store,
    private readonly lists: Pick<EventLists, 'firstFrom'>,
    head: number,
    private readonly firstSeq: () => number,
    private readonly hidden: Hidden = NOTHING_HIDDEN,
  ) {
    this.#head = head;
    this.#version = hidden.version;
  }

  get head(): number {
    return this.#head;
  }

  /**
   * Adds the events of a durable batch, in the order of seq. `isWatched`: there are readers, so the messages are built now
   * and returned.
   */
  append(events: readonly EventDoc[], head: number, isWatched: boolean): Message[] {
    this.#forget();
    const messages = isWatched ? events.map((doc) => this.#messageOf(doc)) : [];
    for (const message of messages) {
      const chunk = this.#chunkToExtend(message.seq);
      if (chunk) this.#add(chunk, message);
    }
    this.#head = head;
    this.#trim();
    return messages;
  }

  #messageOf(doc: EventDoc): Message {
    return messageOf(doc, (value) => this.hidden.json(value));
  }

  /** Drops all messages when other texts are hidden than in them. */
  #forget(): void {
    if (this.#version === this.hidden.version) return;
    this.#version = this.hidden.version;
    this.#chunks.clear();
    this.#newest = -1;
    this.#bytes = 0;
  }

  /** The chunk whose next message is `seq`; undefined when messages before it are missing. */
  #chunkToExtend(seq: number): Chunk | undefined {
    const number = numberOf(seq);
    const chunk = this.#chunks.get(number);
    if (chunk) return chunk.first + chunk.messages.length === seq ? chunk : undefined;
    if (seq !== startOf(number)) return undefined;
    return this.#cache(number, { first: seq, messages: [], bytes: 0 });
  }

  #cache(number: number, chunk: Chunk): Chunk {
    this.#chunks.set(number, chunk);
    this.#newest = number;
    this.#bytes += chunk.bytes;
    return chunk;
  }

  #add(chunk: Chunk, message: Message): void {
    chunk.messages.push(message);
    chunk.bytes += message.bytes.length;
    this.#bytes += message.bytes.length;
  }

  #trim(): void {
    for (const [number, chunk] of this.#chunks) {
      if (this.#chunks.size <= 1) return;
      if (this.#chunks.size <= MAX_CHUNKS && this.#bytes <= MAX_BYTES) return;
      this.#chunks.delete(number);
      this.#bytes -= chunk.bytes;
    }
  }

  /**
   * The chunk with `seq`, complete up to its end or the head; undefined when that event is no longer stored.
   * `seq`: 1 to head. Throws when an event that must be there is missing from the store.
   */
  chunk(seq: number): Chunk | undefined {
    this.#forget();
    const number = numberOf(seq);
    const known = this.#chunks.get(number);
    const chunk = known ?? this.#cache(number, { first: startOf(number), messages: [], bytes: 0 });
    // The most recently read chunk is dropped last.
    if (known && number !== this.#newest) {
      this.#chunks.delete(number);
      this.#chunks.set(number, known);
      this.#newest = number;
    }
    const end = Math.min(this.#head, startOf(number + 1) - 1);
    if (chunk.first + chunk.messages.length <= end) this.#load(chunk, end);
    if (chunk.messages.length === 0) {
      this.#chunks.delete(number);
      return undefined;
    }
    this.#trim();
    return seq < chunk.first ? undefined : chunk;
  }

  /** The chunk with `seq` if it is in memory; never reads the store. */
  cached(seq: number): Chunk | undefined {
    const chunk = this.#chunks.get(numberOf(seq));
    return chunk && seq >= chunk.first && seq < chunk.first + chunk.messages.length ? chunk : undefined;
  }

  #load(chunk: Chunk, end: number): void {
    this.loads++;
    let from = chunk.first + chunk.messages.length;
    const kept = this.firstSeq();
    if (kept > from) {
      // What was read of the chunk earlier does not join on any more.
      this.#bytes -= chunk.bytes;
      Object.assign(chunk, { first: kept, messages: [], bytes: 0 });
      from = kept;
    }
    if (from > end) return;
    const docs = eventsAt(
      this.store,
      Array.from({ length: end - from + 1 }, (_, i) => from + i),
    );
    for (const [i, doc] of docs.entries()) this.#add(chunk, this.#messageOf(doc ?? this.#missing(from + i)));
  }

  #missing(seq: number): never {
    throw new Error(`event ${seq} is not in the store`);
  }

  /**
   * Seq of the first event from `seq` on that has one of the types; head + 1 when there is none. Uses the lists of the
   * types, so a rare type is found without reading the events in between. About twenty point reads for each type.
   */
  nextOf(types: readonly number[], seq: number): number {
    // What is listed behind the head is not on disk yet.
    let found = this.#head + 1;
    for (const type of types) found = Math.min(found, this.lists.firstFrom(ANY_AUTHOR, type, seq) ?? found);
    return found;
  }

  /** Seq of the first event from `seq` on that this node keeps; head + 1 when there is none. */
  firstKept(seq: number): number {
    return Math.min(Math.max(seq, this.firstSeq()), this.#head + 1);
  }
}
