// Which contents and texts this node does not show, as its operator decided: read from the file anew, so that it takes effect
// at once.
// Keeps: a file that cannot be read leaves what was known; it is looked at when somebody asks, and not more often than
// every two seconds. Where nothing is hidden an answer costs nothing more.

import type { Logger } from '../log.ts';
import { hiddenPath, readHidden } from '../store/hidden-list.ts';
import { type Hidden, hiddenMark } from '../views/hidden.ts';
import { utf8 } from '../wire/bytes.ts';
import { sha256Hex } from '../wire/hash.ts';
import type { World } from '../world/world.ts';

const KEEP_MS = 2000;

export class HiddenContent implements Hidden {
  #hashes: ReadonlySet<string> = new Set();
  #version = 0;
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly world: Pick<World, 'files' | 'clock'>,
    private readonly dataDir: string,
    private readonly log: Logger,
  ) {}

  /** `hash`: SHA-256 of a content, hex. */
  has(hash: string | undefined): boolean {
    const hashes = this.#current();
    return hash !== undefined && hashes.has(hash);
  }

  json(value: unknown): string {
    const hashes = this.#current();
    if (hashes.size === 0) return JSON.stringify(value);
    return JSON.stringify(value, (_, member: unknown) => {
      if (typeof member !== 'string') return member;
      const hash = sha256Hex(utf8(member));
      return hashes.has(hash) ? hiddenMark(hash) : member;
    });
  }

  get version(): number {
    this.#current();
    return this.#version;
  }

  #current(): ReadonlySet<string> {
    const nowMs = this.world.clock.monotonicMs();
    if (nowMs - this.#readMs >= KEEP_MS) {
      this.#readMs = nowMs;
      this.#read();
    }
    return this.#hashes;
  }

  #read(): void {
    try {
      const hashes = new Set(readHidden(this.world.files, hiddenPath(this.dataDir)));
      const isSame = hashes.size === this.#hashes.size && [...hashes].every((hash) => this.#hashes.has(hash));
      if (!isSame) this.#version += 1;
      this.#hashes = hashes;
    } catch (error) {
      this.log.error({ err: error }, 'the list of hidden contents cannot be read: the last one applies');
    }
  }
}
