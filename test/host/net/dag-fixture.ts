// A network of four seats whose vertices a test makes itself, with keys that it holds.

import { type KeyPair, keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { type Epoch, genesisEpoch, nextEpoch } from '../../../host/ordering/epoch.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { encodeEntry } from '../../../host/wire/entry.ts';
import type { Manifest } from '../../../host/wire/manifest.ts';
import { incarnationOf, nextSeq } from '../../../host/wire/seq.ts';
import { encodeVertex, makeVertex, type Vertex } from '../../../host/wire/vertex.ts';
import { genesisOf, START_MS, signedEntry } from '../one-node/harness.ts';

export const KEYS: readonly KeyPair[] = [1, 2, 3, 4].map((n) => keyPairFromSeed(new Uint8Array(32).fill(n)));

/** Equal seats for these keys. */
export const manifestOf = (keys: readonly KeyPair[]): Manifest => ({
  entries: keys.map(({ publicKeyHex }, i) => ({
    validator_id: `v${i + 1}`,
    operator_agent_id: publicKeyHex,
    consensus_public_key: publicKeyHex,
    key_epoch: 1,
    bonded_stake: 25_000_000_000,
    initial_status: 'active' as const,
  })),
});

export const GENESIS = genesisOf({ manifest: manifestOf(KEYS) });
export const FIRST: Epoch = genesisEpoch(GENESIS);
export const SECOND: Epoch = nextEpoch(
  GENESIS.hash,
  FIRST,
  { block: 64, hash: new Uint8Array(32).fill(5), order: 300, timeMs: START_MS },
  FIRST.seats,
);

export interface Made {
  vertex: Vertex;
  bytes: Uint8Array;
  id: string;
}

/** Vertices by all seats in turn, each over its own last one and the newest of the others. */
export class Weaver {
  readonly #newest: (Made | undefined)[];

  constructor(
    readonly epoch: Epoch = FIRST,
    private readonly keys: readonly KeyPair[] = KEYS,
  ) {
    this.#newest = keys.map(() => undefined);
  }

  make(creator: number, entries: readonly Uint8Array[] = [], others = true): Made {
    const own = this.#newest[creator];
    const heads = this.#newest.flatMap((made, seat) => (made && seat !== creator && others ? [made] : []));
    const made = weave(this.epoch, this.keys[creator]!, creator, own, heads, entries);
    this.#newest[creator] = made;
    return made;
  }

  /** So many vertices, by one seat after the other: parents first. */
  many(count: number): Made[] {
    return Array.from({ length: count }, (_, i) => this.make(i % this.keys.length));
  }
}

/** One vertex over these parents. */
export function weave(
  epoch: Epoch,
  key: KeyPair,
  creator: number,
  own: Made | undefined,
  heads: readonly Made[],
  entries: readonly Uint8Array[] = [],
  timeMs = START_MS,
  incarnation = incarnationOf(own?.vertex.header.seq ?? 0),
): Made {
  const sorted = [...heads].sort((a, b) => (a.id < b.id ? -1 : 1));
  const parents = own ? [own, ...sorted] : sorted;
  const fields = {
    work: true,
    creator,
    seq: nextSeq(own?.vertex.header.seq ?? 0, incarnation),
    lamport: 1 + Math.max(0, ...parents.map(({ vertex }) => vertex.header.lamport)),
    timeMs,
    epochId: epoch.id,
    parents: parents.map(({ vertex }) => vertex.id),
  };
  return madeOf(makeVertex(fields, entries, (message) => key.sign(message), epoch.maxParents));
}

export const madeOf = (vertex: Vertex): Made => ({
  vertex,
  bytes: encodeVertex(vertex),
  id: toHex(vertex.id),
});

/** The same bytes with one of them changed. */
export function spoiled(bytes: Uint8Array, at: number, flip = 1): Uint8Array {
  const copy = bytes.slice();
  copy[at < 0 ? copy.length + at : at]! ^= flip;
  return copy;
}

/** Where the signature of a vertex begins. */
export const signatureAt = ({ vertex }: Made): number => vertex.headerBytes.length;

/** Requests in one vertex of a branch: a body has a mebibyte at most. */
const REQUESTS = 3;

/** Requests that are no junk to who receives them, with about so many bytes in all. */
function wellSigned(bytes: number, timeMs: number, number: number): Uint8Array[] {
  const key = keyPairFromSeed(new Uint8Array(32).fill(99));
  const text = String(number).repeat(Math.floor(bytes / REQUESTS / String(number).length) - 400);
  return Array.from({ length: REQUESTS }, () =>
    encodeEntry(signedEntry({ nowMs: () => timeMs }, key, '/v1/tasks', { text })),
  );
}

/** Vertices of one seat, one over the other, without other parents; `entryBytes` 0: without payload. */
export function branchOf(
  epoch: Epoch,
  key: KeyPair,
  seat: number,
  count: number,
  entryBytes: number,
  timeMs: number,
): Made[] {
  const made: Made[] = [];
  for (let i = 0; i < count; i++) {
    const entries = entryBytes > 0 ? wellSigned(entryBytes, timeMs, i) : [];
    made.push(weave(epoch, key, seat, made.at(-1), [], entries, Math.floor(timeMs) + i));
  }
  return made;
}
