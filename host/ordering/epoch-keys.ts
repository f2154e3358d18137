// The epoch of a vertex, and which consensus key each seat had in it: shows the signer also after later rotations
// (protocol 3.10).
// Keeps: answers come from the records of the log; those of a few epochs are cached.

import { readU32, rowKey } from '../store/prefixes.ts';
import { readJson } from '../store/write-set.ts';
import { toHex } from '../wire/bytes.ts';
import type { Manifest } from '../wire/manifest.ts';
import type { Store } from '../world/store.ts';
import type { EpochDoc } from './epoch.ts';

/** Cached epochs: a page of vertices lies in one or two. */
const MAX_CACHED = 8;

export interface EpochSeats {
  /** 0, 1, ... */
  number: number;
  /** Keys in hex by seat. */
  keys: readonly string[];
}

export class EpochKeys {
  /** By epoch id. */
  readonly #cache = new Map<string, EpochSeats>();

  constructor(
    private readonly store: Store,
    private readonly manifest: Manifest,
  ) {}

  /** The epoch with this id, one of the stored log. */
  of(epochId: Uint8Array): EpochSeats {
    const id = toHex(epochId);
    let epoch = this.#cache.get(id);
    if (!epoch) {
      if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
      epoch = this.#read(epochId);
      this.#cache.set(id, epoch);
    }
    return epoch;
  }

  #read(epochId: Uint8Array): EpochSeats {
    const row = this.store.get(rowKey.epochById(epochId));
    // The first epoch has no record: its keys are the manifest's.
    if (!row) return { number: 0, keys: this.manifest.entries.map((entry) => entry.consensus_public_key) };
    const number = readU32(row);
    const { seats } = readJson<EpochDoc>(this.store.get(rowKey.epoch(number)))!;
    return { number, keys: seats.map(({ key }) => key) };
  }
}
