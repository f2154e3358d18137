// Begins at the newest seal that a node can give instead of at genesis (CONSENSUS 5.12 "Joining"): the chain of seals
// proves which keys signed it, the state is checked against the root that they signed.
// Keeps: of the texts that stand beside the state nothing is proven but names and results; see README.

import type { VerifyMany } from '../crypto/verifier.ts';
import { decodeRows } from '../net/join-rows.ts';
import { isOpened, SealChain } from '../net/join-seals.ts';
import { beginJoin, finishJoin, JoinFault, writeReceived } from '../net/join-store.ts';
import { decodeMessage } from '../net/messages.ts';
import { genesisEpoch } from '../pipeline/epoch.ts';
import { toHex } from '../wire/bytes.ts';
import type { Genesis } from '../wire/genesis.ts';
import { LogFault } from './fault.ts';
import { KEPT_PREFIXES, type VerifierStore } from './kept-rows.ts';
import type { Modules } from './modules.ts';
import { openCore, type Scale } from './replica.ts';
import type { LogSource } from './source.ts';

export interface SealOptions {
  genesis: Genesis;
  modules: Modules;
  store: VerifierStore;
  source: LogSource;
  verify: VerifyMany;
  scale?: Scale | undefined;
  onRows(bytes: number): void;
}

/**
 * Fills an empty store with the state at the newest seal; false when the node can give none. Errors: LogFault; the store is
 * not to be used then.
 */
export async function beginAtSeal(o: SealOptions): Promise<boolean> {
  const { genesis, source, verify, store } = o;
  const chain = new SealChain(genesisEpoch(genesis, o.scale?.limits), genesis.hash, verify);
  for (;;) {
    const from = chain.length;
    const answer = decodeMessage(await source.seals(from));
    if (answer?.type !== 'sealed') throw new LogFault('answer', 'the proofs of seals cannot be read');
    for (const proof of answer.proofs) {
      if (chain.add(proof, '')) continue;
      const fault = chain.faults.get('')!;
      const kind = fault.includes('forged') ? 'forged' : fault.includes('no quorum') ? 'weight' : 'answer';
      throw new LogFault(kind, `the proof of a seal is none: ${fault}`, { epoch: chain.length });
    }
    if (chain.length > from && answer.offered > chain.length) continue;
    const { offered, openers } = answer;
    if (offered === 0 || offered > chain.length) return false;
    const seals = chain.seals.slice(0, offered);
    if (!isOpened(seals.at(-1)!.opened, openers, verify)) return false;
    await beginJoin(store, offered);
    await fetchRows(o, offered);
    const validatorIds = genesis.manifest.entries.map((e) => e.validator_id);
    await finish(
      () => finishJoin(store, openCore(genesis, o.modules.core, o.scale), seals, validatorIds),
      offered,
    );
    return true;
  }
}

async function finish(run: () => Promise<unknown>, epoch: number): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof JoinFault)) throw error;
    throw new LogFault('state', `the state at the opening of epoch ${epoch}: ${error.message}`, { epoch });
  }
}

/** Rows of the prefixes that are kept: the others are jumped over. */
async function fetchRows({ source, store, onRows }: SealOptions, epoch: number): Promise<void> {
  for (const prefix of KEPT_PREFIXES) {
    const first = Uint8Array.of(prefix.charCodeAt(0));
    for (let after = first; ; ) {
      const bytes = await source.state(epoch, toHex(after));
      const answer = decodeMessage(bytes);
      const rows = answer?.type === 'fetched' ? decodeRows(answer.rows, after) : undefined;
      if (answer?.type !== 'fetched' || !rows)
        throw new LogFault('answer', 'rows of the state cannot be read');
      if (answer.part === 'gone')
        throw new LogFault('missing', `the node has the state of epoch ${epoch} no longer`, { epoch });
      onRows(bytes.length);
      const own = rows.filter(([key]) => key[0] === first[0]);
      await finish(() => writeReceived(store, own), epoch);
      if (own.length < rows.length || answer.part === 'last') break;
      after = own.at(-1)![0].slice();
    }
  }
}
