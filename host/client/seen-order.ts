// The newest order that an agent has seen, which its reads ask for, so that it reads its own writes at any node.
// Keeps: nothing is known before a write of the agent's own; reads move it by a bounded step only; and an order that no
// honest node confirms is dropped. Share one between clients of several nodes.
//
// A node that lies about an order can at most delay reads. An absurd order is dropped as soon as a node that does not say
// that it is catching up (X-Service-Behind) is more than MAX_AHEAD below it; a smaller lie makes reads fail with `behind`
// until the network reaches it, or `forget` is called.
// Where more seats lost their data than a network bears, the history may have been cut back behind what was seen. The order
// records that (consensus 5.7), a node that answers `behind` shows it, and the agent is told once: what it has seen is gone.

import type { Reply } from './transport.ts';
import type { VwsError } from './vws-error.ts';

/** Nodes answer `behind` at once beyond this; no honest node that keeps up is this far below a write (protocol 1.8). */
const MAX_AHEAD = 10_000;

/** Clocks of clients and consensus time differ by no more, else the client's writes are refused. */
const MAX_SKEW_SECS = 60;

/** The newest block with which acknowledged writes may have been lost, as nodes show it. */
export interface LostWrites {
  order: number;
  consensus_time: number;
}

export class SeenOrder {
  #newest: number | undefined;
  /** When it was seen, by the client's clock. */
  #seenSecs = 0;
  /** Order of the newest loss that the agent was told of. */
  #toldOrder = 0;

  /** Undefined while none is known. */
  get newest(): number | undefined {
    return this.#newest;
  }

  /** The answer of a write that was executed. */
  wrote(order: number | undefined, nowSecs: number): void {
    if (order === undefined || order <= (this.#newest ?? -1)) return;
    this.#newest = order;
    this.#seenSecs = nowSecs;
  }

  /** The answer of a read. */
  read(order: number | undefined, nowSecs: number): void {
    if (order === undefined || this.#newest === undefined || order > this.#newest + MAX_AHEAD) return;
    this.wrote(order, nowSecs);
  }

  /**
   * A node refused a read with `behind`; `details`: of its answer. Returns what the node shows, if the history was cut
   * after the newest order was seen: that one is dropped then.
   */
  refused({ isBehind }: Pick<Reply, 'isBehind'>, details: VwsError['details']): LostWrites | undefined {
    const lost = lostIn(details);
    if (this.#newest === undefined) return undefined;
    const isLater = lost !== undefined && lost.consensus_time + MAX_SKEW_SECS >= this.#seenSecs;
    if (isLater && lost.order !== this.#toldOrder) {
      this.#toldOrder = lost.order;
      this.forget();
      return lost;
    }
    const order = details?.order;
    if (!isBehind && typeof order === 'number' && this.#newest > order + MAX_AHEAD) this.forget();
    return undefined;
  }

  forget(): void {
    this.#newest = undefined;
  }
}

function lostIn(details: VwsError['details']): LostWrites | undefined {
  const { order, consensus_time } = (details?.writes_may_be_lost ?? {}) as Partial<LostWrites>;
  if (typeof order !== 'number' || typeof consensus_time !== 'number') return undefined;
  return { order, consensus_time };
}
