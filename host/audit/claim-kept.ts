// Whether what an auditor kept of earlier runs is of this network and this program's. It is said in an auditor's words: the
// check that follows it speaks to operators, of data directories and manifests.

import { readMeta, SCHEMA } from '../execution/recovery.ts';
import type { Genesis } from '../wire/genesis.ts';
import { type Store, StoreError, UNCHANGED } from '../world/store.ts';

/** Errors: StoreError. Changes nothing. */
export function mustBeKeptOf(genesis: Genesis, store: Store): void {
  const kept = readMeta(store);
  if (!kept) return;
  if (kept.genesis_hash !== genesis.hashHex)
    throw new StoreError(
      `what was kept of earlier runs is of network ${kept.genesis_hash}, the node's is ${genesis.hashHex}: a network that was founded anew is another one. Delete what was kept, or keep it apart. ${UNCHANGED}`,
    );
  if (kept.schema !== SCHEMA)
    throw new StoreError(
      `what was kept of earlier runs has format ${kept.schema}, this program reads ${SCHEMA}: delete it, and the next run computes it anew. ${UNCHANGED}`,
    );
}
