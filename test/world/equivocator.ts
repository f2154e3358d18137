// A loose seat that signs different branches and gives them to different machines; it answers nothing that it is asked.

import { keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import { genesisEpoch } from '../../host/ordering/epoch.ts';
import { encodeEntry } from '../../host/wire/entry.ts';
import { type Made, weave } from '../host/net/dag-fixture.ts';
import { signedEntry } from '../host/one-node/harness.ts';
import { LooseSeat } from './loose-seat.ts';
import { type SimNetwork, seatKey } from './network.ts';

/** In one vertex: a body has a mebibyte at most. */
const REQUESTS = 3;
/** How fast it sends. */
const BYTES_PER_MS = 25_000;

/** Requests that are no junk to who receives them, with so many bytes in all. */
function wellSigned(bytes: number, timeMs: number, number: number): Uint8Array[] {
  const key = keyPairFromSeed(new Uint8Array(32).fill(99));
  const text = String(number).repeat(Math.floor(bytes / REQUESTS / String(number).length) - 400);
  return Array.from({ length: REQUESTS }, () =>
    encodeEntry(signedEntry({ nowMs: () => timeMs }, key, '/v1/tasks', { text })),
  );
}

export class Equivocator {
  readonly #peer: LooseSeat;

  constructor(
    private readonly net: SimNetwork,
    readonly seat: number,
  ) {
    this.#peer = new LooseSeat(net, seat);
  }

  /** Vertices of the first epoch, one over the other, without other parents. */
  branch(count: number, entryBytes: number, timeMs: number): Made[] {
    const epoch = genesisEpoch(this.net.genesis);
    const made: Made[] = [];
    for (let i = 0; i < count; i++) {
      const entries = entryBytes > 0 ? wellSigned(entryBytes, timeMs, i) : [];
      made.push(
        weave(epoch, seatKey(this.seat), this.seat, made.at(-1), [], entries, Math.floor(timeMs) + i),
      );
    }
    return made;
  }

  /** Gives vertices to a machine, as fast as it can check them. */
  async give(machine: string, made: readonly Made[]): Promise<void> {
    await this.#peer.connect(machine);
    for (const { bytes } of made) {
      this.#peer.send(machine, { type: 'vertices', epoch: 0, vertices: [bytes] });
      await this.net.universe.pause(bytes.length / BYTES_PER_MS);
    }
  }

  /** Says nothing more to anybody. */
  async fallSilent(): Promise<void> {
    await this.#peer.fallSilent();
  }
}
