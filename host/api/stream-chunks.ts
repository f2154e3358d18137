// Messages of the stream in chunks of consecutive seqs: built once for each event and shared by all readers.
// Keeps: a chunk has no hole; no text stays in one that is hidden since; memory is bounded in chunks and bytes, and the most recently read chunk is dropped last.

import type { EventDoc } from '../store/documents.ts';
import { EVENT_TYPES, typeNumber } from '../store/event-types.ts';
import { type Hidden, NOTHING_HIDDEN } from '../views/hidden.ts';
import { streamData } from './stream-events.ts';

/** Events in a chunk: one read of a store, about 2 ms of work. */
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
export interface Chunk {
  first: number;
  messages: Message[];
  bytes: number;
}

const NUMBERS = new Map(EVENT_TYPES.map((type) => [type, typeNumber(type)]));

function messageOf(doc: EventDoc, hidden: Hidden): Message {
  const { seq, event_type: type, timestamp } = doc;
  return {
    seq,
    type: NUMBERS.get(type)!,
    bytes: Buffer.from(hidden.json({ seq, type, timestamp, data: streamData(doc) })),
  };
}

/** The message in place of events `from` + 1 to `to`, which cannot be sent. `timeSecs`: Unix seconds. */
export function gapMessage(from: number, to: number, timeSecs: number): Uint8Array {
  const gap = { seq: to, type: 'gap', timestamp: timeSecs, data: { from, to } };
  return Buffer.from(JSON.stringify(gap));
}

export const chunkOf = (seq: number): number => Math.floor((seq - 1) / CHUNK_EVENTS);
export const startOf = (chunk: number): number => chunk * CHUNK_EVENTS + 1;

/** Seq behind the last message. */
export const endOf = ({ first, messages }: Chunk): number => first + messages.length;

export class MessageChunks {
  /** By chunk number, the most recently read at the end. */
  readonly #chunks = new Map<number, Chunk>();
  /** Number of the chunk at the end of the map. */
  #newest = -1;
  #bytes = 0;
  /** Of what is hidden in the messages. */
  #version: number;

  constructor(private readonly hidden: Hidden = NOTHING_HIDDEN) {
    this.#version = hidden.version;
  }

  /** Adds live events, in the order of seq; their messages. Those that do not join on to a chunk are not kept. */
  append(events: readonly EventDoc[]): Message[] {
    this.#forget();
    const messages = events.map((doc) => messageOf(doc, this.hidden));
    for (const message of messages) {
      const chunk = this.#chunkToExtend(message.seq);
      if (chunk) this.#add(chunk, message);
    }
    return messages;
  }

  /** Drops all messages when other texts are hidden than in them. */
  #forget(): void {
    const { version } = this.hidden;
    if (this.#version === version) return;
    this.#version = version;
    this.#chunks.clear();
    this.#newest = -1;
    this.#bytes = 0;
  }

  /** The chunk whose next message is `seq`; undefined when messages before it are missing. */
  #chunkToExtend(seq: number): Chunk | undefined {
    const number = chunkOf(seq);
    const chunk = this.#chunks.get(number);
    if (chunk) return endOf(chunk) === seq ? chunk : undefined;
    return seq === startOf(number) ? this.#put(number, seq) : undefined;
  }

  #put(number: number, first: number): Chunk {
    const chunk = { first, messages: [], bytes: 0 };
    this.#chunks.set(number, chunk);
    this.#newest = number;
    return chunk;
  }

  #add(chunk: Chunk, message: Message): void {
    chunk.messages.push(message);
    chunk.bytes += message.bytes.length;
    this.#bytes += message.bytes.length;
  }

  /** The chunk of a number, which is being read now; an empty one if it is not in memory. */
  read(number: number): Chunk {
    this.#forget();
    return this.#touch(number);
  }

  #touch(number: number): Chunk {
    const known = this.#chunks.get(number);
    if (!known) return this.#put(number, startOf(number));
    if (number !== this.#newest) {
      this.#chunks.delete(number);
      this.#chunks.set(number, known);
      this.#newest = number;
    }
    return known;
  }

  /** Adds what was read: events that begin at `first`. What the chunk had before is dropped where it does not join on. */
  fill(number: number, first: number, events: readonly EventDoc[]): Chunk {
    const chunk = this.#touch(number);
    if (endOf(chunk) !== first) {
      this.#bytes -= chunk.bytes;
      Object.assign(chunk, { first, messages: [], bytes: 0 });
    }
    for (const event of events) this.#add(chunk, messageOf(event, this.hidden));
    return chunk;
  }

  drop(number: number): void {
    const chunk = this.#chunks.get(number);
    if (!chunk) return;
    this.#chunks.delete(number);
    this.#bytes -= chunk.bytes;
  }

  /** Drops what is too much. */
  trim(): void {
    for (const number of this.#chunks.keys()) {
      if (this.#chunks.size <= 1) return;
      if (this.#chunks.size <= MAX_CHUNKS && this.#bytes <= MAX_BYTES) return;
      this.drop(number);
    }
  }

  /** The chunk with `seq` if it is in memory. */
  cached(seq: number): Chunk | undefined {
    this.#forget();
    const chunk = this.#chunks.get(chunkOf(seq));
    return chunk && seq >= chunk.first && seq < endOf(chunk) ? chunk : undefined;
  }
}
