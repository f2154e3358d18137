// The addresses where seats are expected: those of configured peers and of the discovery name, and those from which seats
// were connected last. Their sockets have handshake places of their own (protocol 12.8).
// Keeps: an address is known because of the operator's settings or because a seat proved its key there; strangers cannot
// add one. A name that fails to resolve keeps its former addresses.

import type { Logger } from '../log.ts';
import { parseIp } from '../wire/ip-address.ts';
import { ipKey } from '../wire/ip-key.ts';
import type { Clock } from '../world/clock.ts';

/** As often as the discovery name is resolved (protocol 12.2). */
const LOOKUP_MS = 30_000;
/** Keys change, so more than there are seats; the oldest are forgotten. */
const MAX_SEAT_KEYS = 256;

export interface KnownAddressesOptions {
  clock: Clock;
  log: Logger;
  /** Names or addresses. */
  hosts: readonly string[];
  lookup(host: string): Promise<string[]>;
}

export class KnownAddresses {
  /** Host -> its addresses. */
  readonly #ofHosts = new Map<string, readonly string[]>();
  /** Key of a seat -> where it was connected last. */
  readonly #ofSeats = new Map<string, string>();
  #cancel: () => void = () => {};
  #isStopped = false;

  constructor(private readonly options: KnownAddressesOptions) {
    for (const host of options.hosts) if (parseIp(host)) this.#ofHosts.set(host, [ipKey(host)]);
  }

  start(): void {
    const names = [...new Set(this.options.hosts)].filter((host) => !parseIp(host));
    if (names.length > 0) void this.#resolve(names);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  /** `address`: of a socket, without a port. */
  has(address: string): boolean {
    const key = ipKey(address);
    const known = [...this.#ofHosts.values(), [...this.#ofSeats.values()]];
    return known.some((addresses) => addresses.includes(key));
  }

  /** A seat has proven its key at `peer`, host:port as a link shows it. */
  onSeat(seatKey: string, peer: string): void {
    this.#ofSeats.delete(seatKey);
    this.#ofSeats.set(seatKey, ipKey(peer.slice(0, peer.lastIndexOf(':'))));
    for (const oldest of this.#ofSeats.keys()) {
      if (this.#ofSeats.size <= MAX_SEAT_KEYS) break;
      this.#ofSeats.delete(oldest);
    }
  }

  async #resolve(names: readonly string[]): Promise<void> {
    const { clock, log, lookup } = this.options;
    for (const name of names) {
      try {
        this.#ofHosts.set(name, (await lookup(name)).map(ipKey));
      } catch (error) {
        log.debug({ host: name, err: error }, 'cannot resolve a peer');
      }
    }
    if (!this.#isStopped) this.#cancel = clock.setTimer(() => void this.#resolve(names), LOOKUP_MS);
  }
}
