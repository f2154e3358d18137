// A seat that no node runs: it has the key, talks to machines as a peer, and signs what it likes, different things for each.

import { PEER_PROTOCOL } from '../../host/config/config.ts';
import { encodeMessage } from '../../host/net/messages.ts';
import type { Epoch } from '../../host/ordering/epoch.ts';
import type { Head } from '../../host/ordering/head.ts';
import { storedEpochs } from '../../host/ordering/stored-epoch.ts';
import { rowKey } from '../../host/store/prefixes.ts';
import { readJson } from '../../host/store/write-set.ts';
import type { Store } from '../../host/world/store.ts';
import type { Link } from '../../host/world/transport.ts';
import { branchOf, type Made } from '../host/net/dag-fixture.ts';
import { type SimNetwork, seatKey } from './network.ts';
import { SimTransport } from './wires.ts';

/** How fast it sends. */
const BYTES_PER_MS = 25_000;

export class Equivocator {
  readonly #transport: SimTransport;
  readonly #links = new Map<string, Link>();

  constructor(
    private readonly net: SimNetwork,
    readonly seat: number,
  ) {
    this.#transport = new SimTransport(net.wires, {
      machine: `n${seat}`,
      key: seatKey(seat),
      isAlive: () => true,
      enter: (run) => run(),
    });
  }

  /** Vertices of an epoch, one over the other, without other parents. */
  branch(count: number, entryBytes: number, timeMs: number, epoch = this.net.firstEpoch): Made[] {
    return branchOf(epoch, seatKey(this.seat), this.seat, count, entryBytes, timeMs);
  }

  /** Gives vertices to a machine, as fast as it can check them; it answers nothing that the machine asks. */
  async give(machine: string, made: readonly Made[], epoch = 0): Promise<void> {
    const link = this.#links.get(machine) ?? (await this.#link(machine).catch(() => undefined));
    // Down, or cut off: it is not reached.
    if (!link) return;
    for (const { bytes } of made) {
      link.send(encodeMessage({ type: 'vertices', epoch, vertices: [bytes] }));
      await this.net.universe.pause(bytes.length / BYTES_PER_MS);
    }
  }

  async #link(machine: string): Promise<Link> {
    const link = await this.#transport.dial(machine, 8337);
    this.#links.set(machine, link);
    link.open({ onMessage() {}, onClose: () => this.#links.delete(machine) });
    const { chainId, hash } = this.net.genesis;
    link.send(
      encodeMessage({
        type: 'hello',
        protocol: PEER_PROTOCOL,
        chainId,
        genesisHash: hash,
        isObserver: false,
      }),
    );
    return link;
  }

  /** Says nothing more to anybody. */
  async fallSilent(): Promise<void> {
    await this.#transport.close();
  }
}

/** The epoch that a machine's disk is in; the first of these machines that has one. */
export function runningEpoch(net: SimNetwork, names: readonly string[]): Epoch {
  for (const name of names) {
    const { disk } = net.machine(name);
    const store = { get: (key: Uint8Array) => disk.get(key) } as Store;
    const head = readJson<Head>(store.get(rowKey.meta('head')));
    if (head) return storedEpochs(store, net.genesis.hash, net.firstEpoch, head).epoch;
  }
  return net.firstEpoch;
}
