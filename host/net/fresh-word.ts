// What the others have executed, asked of them anew: what they reported last may be of before a cut that nobody has noticed yet,
// and one of them may have executed more than it or anybody else has told. A round ends when, of a quorum, all that each had
// signed when it answered is here, and all work that it was built on is executed here: then so is whatever any node had executed.
// Keeps: only seats count that answered a ping sent after the question came, and whose work is executed; what a liar claims, or
// builds on, keeps only itself from counting. Those who ask at the same time share the pings. Source: protocol 1.6.

import type { Clock } from '../world/clock.ts';
import { credibleOrder } from './catch-up.ts';
import type { HeadMessage } from './messages.ts';
import { type Peer, seatsOf } from './peer.ts';

/** How long the answers may take, and behind them the execution of what they told. */
const MAX_WAIT_MS = 2000;
/**
 * Between two rounds of pings: at least, and for each peer, since a round costs a node and each of its peers a tenth of a millisecond.
 * Otherwise strangers whose writes are refused would have fifty nodes do little else than answer each other.
 */
const PAUSE_MS = 20;
const PAUSE_MS_PER_PEER = 4;

/** Is all work executed by now that something was built on. */
type IsSettled = () => boolean;

export interface FreshWordOptions {
  clock: Pick<Clock, 'setTimer'>;
  peers(): Iterable<Peer>;
  /** Are these seats and this node's own a quorum. */
  isQuorumWith(seats: readonly number[]): boolean;
  includesHonest(seats: readonly number[]): boolean;
  /** Of what this node's seat has signed by now. */
  own(): IsSettled;
  /** Of what a seat has signed by now; undefined while some of what its head tells is not here. */
  settling(seat: number, head: HeadMessage): IsSettled | undefined;
}

/** Undefined: too few have answered, or what they told is not executed. */
type Listener = (order: number | undefined) => void;

/** What a peer told before its answer. */
interface Word {
  head: HeadMessage;
  isSettled?: IsSettled | undefined;
}

interface Round {
  listeners: readonly Listener[];
  words: Map<Peer, Word>;
  own: IsSettled;
  /** A quorum has answered. */
  isHeard: boolean;
  pauseMs: number;
  cancel(): void;
}

export class FreshWord {
  #next: Listener[] = [];
  #round: Round | undefined;
  /** Of the pause behind a round. */
  #cancelPause: (() => void) | undefined;
  #isStopped = false;

  constructor(private readonly o: FreshWordOptions) {}

  /** The order that at least one honest seat has executed by now; undefined: that cannot be told. */
  ask(): Promise<number | undefined> {
    if (this.#isStopped) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#next.push(resolve);
      this.#begin();
    });
  }

  #begin(): void {
    if (this.#round || this.#cancelPause || this.#next.length === 0) return;
    const listeners = this.#next;
    this.#next = [];
    const cancel = this.#timeOut();
    const seats = [...this.o.peers()].filter(({ seat }) => seat !== undefined);
    const pauseMs = Math.max(PAUSE_MS, PAUSE_MS_PER_PEER * seats.length);
    this.#round = { listeners, words: new Map(), own: this.o.own(), isHeard: false, pauseMs, cancel };
    if (!this.o.isQuorumWith(seatsOf(seats))) this.#end(undefined);
    else for (const peer of seats) peer.measure();
  }

  #timeOut(): () => void {
    return this.o.clock.setTimer(() => this.#end(undefined), MAX_WAIT_MS);
  }

  /** A peer has answered the newest ping that it was sent. */
  answered(peer: Peer): void {
    const round = this.#round;
    if (!round || !peer.head || round.words.has(peer)) return;
    round.words.set(peer, { head: peer.head });
    if (!round.isHeard && this.o.isQuorumWith(seatsOf(round.words.keys()))) {
      round.isHeard = true;
      round.cancel();
      round.cancel = this.#timeOut();
    }
    this.#check(round);
  }

  /** Vertices were admitted, or blocks executed. */
  progressed(): void {
    if (this.#round) this.#check(this.#round);
  }

  #check({ words, own, isHeard }: Round): void {
    if (!isHeard || !own()) return;
    const settled = [...words].flatMap(([peer, word]) => (this.#isSettled(peer, word) ? [peer] : []));
    if (!this.o.isQuorumWith(seatsOf(settled))) return;
    this.#end(credibleOrder(settled, (some) => this.o.includesHonest(some)) ?? 0);
  }

  #isSettled({ seat }: Peer, word: Word): boolean {
    if (seat === undefined) return false;
    word.isSettled ??= this.o.settling(seat, word.head);
    return word.isSettled?.() === true;
  }

  #end(order: number | undefined): void {
    const { listeners, pauseMs, cancel } = this.#round!;
    this.#round = undefined;
    cancel();
    this.#cancelPause = this.o.clock.setTimer(() => {
      this.#cancelPause = undefined;
      this.#begin();
    }, pauseMs);
    for (const listener of listeners) listener(order);
  }

  /** Whoever waits, or asks from now on, is told that nothing is known. */
  stop(): void {
    this.#isStopped = true;
    for (const listener of this.#next.splice(0)) listener(undefined);
    if (this.#round) this.#end(undefined);
    this.#cancelPause?.();
  }
}
