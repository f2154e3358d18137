// One reader of the stream: where it stands, what it wants, and when it is too slow.
// Keeps: `next` only rises, so nothing is sent twice or left out; while catching up from the store it is given only
// what its socket takes; once it has been at the head it is live, and what it leaves unsent is bounded.
// Source: DECISIONS 9.

import type { StreamSocket } from '../world/http.ts';
import { gapMessage, type Message, type StreamFeed } from './stream-feed.ts';

/** What a live reader may leave unsent. */
export const UNSENT_MESSAGES_MOST = 1024;
export const UNSENT_BYTES_MOST = 4 << 20;
/** Bytes given to a socket beyond what the system takes: above the first it waits, below the second it goes on. */
const SOCKET_HIGH_BYTES = 65_536;
const SOCKET_LOW_BYTES = 16_384;

/** A filter of more types is likely to find one in every chunk. */
const LOOKED_UP_MOST = 8;

/** Which event types a reader wants, by their numbers; undefined wants all. */
export type Wanted = Uint8Array | undefined;

export class Subscriber {
  /** Is in the queue of those that can be sent something. */
  isQueued = false;
  /** Its socket has more than it can take for now. */
  isBlocked = false;
  isClosed = false;
  lastPongMs: number;
  lastPingMs: number;
  /** It has been at the head: from then on it has to keep up. */
  #isLive: boolean;
  #waiting = { messages: 0, bytes: 0 };
  /** The types of a filter by number, when they are few enough to be looked up one by one. */
  readonly #types: number[] | undefined;

  /** `next`: seq to be sent next. */
  constructor(
    readonly socket: StreamSocket,
    private readonly feed: StreamFeed,
    readonly wanted: Wanted,
    public next: number,
    nowMs: number,
  ) {
    this.#isLive = next > feed.head;
    this.lastPongMs = nowMs;
    this.lastPingMs = nowMs;
    if (!wanted) return;
    const types = [...wanted.keys()].filter((type) => wanted[type] === 1);
    if (types.length <= LOOKED_UP_MOST) this.#types = types;
  }

  get isAtHead(): boolean {
    return this.next > this.feed.head;
  }

  /**
   * Sends what it wants of the chunk it stands in, as far as the socket should be given. Gives the number of
   * messages. `timeSecs`: consensus time, for a gap.
   */
  step(timeSecs: () => number): number {
    const chunk = this.feed.chunk(this.next);
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
      this.#look();
    } else if (this.#types && !this.isAtHead && !this.feed.cached(this.next)) {
      this.next = this.feed.nextOf(this.#types, this.next);
    }
    if (this.isAtHead) this.#isLive = true;
    return batch.length;
  }

  /** Events that are not stored any more: says which, and goes on behind them. */
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
   * Steps over new events of which it wants none, if it had all before them. `from`: seq of the first of them, up to
   * the head; `types`: the numbers of their types.
   */
  passOver(from: number, types: readonly number[]): boolean {
    if (this.next !== from || this.wanted === undefined || types.some((type) => this.wants(type)))
      return false;
    this.next = this.feed.head + 1;
    return true;
  }

  #look(): void {
    if (this.isBlocked || this.socket.unsentBytes() < SOCKET_HIGH_BYTES) return;
    this.isBlocked = true;
    this.#waiting = { messages: 0, bytes: 0 };
    if (this.#isLive) this.#countWaiting();
  }

  /** What lies between it and the head, as far as it matters and is in memory. */
  #countWaiting(): void {
    let seq = this.next;
    while (seq <= this.feed.head && !this.isTooSlow) {
      const chunk = this.feed.cached(seq);
      if (!chunk) {
        // So far behind that its messages are in memory no longer.
        this.#waiting.messages = Number.POSITIVE_INFINITY;
        return;
      }
      for (let at = seq - chunk.first; at < chunk.messages.length; at++) this.#count(chunk.messages[at]!);
      seq = chunk.first + chunk.messages.length;
    }
  }

  #count(message: Message): void {
    if (!this.wants(message.type)) return;
    this.#waiting.messages++;
    this.#waiting.bytes += message.bytes.length;
  }

  /** New messages came while it was blocked. */
  countNew(messages: readonly Message[]): void {
    if (this.#isLive) for (const message of messages) this.#count(message);
  }

  /** A blocked live reader with more unsent than it may have. */
  get isTooSlow(): boolean {
    if (!this.isBlocked || !this.#isLive) return false;
    const { messages, bytes } = this.#waiting;
    return messages > UNSENT_MESSAGES_MOST || bytes + this.socket.unsentBytes() > UNSENT_BYTES_MOST;
  }

  /** Tells whether the socket takes more again. */
  unblock(): boolean {
    if (!this.isBlocked || this.socket.unsentBytes() > SOCKET_LOW_BYTES) return false;
    this.isBlocked = false;
    return true;
  }
}
