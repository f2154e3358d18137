// Vertices of another epoch than the running one, as bytes: of the next one, which cannot be checked yet, or of a past one.
// Keeps: memory is bounded, for each sender too, and nobody's vertices keep those of others out; what is dropped is fetched again.

import { type Bound, SenderLoad } from './sender-load.ts';
import { type Waiting, WaitingRoom } from './waiting-room.ts';

const MIB = 1024 * 1024;
const MAX_EARLY_PER_SENDER: Bound = { count: 2000, bytes: MIB };
const MAX_EARLY: Bound = { count: 20_000, bytes: 16 * MIB };

export interface EarlyVertex extends Waiting {
  /** The id in hex. */
  key: string;
  bytes: Uint8Array;
}

export class EarlyVertices {
  readonly #byId = new Map<string, EarlyVertex>();
  readonly #room = new WaitingRoom<EarlyVertex>(new SenderLoad(MAX_EARLY_PER_SENDER, MAX_EARLY));

  /** `key`: the id in hex. `lamport`: as its header says. */
  keep(key: string, bytes: Uint8Array, from: string, lamport: number): void {
    if (this.#byId.has(key)) return;
    // The link reuses the frame's buffer.
    const early = { key, bytes: bytes.slice(), length: bytes.length, from, height: lamport };
    this.#byId.set(key, early);
    for (const out of this.#room.add(early)) this.#byId.delete(out.key);
  }

  /** All of them; none is left here. */
  take(): EarlyVertex[] {
    const all = [...this.#byId.values()];
    this.#byId.clear();
    this.#room.clear();
    return all;
  }
}
