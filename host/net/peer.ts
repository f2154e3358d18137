// One peer: its links, its reported head, its latency, and its credit for requests. Where both nodes dialed there are two links:
// what must not be late is sent on both, since a lost packet holds back everything behind it on its own link (protocol 12.8).
// Keeps: memory for a peer is bounded; nothing is queued for a full link; what is sent once goes on a link that is alive, as far as
// can be told; a silent link is closed, a peer without any is gone.

import { toHex } from '../wire/bytes.ts';
import type { Clock } from '../world/clock.ts';
import type { Link } from '../world/transport.ts';
import { encodeMessage, type HeadMessage, type Message } from './messages.ts';
import { PeerCredit } from './peer-credit.ts';

/** Source: protocol 12.8. */
const PING_MS = 15_000;
/** A link that was silent for this long is closed. */
const SILENT_MS = 2 * PING_MS + 5000;
/** How long a ping is waited for before another may follow outside the interval. */
const MAX_PONG_MS = 5000;
/** Pings whose answers are waited for: those of more than a second, however fast they follow each other. */
const MAX_PINGS = 64;
/** The other end must send its hello within this time. */
const HELLO_MS = 10_000;
/** Longest message that is sent on both links: the vertices of a round, with about twenty transactions. */
const MAX_TWICE_BYTES = 8192;
/** A link that brought nothing for so long of what came on the other one is late, or dead and not closed yet. */
const LATE_MS = 2000;

interface Lane {
  link: Link;
  heardMs: number;
}

/** Does a peer that has two links send such a message on both, as far as can be seen. */
const isTwice = ({ type }: Message, bytes: number): boolean =>
  type === 'ping' || (type === 'vertices' && bytes <= MAX_TWICE_BYTES);

export class Peer {
  readonly key: string;
  #seat: number | undefined;
  isObserver = false;
  /** Its hello was accepted. */
  isReady = false;
  head: HeadMessage | undefined;
  /** It has sent a newer one, for which it had no credit. */
  hasOlderHead = false;
  /** Of the last ping, milliseconds. */
  latencyMs: number | undefined;
  /** The first one carries everything. */
  #lanes: Lane[];
  /** Since when only the second has brought what comes on both, and the bytes that the first had brought by then. */
  #late: { sinceMs: number; received: number } | undefined;
  /** Traffic of links that are closed. */
  readonly #past = { sent: 0, received: 0 };
  /** Pings that may still be answered: nonce -> when it was sent, the newest last. */
  readonly #pings = new Map<number, number>();
  #nonce = 0;
  /** Of the last ping of this peer that was answered. */
  #answered: number | undefined;
  #cancel: () => void = () => {};
  /** Of the question that waits for credit. */
  #cancelQuestion: (() => void) | undefined;

  constructor(
    link: Link,
    private readonly clock: Clock,
    private readonly credit = new PeerCredit(clock),
  ) {
    this.key = toHex(link.peerKey);
    const nowMs = clock.monotonicMs();
    this.#lanes = [{ link, heardMs: nowMs }];
    this.#schedule(HELLO_MS);
  }

  /** Seat by the manifest or the running table; undefined for an observer. */
  get seat(): number | undefined {
    return this.#seat;
  }

  set seat(seat: number | undefined) {
    this.#seat = seat;
    this.credit.hasSeat = seat !== undefined;
  }

  /** The link that carries everything. */
  get link(): Link {
    return this.#lanes[0]!.link;
  }

  /** Has this node dialed one of the links. */
  get isDialed(): boolean {
    return this.#lanes.some(({ link }) => link.isDialed);
  }

  /** Bytes on the wire, those of closed links included. */
  get traffic(): { sent: number; received: number } {
    const { sent, received } = this.#past;
    return this.#lanes.reduce(
      (sum, { link: { traffic } }) => ({
        sent: sum.sent + traffic.sent,
        received: sum.received + traffic.received,
      }),
      { sent, received },
    );
  }

  /** May this link become the second: the other node has dialed one of the two. */
  canJoin(link: Link): boolean {
    return this.#lanes.length === 1 && this.link.isDialed !== link.isDialed;
  }

  join(link: Link): void {
    this.#lanes.push({ link, heardMs: this.clock.monotonicMs() });
  }

  has(link: Link): boolean {
    return this.#lanes.some((lane) => lane.link === link);
  }

  /** A link was closed, and what was under way on it is lost. False when it was the last one. */
  leave(link: Link): boolean {
    if (this.#lanes.length === 1) return false;
    this.#past.sent += link.traffic.sent;
    this.#past.received += link.traffic.received;
    this.#lanes = this.#lanes.filter((lane) => lane.link !== link);
    this.#late = undefined;
    return true;
  }

  /** Drops the message if the link is full: the peer requests again what it misses. */
  send(message: Message): void {
    if (this.link.isWritable) this.link.send(encodeMessage(message));
  }

  /** As `send`, for a message to many peers that is encoded once. `isUrgent`: on both links, unless it is long. */
  sendEncoded(bytes: Uint8Array, isUrgent: boolean): void {
    const lanes = isUrgent && bytes.length <= MAX_TWICE_BYTES ? this.#lanes : this.#lanes.slice(0, 1);
    for (const { link } of lanes) if (link.isWritable) link.send(bytes);
  }

  /**
   * The peer sent something on this link, so it is alive. True: what was sent on the other one lately may be lost, and this one
   * carries everything from now on.
   */
  heard(link: Link, message: Message, bytes: number): boolean {
    const nowMs = this.clock.monotonicMs();
    for (const lane of this.#lanes) if (lane.link === link) lane.heardMs = nowMs;
    if (link === this.link) this.#late = undefined;
    else if (isTwice(message, bytes)) {
      const { received } = this.link.traffic;
      // A part of a long message came: a slow line is not a dead one.
      if (this.#late?.received !== received) this.#late = { sinceMs: nowMs, received };
      else if (nowMs - this.#late.sinceMs >= LATE_MS) {
        this.#lanes.reverse();
        this.#late = undefined;
        return true;
      }
    }
    return false;
  }

  /**
   * Measures by the answer to a ping; undefined if it answers none that is waited for. Is it the newest one: where pings follow
   * each other faster than a far peer can answer, only older ones are answered.
   */
  pong(nonce: number): { isNewest: boolean } | undefined {
    const sentMs = this.#pings.get(nonce);
    if (sentMs === undefined) return undefined;
    this.latencyMs = this.clock.monotonicMs() - sentMs;
    for (const other of [...this.#pings.keys()]) {
      this.#pings.delete(other);
      if (other === nonce) break;
    }
    return { isNewest: nonce === this.#nonce };
  }

  /** A ping comes on both links, and is answered once. */
  isNewPing(nonce: number): boolean {
    const isNew = nonce !== this.#answered;
    this.#answered = nonce;
    return isNew;
  }

  /** Spends credit for an answer; false if there is too little, or the peer does not read its link. */
  affords(cost: number): boolean {
    return this.link.isWritable && this.credit.questions.spend(cost);
  }

  /** Spends credit for a message that was not asked for; false if there is none left. */
  spendsUnasked(): boolean {
    return this.credit.unasked.spend(1);
  }

  /** Spends credit for what an answer cost beyond what was known before: it may have less than none then. */
  owes(cost: number): void {
    this.credit.questions.owe(cost);
  }

  /** Asks again once there is credit for a question. One waits at a time; those that come meanwhile get no answer. */
  later(cost: number, ask: () => void): void {
    if (this.#cancelQuestion || !this.link.isWritable) return;
    this.#cancelQuestion = this.clock.setTimer(() => {
      this.#cancelQuestion = undefined;
      ask();
    }, this.credit.questions.waitMs(cost));
  }

  close(reason: string): void {
    this.stop();
    for (const { link } of [...this.#lanes]) link.close(reason);
  }

  stop(): void {
    this.#cancel();
    this.#cancelQuestion?.();
  }

  #schedule(ms = PING_MS): void {
    this.#cancel = this.clock.setTimer(() => this.#beat(), ms);
  }

  #beat(): void {
    if (!this.isReady) {
      this.close('no hello received');
      return;
    }
    const nowMs = this.clock.monotonicMs();
    const silent = this.#lanes.filter(({ heardMs }) => nowMs - heardMs > SILENT_MS);
    if (silent.length === this.#lanes.length) {
      this.close('nothing received for 35 s');
      return;
    }
    for (const { link } of silent) link.close('nothing received for 35 s');
    this.measure();
    this.#schedule();
  }

  /** Measures now, unless an answer is on its way. */
  probe(): void {
    const sentMs = this.#pings.get(this.#nonce);
    const isWaiting = sentMs !== undefined && this.clock.monotonicMs() - sentMs < MAX_PONG_MS;
    if (!isWaiting) this.measure();
  }

  /** Measures the latency and the clocks of the peer. */
  measure(): void {
    this.#nonce = (this.#nonce + 1) >>> 0;
    if (this.#pings.size === MAX_PINGS) this.#pings.delete(this.#pings.keys().next().value!);
    this.#pings.set(this.#nonce, this.clock.monotonicMs());
    this.sendEncoded(encodeMessage({ type: 'ping', nonce: this.#nonce }), true);
  }
}

/** The seats that peers speak for. */
export const seatsOf = (peers: Iterable<Peer>): number[] =>
  [...peers].flatMap(({ seat }) => (seat === undefined ? [] : [seat]));
