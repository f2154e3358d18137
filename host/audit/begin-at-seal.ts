// Begins an audit at the newest seal that a node can serve, instead of at genesis (consensus 5.12 "Joining"): the chain
// of seals proves which keys signed it, and the state is checked against the root that they signed.
// Keeps: of the texts stored outside the state only names and results are proven (README); events to which nothing can
// refer any more are not fetched.

import type { VerifyMany } from '../crypto/verifier.ts';
import { openCore, type Scale } from '../execution/open-core.ts';
import type { Modules } from '../modules/modules.ts';
import { decodeRows, type Row } from '../net/join-rows.ts';
import { isOpened, SealChain } from '../net/join-seals.ts';
import { beginJoin, finishJoin, JoinFault, writeReceived } from '../net/join-store.ts';
import { decodeMessage } from '../net/messages.ts';
import { genesisEpoch } from '../ordering/epoch.ts';
import type { EventDoc } from '../store/documents.ts';
import { rowKey, rowU64 } from '../store/prefixes.ts';
import { readJson } from '../store/write-set.ts';
import { fromHex, toHex } from '../wire/bytes.ts';
import type { Genesis } from '../wire/genesis.ts';
import { LogFault } from '../wire/log-fault.ts';
import { isOpenEvent, KEPT_PREFIXES, type VerifierStore } from './kept-rows.ts';
import type { LogSource } from './source.ts';

interface SealOptions {
  genesis: Genesis;
  modules: Modules;
  store: VerifierStore;
  source: LogSource;
  verify: VerifyMany;
  scale?: Scale | undefined;
  onRows(bytes: number): void;
}

/**
 * Fills an empty store with the state at the newest seal; false when the node can serve none. Errors: LogFault; the store
 * must not be used then.
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
      const { kind, text } = chain.faults.get('')!;
      throw new LogFault(kind, `the proof of a seal is invalid: ${text}`, { epoch: chain.length });
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
    throw new LogFault('state', `the state at the start of epoch ${epoch}: ${error.message}`, { epoch });
  }
}

/** The rows of an event if later ones may refer to it, else none. */
function openEvent(row: Row): Row[] {
  try {
    const doc = readJson<EventDoc>(row[1])!;
    return isOpenEvent(doc) ? [row, [rowKey.eventSeq(fromHex(doc.event_id)!), rowU64(doc.seq)]] : [];
  } catch {
    throw new LogFault('answer', 'an event cannot be read');
  }
}

/** Fetches the rows of the kept prefixes; rows of event ids are rebuilt from the events. */
async function fetchRows({ source, store, onRows }: SealOptions, epoch: number): Promise<void> {
  for (const prefix of KEPT_PREFIXES) {
    if (prefix === 'e') continue;
    const first = Uint8Array.of(prefix.charCodeAt(0));
    for (let after = first; ; ) {
      const bytes = await source.state(epoch, toHex(after));
      const answer = decodeMessage(bytes);
      const rows = answer?.type === 'fetched' ? decodeRows(answer.rows, after) : undefined;
      const isOwn = rows?.every(([key]) => key[0] === first[0]);
      if (answer?.type !== 'fetched' || !rows || !isOwn || (answer.part === 'more' && rows.length === 0))
        throw new LogFault('answer', 'rows of the state cannot be read');
      if (answer.part === 'gone')
        throw new LogFault('missing', `the node no longer has the state of epoch ${epoch}`, { epoch });
      onRows(bytes.length);
      const kept = prefix === 'q' ? rows.flatMap(openEvent) : rows;
      await finish(() => writeReceived(store, kept), epoch);
      if (answer.part === 'last') break;
      after = rows.at(-1)![0].slice();
    }
  }
}
