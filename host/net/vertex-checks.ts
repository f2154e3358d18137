// Verifies the signature of a vertex and those of its entries, all of them in batches.

import type { EntryProof } from '../ordering/entry-proof.ts';
import type { Epoch } from '../ordering/epoch.ts';
import { type Vertex, vertexSigningBytes } from '../wire/vertex.ts';
import type { EntryChecks } from './entry-checks.ts';

export class VertexChecks {
  constructor(private readonly entries: Pick<EntryChecks, 'prove'>) {}

  /** `isGood`: by the vertex's own signature. Undefined when the verifier refuses the work. */
  async verify(
    { id, header, signature, entries }: Vertex,
    epoch: Epoch,
  ): Promise<{ isGood: boolean; proofs: readonly EntryProof[] } | undefined> {
    const publicKey = epoch.seats[header.creator]!.key;
    const seal = { publicKey, message: vertexSigningBytes(id), signature };
    try {
      return await this.entries.prove(seal, entries);
    } catch {
      return undefined;
    }
  }
}
