// What the data directory occupies and what its file system has left, read at most every few seconds.
// Keeps: however often it is asked, the file system is not; a platform that cannot tell says nothing.

import type { Clock } from '../world/clock.ts';
import type { DiskUse, World } from '../world/world.ts';

const KEEP_MS = 5000;
/** With less the store may fail at its next compaction, and a node whose write failed ends. */
export const MIN_FREE_BYTES = 2 ** 30;

export class DiskWatch {
  #use: DiskUse | undefined;
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly world: Pick<World, 'diskUse'> & { clock: Pick<Clock, 'monotonicMs'> },
    private readonly dataDir: string,
  ) {}

  get use(): DiskUse | undefined {
    const nowMs = this.world.clock.monotonicMs();
    if (nowMs - this.#readMs >= KEEP_MS) {
      this.#readMs = nowMs;
      this.#use = this.world.diskUse(this.dataDir);
    }
    return this.#use;
  }

  /** What may be written before there is too little left; Infinity where nobody can tell. */
  get roomBytes(): number {
    const free = this.use?.freeBytes;
    return free === undefined ? Number.POSITIVE_INFINITY : free - MIN_FREE_BYTES;
  }

  /** Is there room to go on writing. */
  get hasRoom(): boolean {
    return this.roomBytes >= 0;
  }
}
