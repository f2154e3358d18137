// Proofs of a network in one process: what it answers to a path of /v1/proof, through the handlers of the API, and a reader
// of them over it.

import { readFileSync } from 'node:fs';
import type { ReadContext } from '../../../host/api/context.ts';
import * as handlers from '../../../host/api/handlers/proofs.ts';
import * as audit from '../../../host/audit/index.ts';
import type { SignedCheckpoint } from '../../../host/proofs/readings.ts';
import { readHistory } from '../../../host/store/history.ts';
import { GENESIS, type Giver, NET } from '../net/join-world.ts';
import { GiverSource, type Lies } from './giver-source.ts';

export type ProofBody = Record<string, unknown> & {
  checkpoint: SignedCheckpoint;
  documents: { key: string; text: string }[];
  proof: string;
};

/** A copy of the body, which a liar may alter. Errors: ServiceError, as of the route. */
export function proofAnswer(giver: Giver, path: string): ProofBody {
  const { store, documents, totals, ids } = giver.parts;
  const history = () => readHistory(store);
  const context = { store, documents, totals, history, state: ids.state } as unknown as ReadContext;
  const url = new URL(path, 'http://node');
  const [, , , kind, id] = url.pathname.split('/') as [string, string, string, string, string?];
  const query = {
    limit: Number(url.searchParams.get('limit') ?? 50),
    after: url.searchParams.get('after') ?? '',
  };
  const args = { path: { kind, ...(id ? { id } : {}) }, query, page: { number: 1, size: 50, offset: 0 } };
  const { body } = id ? handlers.item(context, args) : handlers.list(context, args);
  return structuredClone(body) as ProofBody;
}

/** What a liar makes of an answer. */
export type Lie = (body: ProofBody) => ProofBody;

class ProofSource extends GiverSource {
  constructor(
    private readonly of: Giver,
    private readonly lie: Lie,
    lies: Lies,
  ) {
    super(of, lies);
  }
  override async document(path: string): Promise<audit.ReportedDocument> {
    if (!path.startsWith('/v1/proof/')) return super.document(path);
    return { body: this.lie(proofAnswer(this.of, path)), order: '0' };
  }
}

const ed25519 = new WebAssembly.Module(new Uint8Array(readFileSync('build/ed25519.wasm')));

export const openProofs = (giver: Giver, lie: Lie = (body) => body, lies: Lies = {}): Promise<audit.Proofs> =>
  audit.openProofs({
    source: new ProofSource(giver, lie, lies),
    modules: { ed25519 },
    genesisHash: GENESIS.hashHex,
    randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    pause: async () => {},
    limits: NET.limits,
  });

/** Writes until there is another checkpoint. */
export async function nextCheckpoint(giver: Giver): Promise<void> {
  const { checkpoints } = giver.parts.totals;
  for (let n = 0; giver.parts.totals.checkpoints === checkpoints; n++)
    await giver.write(giver.keyOf(230 + (n % 20)), '/v1/registry', { name: `Clock ${n}`, category: 'x' });
}
