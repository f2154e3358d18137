// One peer: its link, what it said about itself, how long answers take, and how much it may ask.
// Keeps: a peer's memory here is bounded; what it does not read is not kept for it; who says nothing is given up.

import { toHex } from '../wire/bytes.ts';
import type { Clock } from '../world/clock.ts';
import type { Link } from '../world/transport.ts';
import { encodeMessage, type HeadMessage, type Message } from './messages.ts';

/** protocol 12.8. */
const PING_MS = 15_000;
/** Without a sign of life for this long a link is given up. */
const SILENT_MS = 2 * PING_MS + 5000;
/** The other end's hello comes within this time, as its handshake does. */
const HELLO_MS = 10_000;
/** What answers may cost at once, and how much of it comes back each second: far above what a node that catches up asks. */
const MAX_CREDIT = 2000;
const CREDIT_EACH_SECOND = 1000;

export class Peer {
  readonly key: string;
  /** Seat by the manifest or the running table; undefined for an observer. */
  seat: number | undefined;
  isObserver = false;
  /** The hello of the other end was taken. */
  isReady = false;
  head: HeadMessage | undefined;
  /** Of the newest ping, milliseconds. */
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

  /** Nothing goes to a link that is full: its peer asks again for what it misses. */
  send(message: Message): void {
    if (this.link.isWritable) this.link.send(encodeMessage(message));
  }

  /** As send, for a message that many peers get: its bytes are made once. */
  sendEncoded(bytes: Uint8Array): void {
    if (this.link.isWritable) this.link.send(bytes);
  }

  /** Anything that came in shows that the peer is there. */
  heard(): void {
    this.#heardMs = this.clock.monotonicMs();
  }

  pong(nonce: number): void {
    if (this.#ping?.nonce !== nonce) return;
    this.latencyMs = this.clock.monotonicMs() - this.#ping.sentMs;
    this.#ping = undefined;
  }

  /** May this peer have an answer that costs so much, and does it read those that it has. */
  affords(cost: number): boolean {
    const nowMs = this.clock.monotonicMs();
    const earned = ((nowMs - this.#creditMs) * CREDIT_EACH_SECOND) / 1000;
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
      this.close('no hello came');
      return;
    }
    if (this.clock.monotonicMs() - this.#heardMs > SILENT_MS) {
      this.close('nothing was heard for 35 s');
      return;
    }
    this.measure();
    this.#schedule();
  }

  /** Measures the latency. */
  measure(): void {
    this.#nonce = (this.#nonce + 1) >>> 0;
    this.#ping = { nonce: this.#nonce, sentMs: this.clock.monotonicMs() };
    this.send({ type: 'ping', nonce: this.#nonce });
  }
}
