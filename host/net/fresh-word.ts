// What the others have executed, asked of them anew: what they reported last may be of before a cut that nobody has noticed yet.
// Keeps: only seats count that answered a ping sent after the question came; they and this node are a quorum. Those who ask
// at the same time share the pings. Source: protocol 1.6.

import type { Clock } from '../world/clock.ts';
import { credibleOrder } from './catch-up.ts';
import { type Peer, seatsOf } from './peer.ts';

/** How long the answers may take. */
const MAX_WAIT_MS = 2000;
/** Between two rounds of pings. */
const PAUSE_MS = 20;

export interface FreshWordOptions {
  clock: Pick<Clock, 'setTimer'>;
  peers(): Iterable<Peer>;
  /** Are these seats and this node's own a quorum. */
  isQuorumWith(seats: readonly number[]): boolean;
  includesHonest(seats: readonly number[]): boolean;
}

/** Undefined: too few have answered. */
type Listener = (order: number | undefined) => void;

interface Round {
  listeners: readonly Listener[];
  answered: Set<Peer>;
  cancel(): void;
}

export class FreshWord {
  #next: Listener[] = [];
  #round: Round | undefined;
  /** Of the pause behind a round. */
  #cancelPause: (() => void) | undefined;

  constructor(private readonly o: FreshWordOptions) {}

  /** The order that at least one honest seat has executed by now; undefined: too few are there to tell. */
  ask(): Promise<number | undefined> {
    return new Promise((resolve) => {
      this.#next.push(resolve);
      this.#begin();
    });
  }

  #begin(): void {
    if (this.#round || this.#cancelPause || this.#next.length === 0) return;
    const listeners = this.#next;
    this.#next = [];
    const cancel = this.o.clock.setTimer(() => this.#end(undefined), MAX_WAIT_MS);
    this.#round = { listeners, answered: new Set(), cancel };
    const seats = [...this.o.peers()].filter(({ seat }) => seat !== undefined);
    if (!this.o.isQuorumWith(seatsOf(seats))) this.#end(undefined);
    else for (const peer of seats) peer.measure();
  }

  /** A peer has answered the newest ping that it was sent. */
  answered(peer: Peer): void {
    const { answered } = this.#round ?? {};
    if (!answered) return;
    answered.add(peer);
    const seats = seatsOf(answered);
    if (!this.o.isQuorumWith(seats)) return;
    const order = credibleOrder(answered, (some) => this.o.includesHonest(some));
    if (order !== undefined) this.#end(order);
  }

  #end(order: number | undefined): void {
    const { listeners, cancel } = this.#round!;
    this.#round = undefined;
    cancel();
    this.#cancelPause = this.o.clock.setTimer(() => {
      this.#cancelPause = undefined;
      this.#begin();
    }, PAUSE_MS);
    for (const listener of listeners) listener(order);
  }

  stop(): void {
    for (const listener of this.#next.splice(0)) listener(undefined);
    if (this.#round) this.#end(undefined);
    this.#cancelPause?.();
  }
}
