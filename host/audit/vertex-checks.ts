// Checks of each vertex before it is ordered: form, id, the seat's signature, and the signatures of all agents; a page is
// verified in batches.
// Keeps: the key that an agent's signature must match is checked again when the entry executes (entry-proof.ts).

import type { VerifyMany } from '../crypto/verifier.ts';
import type { Identities } from '../execution/identity.ts';
import { claimedKey } from '../execution/intake.ts';
import { areGood, decodeAndOpen, EarlyProof, type EntryProof, LateProof } from '../ordering/entry-proof.ts';
import type { Epoch } from '../ordering/epoch.ts';
import { equalBytes, type SignatureJob, toHex } from '../wire/bytes.ts';
import { entrySignatures } from '../wire/entry.ts';
import { LogFault } from '../wire/log-fault.ts';
import { decodeVertex, type Vertex, vertexSigningBytes } from '../wire/vertex.ts';

/**
 * Entries that are checked together, and executed before the next ones are: as many as one batch of signatures takes. What is
 * held for longer has to be moved by the collector.
 */
const PART_ENTRIES = 1000;

export interface CheckedVertex {
  vertex: Vertex;
  bytes: Uint8Array;
  proofs: readonly EntryProof[];
}

export class VertexChecks {
  /** Number of verified signatures, of seats and of agents. */
  signatures = 0;

  constructor(
    private readonly ids: Identities,
    private readonly verify: VerifyMany,
  ) {}

  /**
   * Checks vertices of an epoch, a part of them at a time, as each is asked for; `from`: position of the first. `isLater`:
   * signatures of agents are verified one by one when their block executes, since few of these blocks will. Errors: LogFault
   * `vertex`, `signature`.
   */
  *check(epoch: Epoch, from: number, all: readonly Uint8Array[], isLater: boolean): Generator<CheckedVertex> {
    let part: Vertex[] = [];
    let [partFrom, entries] = [0, 0];
    for (let i = 0; i < all.length; i++) {
      const vertex = open(epoch, from + i, all[i]!);
      part.push(vertex);
      entries += vertex.entries.length;
      if (entries < PART_ENTRIES && i < all.length - 1) continue;
      yield* this.#checkPart(epoch, part, all.slice(partFrom, i + 1), isLater);
      [part, partFrom, entries] = [[], i + 1, 0];
    }
  }

  #checkPart(
    epoch: Epoch,
    vertices: readonly Vertex[],
    all: readonly Uint8Array[],
    isLater: boolean,
  ): CheckedVertex[] {
    const seats = this.#verify(
      vertices.map(({ id, header, signature }) => ({
        publicKey: epoch.seats[header.creator]!.key,
        message: vertexSigningBytes(id),
        signature,
      })),
    );
    const forged = vertices.find((_, i) => seats[i] !== 1);
    if (forged) {
      throw new LogFault(
        'signature',
        `vertex ${toHex(forged.id)} is not signed by its creator, seat ${forged.header.creator}`,
        { vertex: toHex(forged.id), epoch: epoch.number },
      );
    }
    const entries = vertices.flatMap((vertex) => vertex.entries);
    const late = new LateProof((jobs) => this.#verify(jobs));
    const proofs = isLater ? entries.map(() => late) : this.#prove(entries);
    let at = 0;
    return vertices.map((vertex, i) => {
      const own = proofs.slice(at, at + vertex.entries.length);
      at += own.length;
      return { vertex, bytes: all[i]!, proofs: own };
    });
  }

  #verify(jobs: readonly SignatureJob[]): Uint8Array {
    this.signatures += jobs.length;
    return this.verify(jobs);
  }

  #prove(entries: readonly Uint8Array[]): EntryProof[] {
    const jobs: SignatureJob[] = [];
    const parts = entries.map((bytes) => {
      const entry = decodeAndOpen(bytes);
      const key = entry && claimedKey(entry, this.ids);
      const own = key && entrySignatures(entry, () => key);
      if (own) jobs.push(...own);
      return { entry, key, count: own?.length };
    });
    const verdicts = this.#verify(jobs);
    const verifyLate: VerifyMany = (late) => this.#verify(late);
    let at = 0;
    return parts.map(({ entry, key, count }) => {
      // The signer is unknown as yet: the signature is checked when the entry executes.
      if (!entry || !key || count === undefined) return new LateProof(verifyLate, entry);
      const from = at;
      at += count;
      return new EarlyProof(entry, key, areGood(verdicts, from, at), verifyLate);
    });
  }
}

function open(epoch: Epoch, position: number, bytes: Uint8Array): Vertex {
  const at = `the vertex at position ${position} of epoch ${epoch.number}`;
  const vertex = decodeVertex(bytes, epoch.maxParents);
  if (!vertex) throw new LogFault('vertex', `${at} is malformed`, { epoch: epoch.number });
  const place = { vertex: toHex(vertex.id), epoch: epoch.number };
  if (!equalBytes(vertex.header.epochId, epoch.id))
    throw new LogFault('vertex', `${at}, ${place.vertex}, belongs to another epoch`, place);
  if (vertex.header.creator >= epoch.seats.length)
    throw new LogFault(
      'vertex',
      `${at}, ${place.vertex}, names seat ${vertex.header.creator}, which does not exist`,
      place,
    );
  return vertex;
}
