// A loose seat that signs different branches and gives them to different machines; it answers nothing that it is asked.

import type { Epoch } from '../../host/ordering/epoch.ts';
import type { Head } from '../../host/ordering/head.ts';
import { storedEpochs } from '../../host/ordering/stored-epoch.ts';
import { rowKey } from '../../host/store/prefixes.ts';
import { readJson } from '../../host/store/write-set.ts';
import type { Store } from '../../host/world/store.ts';
import { branchOf, type Made } from '../host/net/dag-fixture.ts';
import { LooseSeat } from './loose-seat.ts';
import { type SimNetwork, seatKey } from './network.ts';

/** How fast it sends. */
const BYTES_PER_MS = 25_000;

export class Equivocator {
  readonly #peer: LooseSeat;

  constructor(
    private readonly net: SimNetwork,
    readonly seat: number,
  ) {
    this.#peer = new LooseSeat(net, seat);
  }

  /** Vertices of an epoch, one over the other, without other parents. */
  branch(count: number, entryBytes: number, timeMs: number, epoch = this.net.firstEpoch): Made[] {
    return branchOf(epoch, seatKey(this.seat), this.seat, count, entryBytes, timeMs);
  }

  /** Gives vertices to a machine, as fast as it can check them. One that is down, or cut off, is not reached. */
  async give(machine: string, made: readonly Made[], epoch = 0): Promise<void> {
    await this.#peer.connect(machine).catch(() => {});
    for (const { bytes } of made) {
      this.#peer.send(machine, { type: 'vertices', epoch, vertices: [bytes] });
      await this.net.universe.pause(bytes.length / BYTES_PER_MS);
    }
  }

  /** Says nothing more to anybody. */
  async fallSilent(): Promise<void> {
    await this.#peer.fallSilent();
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
