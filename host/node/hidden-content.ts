// Which contents this node does not show, as its operator decided: read from the file anew, so that it takes effect at once.
// Keeps: a file that cannot be read leaves what was known; it is looked at when somebody asks, and not more often than
// every two seconds.

import type { Logger } from '../log.ts';
import { hiddenPath, readHidden } from '../store/hidden-list.ts';
import type { World } from '../world/world.ts';

const KEEP_MS = 2000;

export class HiddenContent {
  #hashes: ReadonlySet<string> = new Set();
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly world: Pick<World, 'files' | 'clock'>,
    private readonly dataDir: string,
    private readonly log: Logger,
  ) {}

  /** `hash`: SHA-256 of a content, hex. */
  has(hash: string | undefined): boolean {
    const nowMs = this.world.clock.monotonicMs();
    if (nowMs - this.#readMs >= KEEP_MS) {
      this.#readMs = nowMs;
      this.#read();
    }
    return hash !== undefined && this.#hashes.has(hash);
  }

  #read(): void {
    try {
      this.#hashes = new Set(readHidden(this.world.files, hiddenPath(this.dataDir)));
    } catch (error) {
      this.log.error({ err: error }, 'the list of hidden contents cannot be read: the last one applies');
    }
  }
}
