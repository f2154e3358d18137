// Vertices of another epoch than the running one, as bytes: of the next one, which cannot be checked yet, or of a past one.
// Keeps: memory is bounded, for each sender too; what is dropped is fetched again.

import { type Bound, SenderLoad } from './sender-load.ts';

const MIB = 1024 * 1024;
const MAX_EARLY_PER_SENDER: Bound = { count: 2000, bytes: MIB };
const MAX_EARLY: Bound = { count: 20_000, bytes: 16 * MIB };

export interface EarlyVertex {
  bytes: Uint8Array;
  /** Who sent it. */
  from: string;
}

export class EarlyVertices {
  readonly #byId = new Map<string, EarlyVertex>();
  readonly #load = new SenderLoad(MAX_EARLY_PER_SENDER, MAX_EARLY);

  /** `key`: the id in hex. */
  keep(key: string, bytes: Uint8Array, from: string): void {
    if (this.#byId.has(key) || !this.#load.hasRoom(from, bytes.length)) return;
    // The link reuses the frame's buffer.
    this.#byId.set(key, { bytes: bytes.slice(), from });
    this.#load.add(from, bytes.length);
  }

  /** All of them; none is left here. */
  take(): EarlyVertex[] {
    const all = [...this.#byId.values()];
    this.#byId.clear();
    this.#load.clear();
    return all;
  }
}
