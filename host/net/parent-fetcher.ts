// Fetches missing parents of received vertices from peers, by id.
// Keeps: what did not arrive is requested again, from a random peer each time; ids that nobody has do not block others.

import { fromHex } from '../wire/bytes.ts';
import type { Clock } from '../world/clock.ts';
import { MAX_VERTICES } from './messages.ts';
import type { Peer } from './peer.ts';

const RETRY_MS = 1000;

export interface ParentFetcherOptions {
  clock: Clock;
  /** In 0..1. */
  random(): number;
  peers(): Iterable<Peer>;
  /** Ids of missing parents, hex. */
  missing(): string[];
}

export class ParentFetcher {
  #cancel: () => void = () => {};
  #isStopped = false;
  /** Number of requests sent. */
  requests = 0;

  constructor(private readonly options: ParentFetcherOptions) {}

  start(): void {
    if (this.#isStopped) return;
    this.#requestAgain();
    this.#cancel = this.options.clock.setTimer(() => this.start(), RETRY_MS);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  /** Asks the peer that sent the children, or any other. */
  request(ids: readonly Uint8Array[], from: Peer | undefined): void {
    const peer = from ?? [...this.options.peers()][0];
    if (!peer) return;
    this.requests += 1;
    peer.send({ type: 'want', ids: ids.slice(0, MAX_VERTICES) });
  }

  #requestAgain(): void {
    const missing = this.options.missing();
    const peers = [...this.options.peers()];
    if (missing.length === 0 || peers.length === 0) return;
    const at = Math.floor(this.options.random() * missing.length);
    const some = [...missing.slice(at), ...missing.slice(0, at)].slice(0, MAX_VERTICES);
    this.request(
      some.map((key) => fromHex(key)!),
      peers[Math.floor(this.options.random() * peers.length)],
    );
  }
}
