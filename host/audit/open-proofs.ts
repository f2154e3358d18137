// Proofs of documents (host/proofs) over what an audit reads a node by, with the network's own module for signatures.

import { VwsError } from '../client/vws-error.ts';
import { openEd25519 } from '../crypto/ed25519-wasm.ts';
import type { Modules } from '../modules/modules.ts';
import { type ProofParts, Proofs } from '../proofs/proofs.ts';
import type { LogSource } from './source.ts';

const NO_PROOF = 'the node has no such proof, or has dropped the document with older history';

export interface ProofOptions extends Omit<ProofParts, 'source' | 'verify'> {
  source: Pick<LogSource, 'genesis' | 'seals' | 'checkpoints' | 'document'>;
  modules: Pick<Modules, 'ed25519'>;
  randomBytes(count: number): Uint8Array;
}

/** Errors: LogFault for a node of another network; VwsError for one that does not answer. */
export function openProofs({ source, modules, randomBytes, ...o }: ProofOptions): Promise<Proofs> {
  const ed25519 = openEd25519(modules.ed25519, randomBytes);
  return Proofs.open({
    ...o,
    verify: (jobs) => (jobs.length === 0 ? new Uint8Array(0) : ed25519.verifyBatch(jobs)),
    source: {
      genesis: () => source.genesis(),
      seals: (from) => source.seals(from),
      checkpoints: (after, limit) => source.checkpoints(after, limit),
      proof: async (path) => {
        const { body } = await source.document(path);
        if (body === undefined) throw new VwsError({ status: 404, code: 'not_found', message: NO_PROOF });
        return body;
      },
    },
  });
}
