// Keeps connections up: to the configured peers, and to the addresses that a discovery host resolves to.
// Keeps: one attempt at a time for each address, less often after each failure; none while the key that answered there is
// connected, and none to addresses that the host no longer resolves to.

import type { HostPort } from '../config/config.ts';
import type { Logger } from '../log.ts';
import { toHex } from '../wire/bytes.ts';
import type { Clock } from '../world/clock.ts';
import type { Link, Transport } from '../world/transport.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** Failures in a row, some 15 s, after which it is no longer a matter of nodes that start together. */
const FAILURES_TO_TELL = 5;
/** Source: protocol 12.2. */
const DISCOVER_MS = 30_000;

export interface DialerOptions {
  transport: Transport;
  clock: Clock;
  log: Logger;
  peers: readonly HostPort[];
  discover: HostPort | undefined;
  /** Addresses of a host. */
  lookup(host: string): Promise<string[]>;
  /** This node's key: an address that answers with it is the node itself. */
  ownKey: string;
  isConnected(key: string): boolean;
  /** In 0..1; spreads attempts. */
  random(): number;
  onLink(link: Link): void;
}

interface Target extends HostPort {
  name: string;
  /** From discovery, not configured. */
  isFound: boolean;
  /** Key that last answered there. */
  key: string | undefined;
  waitMs: number;
  /** Failed attempts in a row. */
  failures: number;
  cancel: () => void;
}

const nameOf = ({ host, port }: HostPort): string => `${host}:${port}`;

export class Dialer {
  readonly #targets = new Map<string, Target>();
  #cancelDiscover: () => void = () => {};
  #isStopped = false;

  constructor(private readonly options: DialerOptions) {}

  start(): void {
    for (const peer of this.options.peers) this.#add(peer);
    if (this.options.discover) void this.#discover(this.options.discover);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelDiscover();
    for (const target of this.#targets.values()) target.cancel();
  }

  #add({ host, port }: HostPort, isFound = false): void {
    const name = nameOf({ host, port });
    if (this.#targets.has(name)) return;
    const waitMs = FIRST_WAIT_MS;
    const target = { host, port, name, isFound, key: undefined, waitMs, failures: 0, cancel: () => {} };
    this.#targets.set(name, target);
    void this.#try(target);
  }

  /** Addresses change while a node runs: those that are gone are not dialed any more. */
  #setFound(peers: readonly HostPort[]): void {
    const names = new Set(peers.map(nameOf));
    for (const target of this.#targets.values()) {
      if (!target.isFound || names.has(target.name)) continue;
      target.cancel();
      this.#targets.delete(target.name);
    }
    for (const peer of peers) this.#add(peer, true);
  }

  async #discover({ host, port }: HostPort): Promise<void> {
    try {
      const found = await this.options.lookup(host);
      if (!this.#isStopped) this.#setFound(found.map((address) => ({ host: address, port })));
    } catch (error) {
      this.options.log.warn({ host, err: error }, 'cannot resolve the discovery host');
    }
    if (this.#isStopped) return;
    this.#cancelDiscover = this.options.clock.setTimer(
      () => void this.#discover({ host, port }),
      DISCOVER_MS,
    );
  }

  /** Once for each time that an address falls silent: a misspelt one would be seen nowhere else. */
  #tell(target: Target, error: unknown): void {
    target.failures += 1;
    if (target.failures !== FAILURES_TO_TELL) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.options.log.warn(
      { address: target.name, reason },
      'no node answers at this address of a peer: it is tried again every half minute',
    );
  }

  async #try(target: Target): Promise<void> {
    if (this.#isStopped) return;
    const isConnected = target.key !== undefined && this.options.isConnected(target.key);
    if (isConnected) target.waitMs = FIRST_WAIT_MS;
    else {
      target.waitMs = Math.min(LONGEST_WAIT_MS, 2 * target.waitMs);
      try {
        const link = await this.options.transport.dial(target.host, target.port);
        target.key = toHex(link.peerKey);
        target.failures = 0;
        if (target.key === this.options.ownKey) {
          link.close('this is the node itself');
          return;
        }
        if (this.#isStopped) link.close('the node is stopping');
        else this.options.onLink(link);
      } catch (error) {
        this.#tell(target, error);
      }
    }
    if (this.#isStopped || this.#targets.get(target.name) !== target) return;
    const waitMs = target.waitMs * (0.75 + this.options.random() / 2);
    target.cancel = this.options.clock.setTimer(() => void this.#try(target), waitMs);
  }
}
