// Fetches signatures of checkpoints that did not reach this node: a seat sends its own to the peers linked to it, but
// observers, and nodes after a network split, are not linked to all seats.
// Keeps: one request at a time, to a random peer that has the signatures of a quorum.

import type { Clock } from '../world/clock.ts';
import type { Peer } from './peer.ts';

/** How long signatures may be on their way before they are requested; also the time between two requests. */
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

  /** A peer reported a new head. */
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
