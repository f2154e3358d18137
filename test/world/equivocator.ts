// A seat that no node runs: it has the key, talks to machines as a peer, and signs what it likes, different things for each.

import { PEER_PROTOCOL } from '../../host/config/config.ts';
import { encodeMessage } from '../../host/net/messages.ts';
import { genesisEpoch } from '../../host/ordering/epoch.ts';
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

  /** Vertices of the first epoch, one over the other, without other parents. */
  branch(count: number, entryBytes: number, timeMs: number): Made[] {
    const epoch = genesisEpoch(this.net.genesis);
    return branchOf(epoch, seatKey(this.seat), this.seat, count, entryBytes, timeMs);
  }

  /** Gives vertices to a machine, as fast as it can check them; it answers nothing that the machine asks. */
  async give(machine: string, made: readonly Made[]): Promise<void> {
    const link = this.#links.get(machine) ?? (await this.#link(machine));
    for (const { bytes } of made) {
      link.send(encodeMessage({ type: 'vertices', epoch: 0, vertices: [bytes] }));
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
