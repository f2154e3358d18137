// Asks for words on checkpoints that did not reach this node: a seat tells its own to those that are linked to it, and
// observers and halves of a torn network are not linked to all.
// Keeps: one question under way at a time, each time to another of the peers that have a quorum's words.

import type { Clock } from '../world/clock.ts';
import type { Peer } from './peer.ts';

/** How long words may be on their way before they are asked for, and how long an answer takes at most. */
const PATIENCE_MS = 1000;

export interface SignatureFetcherOptions {
  clock: Clock;
  /** In 0..1. */
  random(): number;
  /** Height of the newest checkpoint that a quorum has signed, as far as this node knows. */
  signed(): number;
  peers(): Iterable<Peer>;
}

export class SignatureFetcher {
  #cancel: (() => void) | undefined;
  #isStopped = false;

  constructor(private readonly options: SignatureFetcherOptions) {}

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  /** A peer said how far it has come. */
  headsChanged(): void {
    if (this.#cancel || this.#isStopped || this.#ahead().length === 0) return;
    this.#cancel = this.options.clock.setTimer(() => this.#ask(), PATIENCE_MS);
  }

  #ask(): void {
    this.#cancel = undefined;
    const peers = this.#ahead();
    if (peers.length === 0) return;
    peers[Math.floor(this.options.random() * peers.length)]!.send({ type: 'words' });
    this.headsChanged();
  }

  #ahead(): Peer[] {
    const signed = this.options.signed();
    return [...this.options.peers()].filter(({ head }) => head !== undefined && head.signed > signed);
  }
}
