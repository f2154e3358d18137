// Which consensus key a seat had in an epoch: the author of a vertex, also after later rotations (DECISIONS 3.10).
// Keeps: answers come from the records of the log; those of a few epochs are remembered.

import { keyOf, keyU32, readU32 } from '../store/prefixes.ts';
import type { Store } from '../store/store.ts';
import { readJson } from '../store/write-set.ts';
import { toHex } from '../wire/bytes.ts';
import type { Manifest } from '../wire/manifest.ts';
import type { EpochDoc } from './epoch.ts';

/** Epochs remembered: pages of vertices lie in one or two. */
const REMEMBERED = 8;

export class EpochKeys {
  /** Keys in hex by seat, by epoch id. */
  readonly #known = new Map<string, readonly string[]>();

  constructor(
    private readonly store: Store,
    private readonly manifest: Manifest,
  ) {}

  /** Hex key of a seat in the epoch with this id, one of the stored log. */
  keyOf(epochId: Uint8Array, seat: number): string {
    const id = toHex(epochId);
    let keys = this.#known.get(id);
    if (!keys) {
      if (this.#known.size >= REMEMBERED) this.#known.clear();
      keys = this.#read(epochId);
      this.#known.set(id, keys);
    }
    return keys[seat]!;
  }

  #read(epochId: Uint8Array): readonly string[] {
    const number = this.store.get(keyOf('E', epochId));
    // The first epoch has no record: its keys are the manifest's.
    if (!number) return this.manifest.entries.map((entry) => entry.consensus_public_key);
    return readJson<EpochDoc>(this.store.get(keyU32('c', readU32(number))))!.seats.map(({ key }) => key);
  }
}
