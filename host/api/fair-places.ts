// Places that all clients of a node share: open streams, reads that wait.
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

  isFreeFor({ address, network }: PlaceTaker): boolean {
    const left = this.places - this.#taken;
    const isUnderShare = this.#byNetwork.of(network) < fairShare(left, NETWORK_PARTS);
    return left > 0 && isUnderShare && this.#byAddress.of(address) < this.perAddress;
  }

  take({ address, network }: PlaceTaker): void {
    this.#taken += 1;
    this.#byAddress.add(address);
    this.#byNetwork.add(network);
  }

  /** Of a place that was taken. */
  release({ address, network }: PlaceTaker): void {
    this.#taken -= 1;
    this.#byAddress.remove(address);
    this.#byNetwork.remove(network);
  }
}
