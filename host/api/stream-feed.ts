// The messages of the stream by seq: made once for each event and shared by all who read them.
// Keeps: `head` is the last durable event; messages are in chunks of consecutive seqs, filled from live events while
// somebody listens and from the store otherwise; what is kept in memory is bounded in chunks and bytes.
// Events are never changed here, and a message read from the store equals the one that was sent live.

import type { EventDoc } from '../store/documents.ts';
import { EVENT_TYPES, typeNumber } from '../store/event-types.ts';
import { eventsAt } from '../store/events.ts';
import { keyList, keyU64, readU32, readU64 } from '../store/prefixes.ts';
import type { Store } from '../world/store.ts';
import { streamData } from './stream-events.ts';

/** Events in a chunk: one read of the store, some 2 ms of work. */
export const CHUNK_EVENTS = 256;
const CHUNKS_MOST = 64;
const BYTES_MOST = 32 << 20;

export interface Message {
  seq: number;
  /** Number of the event type, as in stored lists. */
  type: number;
  /** The JSON text. */
  bytes: Uint8Array;
}

/** Consecutive messages from `first` on. */
export interface Chunk {
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

/** The message that stands for events `from` + 1 to `to`, which cannot be sent. `timeSecs`: Unix seconds. */
export function gapMessage(from: number, to: number, timeSecs: number): Uint8Array {
  const gap = { seq: to, type: 'gap', timestamp: timeSecs, data: { from, to } };
  return Buffer.from(JSON.stringify(gap));
}

const numberOf = (seq: number): number => Math.floor((seq - 1) / CHUNK_EVENTS);
const startOf = (chunk: number): number => chunk * CHUNK_EVENTS + 1;

export class StreamFeed {
  /** By chunk number, the one read last at the end. */
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
   * Takes in the events of a durable group, in the order of seq. `isWatched`: somebody will read them soon, so their
   * messages are made now; they are given back.
   */
  append(events: readonly EventDoc[], head: number, isWatched: boolean): Message[] {
    const messages = isWatched ? events.map(messageOf) : [];
    for (const message of messages) {
      const chunk = this.#open(message.seq);
      if (chunk) this.#add(chunk, message);
    }
    this.#head = head;
    this.#trim();
    return messages;
  }

  /** The chunk that goes on with `seq`; undefined when it would have a hole before it. */
  #open(seq: number): Chunk | undefined {
    const number = numberOf(seq);
    const chunk = this.#chunks.get(number);
    if (chunk) return chunk.first + chunk.messages.length === seq ? chunk : undefined;
    if (seq !== startOf(number)) return undefined;
    return this.#keep(number, { first: seq, messages: [], bytes: 0 });
  }

  #keep(number: number, chunk: Chunk): Chunk {
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
      if (this.#chunks.size <= CHUNKS_MOST && this.#bytes <= BYTES_MOST) return;
      this.#chunks.delete(number);
      this.#bytes -= chunk.bytes;
    }
  }

  /**
   * The chunk with `seq`, complete up to its end or the head; undefined when that event is stored no longer.
   * `seq`: 1 to head. Errors: throws when the store lacks an event that others follow.
   */
  chunk(seq: number): Chunk | undefined {
    const number = numberOf(seq);
    const known = this.#chunks.get(number);
    const chunk = known ?? this.#keep(number, { first: startOf(number), messages: [], bytes: 0 });
    // The one read last is dropped last.
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

  /** Messages that are in memory, without asking the store. */
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
      // Events go in their order: what is missing at the front was dropped from the store.
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
   * Seq of the first event from `seq` on that has one of the types; head + 1 when there is none. Looks the types up in
   * their lists, so that a rare type is found without reading what lies between. Some twenty point reads for a type.
   */
  nextOf(types: readonly number[], seq: number): number {
    let found = this.#head + 1;
    for (const type of types) {
      const length = this.store.get(keyList('n', 0, type));
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

  /** Seq at a place of the list of a type; 0 where the store keeps it no longer. */
  #listed(type: number, position: number): number {
    const bytes = this.store.get(keyList('l', 0, type, position));
    return bytes ? readU64(bytes) : 0;
  }

  /** Seq of the first stored event from `seq` on; head + 1 when there is none. A few point reads. */
  firstKept(seq: number): number {
    const has = (n: number): boolean => this.store.get(keyU64('q', n)) !== undefined;
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
