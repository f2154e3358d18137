// The newest order that an agent has seen, which its reads ask for, so that it reads its own writes at any node.
// Keeps: nothing is known before a write of the agent's own; reads move it by a bounded step only; and an order that no
// honest node confirms is dropped. Share one between clients of several nodes.
//
// A node that lies about an order can at most delay reads. An absurd order is dropped as soon as a node that does not say
// that it is catching up (X-Service-Behind) is more than MAX_AHEAD below it; a smaller lie makes reads fail with `behind`
// until the network reaches it, or `forget` is called.

import type { Reply } from './transport.ts';

/** Nodes answer `behind` at once beyond this; no honest node that keeps up is this far below a write (protocol 1.8). */
const MAX_AHEAD = 10_000;

export class SeenOrder {
  #newest: number | undefined;

  /** Undefined while none is known. */
  get newest(): number | undefined {
    return this.#newest;
  }

  /** The answer of a write that was executed. */
  wrote(order: number | undefined): void {
    if (order !== undefined) this.#newest = Math.max(order, this.#newest ?? 0);
  }

  /** The answer of a read. */
  read(order: number | undefined): void {
    if (order === undefined || this.#newest === undefined || order > this.#newest + MAX_AHEAD) return;
    this.#newest = Math.max(order, this.#newest);
  }

  /** A node refused a read with `behind`; `order`: its own. */
  refused({ isBehind }: Pick<Reply, 'isBehind'>, order: unknown): void {
    if (this.#newest === undefined || isBehind || typeof order !== 'number') return;
    if (this.#newest > order + MAX_AHEAD) this.forget();
  }

  forget(): void {
    this.#newest = undefined;
  }
}
