// The event stream: receives durable events, admits readers, and shares the event loop among them.
// Keeps: each reader gets every event that it wants exactly once, in the order of seq, after it is durable. A reader that
// does not keep up is closed with 1013; events are never skipped. Sending is done in small turns of the event loop, reader
// by reader, so that a thousand readers delay writes only a little; events that arrive meanwhile are sent together later.
// Source: protocol 8.2, 9.

import { invalid, ServiceError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { EventDoc } from '../store/documents.ts';
import { EVENT_TYPES, typeNumber } from '../store/event-types.ts';
import type { Clock } from '../world/clock.ts';
import type { StreamListener, StreamOpener, StreamSocket } from '../world/http.ts';
import type { Charge } from './cost-budget.ts';
import { FairPlaces } from './fair-places.ts';
import { gapMessage } from './stream-chunks.ts';
import type { Feed } from './stream-feed.ts';
import { Subscriber, type Wanted } from './stream-subscriber.ts';

export const STREAMS_PER_IP = 20;
export const STREAMS_PER_NODE = 1000;
export const PING_MS = 30_000;
const DEAD_MS = 60_000;
const TICK_MS = 1000;
/** Work of one turn, in units of a message: a few milliseconds. A visit costs a system call, a store read much more. */
const TURN_WORK = 4096;
const VISIT_WORK = 16;
const LOAD_WORK = TURN_WORK;

const CLOSE_INTERNAL = 1011;
const CLOSE_SLOW = 1013;

/** Parameters of the query. */
export interface StreamQuery {
  filter?: string;
  since?: number;
  writes?: 'true' | 'false';
}

interface StreamHubOptions {
  feed: Feed;
  clock: Pick<Clock, 'monotonicMs' | 'setTimer' | 'soon'>;
  log: Pick<Logger, 'error'>;
  /** Consensus time, Unix seconds. */
  timeSecs(): number;
  onSent(messages: number): void;
  onSlowConsumer(): void;
}

/** A name that a filter may hold beside those of events: gaps are sent in any case, so alone it means nothing else. */
const GAP = 'gap';
const MAX_NAME_SHOWN = 40;

/**
 * Flags by type number for the names of a filter. An empty filter wants all types. Error: 400 invalid_request for a name
 * that no type has, which would be waited for in silence, for ever.
 */
export function parseFilter(filter: string): Wanted {
  const names = filter.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
  if (names.length === 0) return undefined;
  const known: readonly string[] = EVENT_TYPES;
  const unknown = names.find((name) => name !== GAP && !known.includes(name));
  if (unknown !== undefined) throw invalid(`filter: no event type ${unknown.slice(0, MAX_NAME_SHOWN)}`);
  const wanted = new Uint8Array(EVENT_TYPES.length + 1);
  for (const type of EVENT_TYPES) if (names.includes(type)) wanted[typeNumber(type)] = 1;
  return wanted;
}

export class StreamHub {
  readonly #subscribers = new Set<Subscriber>();
  readonly #places = new FairPlaces(STREAMS_PER_NODE, STREAMS_PER_IP);
  /** Subscribers to which something can be sent, in turn. */
  #queue: Subscriber[] = [];
  #isScheduled = false;
  #isTicking = false;

  constructor(private readonly o: StreamHubOptions) {}

  /** Number of open streams. */
  get size(): number {
    return this.#subscribers.size;
  }

  /** Publishes the events of a durable batch, in the order of seq. `head`: seq of the last one. */
  publish(events: readonly EventDoc[], head: number): void {
    const { feed } = this.o;
    const from = feed.head + 1;
    const messages = feed.append(events, head, this.#subscribers.size > 0);
    if (events.length === 0) return;
    const types = [...new Set(messages.map((message) => message.type))];
    for (const subscriber of this.#subscribers) {
      if (subscriber.passOver(from, types)) continue;
      if (!subscriber.isBlocked) this.#enqueue(subscriber);
      // Only what was unsent before this batch counts: a burst alone does not make a reader slow.
      else if (subscriber.isTooSlow) this.#closeSlow(subscriber);
      else subscriber.countNew(messages);
    }
  }

  /**
   * Admits a reader. `charge`: who it is, as in the limits of requests, and who pays for what is read from the store.
   * Errors: 400 `invalid_request`, 503 `too_many_streams`. Source: protocol 8.2 (limits), 9 (filter, since).
   */
  admit(charge: Charge, query: StreamQuery): StreamOpener {
    if (!this.#places.isFreeFor(charge)) {
      throw new ServiceError('too_many_streams', { headers: { 'Retry-After': '30' } });
    }
    const wanted = parseFilter(query.filter ?? '');
    return (socket) => this.#open(socket, charge, wanted, query.since);
  }

  #open(socket: StreamSocket, charge: Charge, wanted: Wanted, since: number | undefined): StreamListener {
    const { feed, clock } = this.o;
    const next = Math.min(since ?? feed.head, feed.head) + 1;
    const subscriber = new Subscriber(socket, feed, wanted, next, clock.monotonicMs(), charge);
    this.#subscribers.add(subscriber);
    this.#places.take(charge);
    if (since !== undefined && since > feed.head) {
      socket.send([gapMessage(since, feed.head, this.o.timeSecs())]);
      this.o.onSent(1);
    }
    if (!subscriber.isAtHead) this.#enqueue(subscriber);
    this.#keepTicking();
    return {
      drained: () => {
        if (subscriber.unblock() && !subscriber.isAtHead) this.#enqueue(subscriber);
      },
      pong: () => {
        subscriber.lastPongMs = clock.monotonicMs();
      },
      closed: () => this.#remove(subscriber),
    };
  }

  #remove(subscriber: Subscriber): void {
    if (!this.#subscribers.delete(subscriber)) return;
    subscriber.isClosed = true;
    this.#places.release(subscriber.charge);
  }

  #enqueue(subscriber: Subscriber): void {
    if (subscriber.isQueued || subscriber.isWaiting || subscriber.isClosed) return;
    subscriber.isQueued = true;
    this.#queue.push(subscriber);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.o.clock.soon(() => this.#turn());
  }

  /** Sends for a few milliseconds; the rest is sent in the next turn of the loop. */
  #turn(): void {
    let work = 0;
    let at = 0;
    while (at < this.#queue.length && work < TURN_WORK) work += this.#visit(this.#queue[at++]!);
    this.#queue = this.#queue.slice(at);
    this.#isScheduled = this.#queue.length > 0;
    if (this.#isScheduled) this.o.clock.soon(() => this.#turn());
  }

  #visit(subscriber: Subscriber): number {
    subscriber.isQueued = false;
    if (subscriber.isClosed || subscriber.isBlocked || subscriber.isAtHead) return 0;
    // Somebody who reads the past for more than it may spend goes on with the next tick.
    if (!subscriber.isLive && subscriber.charge.isInDebt) return 1;
    const { feed } = this.o;
    const loads = feed.loads;
    let sent: number | Promise<unknown> = 0;
    try {
      const step = (): number | Promise<unknown> => subscriber.step(this.o.timeSecs);
      sent = subscriber.isLive ? step() : subscriber.charge.run(step);
    } catch (error) {
      this.#fail(subscriber, error);
      return VISIT_WORK;
    }
    if (typeof sent !== 'number') {
      this.#wait(subscriber, sent);
      return VISIT_WORK;
    }
    this.o.onSent(sent);
    if (!subscriber.isAtHead && !subscriber.isBlocked) this.#enqueue(subscriber);
    return (sent > 0 ? VISIT_WORK + sent : 1) + LOAD_WORK * (feed.loads - loads);
  }

  /** Goes on with a subscriber once what comes next was read. */
  #wait(subscriber: Subscriber, reading: Promise<unknown>): void {
    subscriber.isWaiting = true;
    const goOn = (): void => {
      subscriber.isWaiting = false;
      if (!subscriber.isAtHead && !subscriber.isBlocked) this.#enqueue(subscriber);
    };
    void reading.then(goOn, (error) => this.#fail(subscriber, error));
  }

  #fail(subscriber: Subscriber, error: unknown): void {
    if (subscriber.isClosed) return;
    this.o.log.error({ err: error }, 'stream closed: its events cannot be read');
    this.#end(subscriber, CLOSE_INTERNAL, 'internal error');
  }

  #closeSlow(subscriber: Subscriber): void {
    if (subscriber.isClosed) return;
    this.o.onSlowConsumer();
    this.#end(subscriber, CLOSE_SLOW, 'too slow: resume with since');
  }

  #end(subscriber: Subscriber, code: number, reason: string): void {
    subscriber.isClosed = true;
    subscriber.socket.close(code, reason);
  }

  #keepTicking(): void {
    if (this.#isTicking) return;
    this.#isTicking = true;
    this.o.clock.setTimer(() => {
      this.#isTicking = false;
      this.#tick();
      if (this.#subscribers.size > 0) this.#keepTicking();
    }, TICK_MS);
  }

  #tick(): void {
    const nowMs = this.o.clock.monotonicMs();
    for (const subscriber of this.#subscribers) {
      if (!subscriber.isLive && !subscriber.isBlocked && !subscriber.isAtHead) this.#enqueue(subscriber);
      if (subscriber.isTooSlow) this.#closeSlow(subscriber);
      else if (nowMs - subscriber.lastPongMs >= DEAD_MS) subscriber.socket.terminate();
      else if (nowMs - subscriber.lastPingMs >= PING_MS) {
        subscriber.lastPingMs = nowMs;
        subscriber.socket.ping();
      }
    }
  }
}
