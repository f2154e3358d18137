// Verifies the signature of a vertex and those of its entries, all of them in batches.

import type { SignatureVerifier } from '../crypto/verifier.ts';
import type { EntryProof } from '../ordering/entry-proof.ts';
import type { Epoch } from '../ordering/epoch.ts';
import { type Vertex, vertexSigningBytes } from '../wire/vertex.ts';
import type { EntryChecks } from './entry-checks.ts';

export class VertexChecks {
  constructor(
    private readonly verifier: SignatureVerifier,
    private readonly entries: Pick<EntryChecks, 'prove'>,
  ) {}

  /** `isGood`: by the vertex's own signature. Undefined when the verifier refuses the work. */
  async verify(
    { id, header, signature, entries }: Vertex,
    epoch: Epoch,
  ): Promise<{ isGood: boolean; proofs: readonly EntryProof[] } | undefined> {
    const publicKey = epoch.seats[header.creator]!.key;
    const job = { publicKey, message: vertexSigningBytes(id), signature };
    try {
      const [isGood, proofs] = await Promise.all([this.verifier.verify(job), this.entries.prove(entries)]);
      return { isGood, proofs };
    } catch {
      return undefined;
    }
  }
}
