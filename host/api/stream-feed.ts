// What the stream sends, by seq: the form in which the hub asks for it, and the feed of a node, which has a store.
// Keeps: `head` is the last durable event; chunks are filled from live events while there are readers and from the store
// otherwise. A message read from the store equals the one that was sent live.

import type { EventDoc } from '../store/documents.ts';
import { eventsAt } from '../store/events.ts';
import { ANY_AUTHOR } from '../views/events/authors.ts';
import type { EventLists } from '../views/events/event-lists.ts';
import type { Hidden } from '../views/hidden.ts';
import type { Store } from '../world/store.ts';
import { type Chunk, chunkOf, endOf, type Message, MessageChunks, startOf } from './stream-chunks.ts';

/** Messages by seq. What is not in memory is there at once, or a promise of it is: then it is asked for again. */
export interface Feed {
  /** Seq of the last durable event. */
  readonly head: number;
  /** Chunks that were read so far, by work that held up everything else. */
  readonly loads: number;
  /**
   * Adds the events of a durable batch, in the order of seq. `isWatched`: there are readers, so the messages are built now
   * and returned.
   */
  append(events: readonly EventDoc[], head: number, isWatched: boolean): Message[];
  /**
   * The chunk with `seq`, complete up to its end or the head; undefined when that event is no longer stored; a promise
   * that it can be asked for. `seq`: 1 to head. Throws, or the promise is rejected, when an event that must be there is not.
   */
  chunk(seq: number): Chunk | undefined | Promise<unknown>;
  /** The chunk with `seq` if it is in memory; never reads anything. */
  cached(seq: number): Chunk | undefined;
  /** Seq of the first event from `seq` on that has one of the types; head + 1 when there is none. */
  nextOf(types: readonly number[], seq: number): number | Promise<number>;
  /** Seq of the first event from `seq` on that is kept; head + 1 when there is none. */
  firstKept(seq: number): number;
}

export class StreamFeed implements Feed {
  readonly #chunks: MessageChunks;
  #head: number;
  /** Chunks filled from the store so far. */
  loads = 0;

  /** `head`: seq of the last durable event; `firstSeq`: of the first event that this node keeps. */
  constructor(
    private readonly store: Store,
    private readonly lists: Pick<EventLists, 'firstFrom'>,
    head: number,
    private readonly firstSeq: () => number,
    hidden?: Hidden,
  ) {
    this.#chunks = new MessageChunks(hidden);
    this.#head = head;
  }

  get head(): number {
    return this.#head;
  }

  append(events: readonly EventDoc[], head: number, isWatched: boolean): Message[] {
    const messages = isWatched ? this.#chunks.append(events) : [];
    this.#head = head;
    this.#chunks.trim();
    return messages;
  }

  chunk(seq: number): Chunk | undefined {
    const number = chunkOf(seq);
    let chunk = this.#chunks.read(number);
    const end = Math.min(this.#head, startOf(number + 1) - 1);
    if (endOf(chunk) <= end) chunk = this.#load(number, endOf(chunk), end);
    if (chunk.messages.length === 0) {
      this.#chunks.drop(number);
      return undefined;
    }
    this.#chunks.trim();
    return seq < chunk.first ? undefined : chunk;
  }

  cached(seq: number): Chunk | undefined {
    return this.#chunks.cached(seq);
  }

  #load(number: number, next: number, end: number): Chunk {
    this.loads++;
    const from = Math.max(next, this.firstSeq());
    const docs = eventsAt(
      this.store,
      Array.from({ length: Math.max(0, end - from + 1) }, (_, i) => from + i),
    );
    return this.#chunks.fill(
      number,
      from,
      docs.map((doc, i) => doc ?? this.#missing(from + i)),
    );
  }

  #missing(seq: number): never {
    throw new Error(`event ${seq} is not in the store`);
  }

  /** Uses the lists of the types, so a rare type is found without reading the events in between: some twenty point reads. */
  nextOf(types: readonly number[], seq: number): number {
    // What is listed behind the head is not on disk yet.
    let found = this.#head + 1;
    for (const type of types) found = Math.min(found, this.lists.firstFrom(ANY_AUTHOR, type, seq) ?? found);
    return found;
  }

  firstKept(seq: number): number {
    return Math.min(Math.max(seq, this.firstSeq()), this.#head + 1);
  }
}
