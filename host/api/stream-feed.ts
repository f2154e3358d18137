// The messages of the stream by seq: built once for each event and shared by all readers.
// Keeps: `head` is the last durable event; messages are in chunks of consecutive seqs, filled from live events while there
// are readers and from the store otherwise; memory is bounded in chunks and bytes. A message read from the store equals
// the one that was sent live.

import type { EventDoc } from '../store/documents.ts';
import { EVENT_TYPES, typeNumber } from '../store/event-types.ts';
import { eventsAt } from '../store/events.ts';
import { readU32, readU64, rowKey } from '../store/prefixes.ts';
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

function messageOf(doc: EventDoc): Message {
  const { seq, event_type: type, timestamp } = doc;
  return {
    seq,
    type: NUMBERS.get(type)!,
    bytes: Buffer.from(JSON.stringify({ seq, type, timestamp, data: streamData(doc) })),
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
  /** Chunks filled from the store so far. */
  loads = 0;

  /** `head`: seq of the last durable event. */
  constructor(
    private readonly store: Store,
    head: number,
  ) {
    this.#head = head;
  }

  get head(): number {
    return this.#head;
  }

  /**
   * Adds the events of a durable batch, in the order of seq. `isWatched`: there are readers, so the messages are built now
   * and returned.
   */
  append(events: readonly EventDoc[], head: number, isWatched: boolean): Message[] {
    const messages = isWatched ? events.map(messageOf) : [];
    for (const message of messages) {
      const chunk = this.#chunkToExtend(message.seq);
      if (chunk) this.#add(chunk, message);
    }
    this.#head = head;
    this.#trim();
    return messages;
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
   * `seq`: 1 to head. Throws when an event is missing from the store although earlier ones are there.
   */
  chunk(seq: number): Chunk | undefined {
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
    const seqs = Array.from({ length: end - from + 1 }, (_, i) => from + i);
    let docs = eventsAt(this.store, seqs);
    if (chunk.messages.length === 0) {
      // Events are dropped from the store in order, so missing ones are at the front.
      const kept = docs.findIndex((doc) => doc !== undefined);
      if (kept < 0) return;
      from += kept;
      chunk.first = from;
      docs = docs.slice(kept);
    }
    for (const [i, doc] of docs.entries()) this.#add(chunk, messageOf(doc ?? this.#missing(from + i)));
  }

  #missing(seq: number): never {
    throw new Error(`event ${seq} is not in the store, though events before it are`);
  }

  /**
   * Seq of the first event from `seq` on that has one of the types; head + 1 when there is none. Uses the lists of the
   * types, so a rare type is found without reading the events in between. About twenty point reads for each type.
   */
  nextOf(types: readonly number[], seq: number): number {
    let found = this.#head + 1;
    for (const type of types) {
      const length = this.store.get(rowKey.eventList(0, type));
      let [low, high] = [0, length ? readU32(length) : 0];
      const end = high;
      while (low < high) {
        const middle = low + Math.floor((high - low) / 2);
        if (this.#listed(type, middle) < seq) low = middle + 1;
        else high = middle;
      }
      if (low < end) found = Math.min(found, this.#listed(type, low));
    }
    return found;
  }

  /** Seq at a position of a type's list; 0 when it is no longer stored. */
  #listed(type: number, position: number): number {
    const bytes = this.store.get(rowKey.eventListItem(0, type, position));
    return bytes ? readU64(bytes) : 0;
  }

  /** Seq of the first stored event from `seq` on; head + 1 when there is none. A few point reads. */
  firstKept(seq: number): number {
    const has = (n: number): boolean => this.store.get(rowKey.event(n)) !== undefined;
    if (seq > this.#head || has(seq)) return seq;
    let [low, high] = [seq, this.#head + 1];
    while (high - low > 1) {
      const middle = low + Math.floor((high - low) / 2);
      if (has(middle)) high = middle;
      else low = middle;
    }
    return high;
  }
}
