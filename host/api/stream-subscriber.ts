// One reader of the stream: its position, its filter, and whether it is too slow.
// Keeps: `next` only increases, so nothing is sent twice or left out. While a reader catches up from the store, it is sent
// only what its socket accepts. Once it has reached the head it is live, and its unsent messages are bounded.
// Source: protocol 9.

import type { StreamSocket } from '../world/http.ts';
import type { Charge } from './cost-budget.ts';
import { endOf, gapMessage, type Message } from './stream-chunks.ts';
import type { Feed } from './stream-feed.ts';

/** Largest backlog of a live reader. */
const MAX_UNSENT_MESSAGES = 1024;
const MAX_UNSENT_BYTES = 4 << 20;
/** Unsent bytes of a socket: above the first value sending pauses, below the second it resumes. */
const SOCKET_HIGH_BYTES = 65_536;
const SOCKET_LOW_BYTES = 16_384;

/** Filters with more types probably match in every chunk, so their types are not looked up one by one. */
const MAX_LOOKUPS = 8;

/** The wanted event types by their numbers; undefined: all. */
export type Wanted = Uint8Array | undefined;

export class Subscriber {
  /** In the queue of subscribers to which something can be sent. */
  isQueued = false;
  /** What comes next is being read: nothing is sent until then. */
  isWaiting = false;
  /** The socket has too many unsent bytes. */
  isBlocked = false;
  isClosed = false;
  lastPongMs: number;
  lastPingMs: number;
  /** It has reached the head once: from then on it has to keep up. */
  isLive: boolean;
  #waiting = { messages: 0, bytes: 0 };
  /** The numbers of a filter's types, if they are few enough to be looked up one by one. */
  readonly #types: number[] | undefined;

  /** `next`: seq of the next event to send. */
  constructor(
    readonly socket: StreamSocket,
    private readonly feed: Feed,
    readonly wanted: Wanted,
    public next: number,
    nowMs: number,
    /** Pays for what is read before it is live. */
    readonly charge: Charge,
  ) {
    this.isLive = next > feed.head;
    this.lastPongMs = nowMs;
    this.lastPingMs = nowMs;
    if (!wanted) return;
    const types = [...wanted.keys()].filter((type) => wanted[type] === 1);
    if (types.length <= MAX_LOOKUPS) this.#types = types;
  }

  get isAtHead(): boolean {
    return this.next > this.feed.head;
  }

  /**
   * Sends the wanted messages of the current chunk, as many as the socket should take. Returns the number of messages; a
   * promise if what comes next has to be read first: then nothing was sent. `timeSecs`: consensus time, for a gap.
   */
  step(timeSecs: () => number): number | Promise<unknown> {
    const chunk = this.feed.chunk(this.next);
    if (chunk instanceof Promise) return chunk;
    if (!chunk) return this.#skip(timeSecs);
    const batch: Uint8Array[] = [];
    let bytes = 0;
    let at = this.next - chunk.first;
    for (; at < chunk.messages.length && bytes < SOCKET_HIGH_BYTES; at++) {
      const message = chunk.messages[at]!;
      if (!this.wants(message.type)) continue;
      batch.push(message.bytes);
      bytes += message.bytes.length;
    }
    this.next = chunk.first + at;
    if (batch.length > 0) {
      this.socket.send(batch);
      this.#checkBacklog();
    } else if (this.#types && !this.isAtHead && !this.feed.cached(this.next)) {
      const found = this.feed.nextOf(this.#types, this.next);
      if (typeof found !== 'number') return found.then((seq) => this.#goTo(seq));
      this.next = found;
    }
    this.#goTo(this.next);
    return batch.length;
  }

  #goTo(seq: number): void {
    this.next = seq;
    if (this.isAtHead) this.isLive = true;
  }

  /** Reports events that are no longer stored as a gap, and continues after them. */
  #skip(timeSecs: () => number): number {
    const kept = this.feed.firstKept(this.next);
    this.socket.send([gapMessage(this.next - 1, kept - 1, timeSecs())]);
    this.next = kept;
    return 1;
  }

  wants(type: number): boolean {
    return this.wanted === undefined || this.wanted[type] === 1;
  }

  /**
   * Skips new events if none of them is wanted and all earlier ones were sent. `from`: seq of the first of them; they reach
   * up to the head. `types`: the numbers of their types.
   */
  passOver(from: number, types: readonly number[]): boolean {
    if (this.next !== from || this.wanted === undefined || types.some((type) => this.wants(type)))
      return false;
    this.next = this.feed.head + 1;
    return true;
  }

  #checkBacklog(): void {
    if (this.isBlocked || this.socket.unsentBytes() < SOCKET_HIGH_BYTES) return;
    this.isBlocked = true;
    this.#waiting = { messages: 0, bytes: 0 };
    if (this.isLive) this.#countWaiting();
  }

  /** Counts the messages up to the head, as far as they are in memory and the result matters. */
  #countWaiting(): void {
    let seq = this.next;
    while (seq <= this.feed.head && !this.isTooSlow) {
      const chunk = this.feed.cached(seq);
      if (!chunk) {
        // So far behind that the messages are no longer in memory.
        this.#waiting.messages = Number.POSITIVE_INFINITY;
        return;
      }
      for (let at = seq - chunk.first; at < chunk.messages.length; at++) this.#count(chunk.messages[at]!);
      seq = endOf(chunk);
    }
  }

  #count(message: Message): void {
    if (!this.wants(message.type)) return;
    this.#waiting.messages++;
    this.#waiting.bytes += message.bytes.length;
  }

  /** Counts new messages that arrived while it was blocked. */
  countNew(messages: readonly Message[]): void {
    if (this.isLive) for (const message of messages) this.#count(message);
  }

  /** True for a blocked live reader whose backlog is too large. */
  get isTooSlow(): boolean {
    if (!this.isBlocked || !this.isLive) return false;
    const { messages, bytes } = this.#waiting;
    return messages > MAX_UNSENT_MESSAGES || bytes + this.socket.unsentBytes() > MAX_UNSENT_BYTES;
  }

  /** Resumes if the socket accepts more again; returns whether it did. */
  unblock(): boolean {
    if (!this.isBlocked || this.socket.unsentBytes() > SOCKET_LOW_BYTES) return false;
    this.isBlocked = false;
    return true;
  }
}
