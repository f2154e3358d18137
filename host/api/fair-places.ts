// Places that all clients of a node share: open streams, reads that wait, writes of batches under way.
// Keeps: of one address no more than its bound, of one network a third of what is left: whoever comes first cannot take all.

import { Tally } from '../tally.ts';
import { fairShare } from './rate-windows.ts';

const NETWORK_PARTS = 3;

/** Who takes a place: `ipKey` and `networkKey` of a client, or its bare address. */
export interface PlaceTaker {
  address: string;
  network: string;
}

export class FairPlaces {
  readonly #byAddress = new Tally<string>();
  readonly #byNetwork = new Tally<string>();
  #taken = 0;

  constructor(
    private readonly places: number,
    private readonly perAddress: number,
  ) {}

  /** Are one or `count` places free. */
  isFreeFor({ address, network }: PlaceTaker, count = 1): boolean {
    const left = this.places - this.#taken;
    const isUnderShare = this.#byNetwork.of(network) + count <= fairShare(left, NETWORK_PARTS);
    return left >= count && isUnderShare && this.#byAddress.of(address) + count <= this.perAddress;
  }

  take({ address, network }: PlaceTaker, count = 1): void {
    this.#taken += count;
    this.#byAddress.add(address, count);
    this.#byNetwork.add(network, count);
  }

  /** Of as many places as were taken. */
  release({ address, network }: PlaceTaker, count = 1): void {
    this.#taken -= count;
    this.#byAddress.remove(address, count);
    this.#byNetwork.remove(network, count);
  }
}
