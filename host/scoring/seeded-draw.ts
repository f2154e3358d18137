// Deterministic random numbers from a seed: a chain of hashes.

import { sha256 } from '../wire/hash.ts';

export class SeededDraw {
  #state: Uint8Array;

  constructor(seed: Uint8Array) {
    this.#state = sha256(seed);
  }

  /** A number from 0 to n - 1; the bias of the remainder does not matter here. */
  below(n: number): number {
    this.#state = sha256(this.#state);
    return new DataView(this.#state.buffer, this.#state.byteOffset).getUint32(0) % n;
  }

  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}
