// Who may open another connection while many are open (protocol 8.2).
// Keeps: below half of what a node takes nobody is refused. Beyond that a network is refused once it has opened a third of what is
// left, so that none takes the places of all others; and each answer ends its connection, so that those that were opened
// before give way too, although they are used.
// Counts what was opened lately, not what is open: a driver need not tell whose connection has ended.

import { networkKey } from '../wire/ip-key.ts';
import type { Clock } from './clock.ts';
import { Lately } from './lately.ts';

interface SharesOptions {
  /** Connections open at once. */
  most: number;
  /** A connection on which nothing comes is closed after so long. */
  idleMs: number;
  clock: Pick<Clock, 'monotonicMs'>;
  /** Does an address stand for many clients: a proxy. */
  isProxy(address: string): boolean;
}

export class ConnectionShares {
  /** Connections opened, by network. */
  readonly #opened: Lately;

  constructor(private readonly o: SharesOptions) {
    this.#opened = new Lately(o.clock, o.idleMs);
  }

  /** Is a new connection taken. `open`: how many there are, this one included. */
  admits(address: string, open: number): boolean {
    const { isProxy, most } = this.o;
    if (open > most) return false;
    const network = networkKey(address);
    if (this.isCrowded(open) && !this.#opened.hasShare(network, most - open) && !isProxy(address))
      return false;
    this.#opened.add(network);
    return true;
  }

  /** Is more than half taken. */
  isCrowded(open: number): boolean {
    return 2 * open > this.o.most;
  }
}
