// People without a key at the peer ports: each opens sockets there and says nothing in them.

import type { SimNetwork } from './network.ts';

/** Sockets that one address keeps open at each port. */
const SOCKETS = 14;
/** Between two looks at which of them were closed. */
const KNOCK_MS = 1000;

export class Strangers {
  /** Sockets that were opened, and those of them that found no place. */
  opened = 0;
  refused = 0;
  readonly #open = new Map<string, number>();

  /** `addresses`: how many of them there are. */
  constructor(
    private readonly net: SimNetwork,
    addresses: number,
  ) {
    const all = Array.from({ length: addresses }, (_, i) => `203.0.${i >> 2}.${1 + i}`);
    if (addresses > 0) this.#knock(all);
  }

  #knock(addresses: readonly string[]): void {
    for (const { address: port } of this.net.machines) {
      for (const address of addresses) this.#fill(port, address);
    }
    this.net.universe.after(KNOCK_MS, () => this.#knock(addresses));
  }

  #fill(port: string, address: string): void {
    const name = `${address}>${port}`;
    for (let left = SOCKETS - (this.#open.get(name) ?? 0); left > 0; left--) {
      const listener = this.net.wires.listener(port);
      if (!listener) return;
      this.#add(name, 1);
      this.opened += 1;
      if (listener.knock(address, () => this.#add(name, -1))) continue;
      this.refused += 1;
      this.#add(name, -1);
      return;
    }
  }

  #add(name: string, by: number): void {
    this.#open.set(name, (this.#open.get(name) ?? 0) + by);
  }
}
