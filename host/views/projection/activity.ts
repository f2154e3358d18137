// Amounts and numbers of events by hour.
// Keeps: a batch adds to each of its hours once. The sums of the newest hour stay in memory, since nearly every batch adds to
// it: a write that fails ends the node, so they are never ahead of their row for long.

import { readU64, rowKey, writeU64 } from '../../store/prefixes.ts';
import type { WriteSet } from '../../store/write-set.ts';

/**
 * A claim of value is any amount and costs nothing, so volumes of an hour may be more than a number or a column of a database holds:
 * then they stay at the most. The same whatever the batches are, since amounts are not negative.
 */
export const MAX_VOLUME = Number.MAX_SAFE_INTEGER;
export const addVolumes = (a: number, b: number): number => Math.min(MAX_VOLUME, a + b);

/** `volume`: micro-units. */
interface Sums {
  volume: number;
  count: number;
}

export class Activity {
  /** Of this batch, by hour since 1970. */
  readonly #added = new Map<number, Sums>();
  #newest: ({ hour: number } & Sums) | undefined;

  /** `amount`: micro-units; `timeSecs`: consensus time of its block. */
  add(amount: number, timeSecs: number): void {
    const hour = Math.floor(timeSecs / 3600);
    const sums = this.#added.get(hour);
    if (sums) {
      sums.volume = addVolumes(sums.volume, amount);
      sums.count += 1;
    } else this.#added.set(hour, { volume: amount, count: 1 });
  }

  /** Writes what the batch has added. To be called once for each batch. */
  flush(set: WriteSet): void {
    for (const [hour, added] of this.#added) {
      const before = this.#before(hour, set);
      const sums = {
        hour,
        volume: addVolumes(before.volume, added.volume),
        count: before.count + added.count,
      };
      const row = new Uint8Array(16);
      writeU64(row, sums.volume);
      writeU64(row, sums.count, 8);
      set.put(rowKey.activity(hour), row);
      if (!this.#newest || hour >= this.#newest.hour) this.#newest = sums;
    }
    this.#added.clear();
  }

  #before(hour: number, set: WriteSet): Sums {
    if (this.#newest?.hour === hour) return this.#newest;
    const row = set.get(rowKey.activity(hour));
    return row ? { volume: readU64(row, 0), count: readU64(row, 8) } : { volume: 0, count: 0 };
  }
}
