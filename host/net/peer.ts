// One peer: its link, its reported head, its latency, and its credit for requests.
// Keeps: memory for a peer is bounded; nothing is queued for a full link; a silent peer is disconnected.

import { toHex } from '../wire/bytes.ts';
import type { Clock } from '../world/clock.ts';
import type { Link } from '../world/transport.ts';
import { encodeMessage, type HeadMessage, type Message } from './messages.ts';

/** Source: protocol 12.8. */
const PING_MS = 15_000;
/** A link that was silent for this long is closed. */
const SILENT_MS = 2 * PING_MS + 5000;
/** How long a ping is waited for before another may follow outside the interval. */
const MAX_PONG_MS = 5000;
/** The other end must send its hello within this time. */
const HELLO_MS = 10_000;
/** Credit for requests, and how much is restored each second: far more than a node needs that catches up. */
const MAX_CREDIT = 2000;
const CREDIT_PER_SECOND = 1000;

export class Peer {
  readonly key: string;
  /** Seat by the manifest or the running table; undefined for an observer. */
  seat: number | undefined;
  isObserver = false;
  /** Its hello was accepted. */
  isReady = false;
  head: HeadMessage | undefined;
  /** Of the last ping, milliseconds. */
  latencyMs: number | undefined;
  readonly sinceMs: number;
  #credit = MAX_CREDIT;
  #creditMs: number;
  #heardMs: number;
  #ping: { nonce: number; sentMs: number } | undefined;
  #nonce = 0;
  #cancel: () => void = () => {};

  constructor(
    readonly link: Link,
    private readonly clock: Clock,
  ) {
    this.key = toHex(link.peerKey);
    this.sinceMs = clock.monotonicMs();
    this.#creditMs = this.sinceMs;
    this.#heardMs = this.sinceMs;
    this.#schedule(HELLO_MS);
  }

  /** Drops the message if the link is full: the peer requests again what it misses. */
  send(message: Message): void {
    if (this.link.isWritable) this.link.send(encodeMessage(message));
  }

  /** As `send`, for a message to many peers that is encoded once. */
  sendEncoded(bytes: Uint8Array): void {
    if (this.link.isWritable) this.link.send(bytes);
  }

  /** The peer sent something, so it is alive. */
  heard(): void {
    this.#heardMs = this.clock.monotonicMs();
  }

  /** False if this answers no ping that is waited for. */
  pong(nonce: number): boolean {
    if (this.#ping?.nonce !== nonce) return false;
    this.latencyMs = this.clock.monotonicMs() - this.#ping.sentMs;
    this.#ping = undefined;
    return true;
  }

  /** Spends credit for an answer; false if there is too little, or the peer does not read its link. */
  affords(cost: number): boolean {
    const nowMs = this.clock.monotonicMs();
    const earned = ((nowMs - this.#creditMs) * CREDIT_PER_SECOND) / 1000;
    this.#credit = Math.min(MAX_CREDIT, this.#credit + earned);
    this.#creditMs = nowMs;
    if (this.#credit < cost || !this.link.isWritable) return false;
    this.#credit -= cost;
    return true;
  }

  close(reason: string): void {
    this.stop();
    this.link.close(reason);
  }

  stop(): void {
    this.#cancel();
  }

  #schedule(ms = PING_MS): void {
    this.#cancel = this.clock.setTimer(() => this.#beat(), ms);
  }

  #beat(): void {
    if (!this.isReady) {
      this.close('no hello received');
      return;
    }
    if (this.clock.monotonicMs() - this.#heardMs > SILENT_MS) {
      this.close('nothing received for 35 s');
      return;
    }
    this.measure();
    this.#schedule();
  }

  /** Measures now, unless an answer is on its way. */
  probe(): void {
    const isWaiting = this.#ping && this.clock.monotonicMs() - this.#ping.sentMs < MAX_PONG_MS;
    if (!isWaiting) this.measure();
  }

  /** Measures the latency and the clocks of the peer. */
  measure(): void {
    this.#nonce = (this.#nonce + 1) >>> 0;
    this.#ping = { nonce: this.#nonce, sentMs: this.clock.monotonicMs() };
    this.send({ type: 'ping', nonce: this.#nonce });
  }
}
