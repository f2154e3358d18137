// Fills an empty store with the state at the newest seal that a node or a snapshot file has (consensus 5.12 "Joining"): the
// chain of seals proves which keys signed it, and the state is checked against the root that they signed.
// Keeps: every document is proven that anything can refer to. An audit does not fetch settled events; what a node starts
// from is whole.

import { VwsError } from '../client/vws-error.ts';
import type { VerifyMany } from '../crypto/verifier.ts';
import { openCore, type Scale } from '../execution/open-core.ts';
import type { Modules } from '../modules/modules.ts';
import { JoinFault } from '../net/join-fault.ts';
import { decodeRows, type Row, SERVED, takenOf } from '../net/join-rows.ts';
import { isOpened, type ProvenSeal, SealChain } from '../net/join-seals.ts';
import { beginJoin, discardReceived, finishJoin, writeReceived } from '../net/join-store.ts';
import { decodeMessage } from '../net/messages.ts';
import { genesisEpoch } from '../ordering/epoch.ts';
import type { EventDoc } from '../store/documents.ts';
import { isOpenEvent } from '../store/events.ts';
import { rowKey, rowU64 } from '../store/prefixes.ts';
import { readJson } from '../store/write-set.ts';
import { fromHex, toHex } from '../wire/bytes.ts';
import type { Genesis } from '../wire/genesis.ts';
import { LogFault } from '../wire/log-fault.ts';
import { type Clock, pause } from '../world/clock.ts';
import type { Store } from '../world/store.ts';
import { type Bounds, Meter } from './bounds.ts';
import { FETCHED_PREFIXES, type VerifierStore } from './kept-rows.ts';
import type { LogSource } from './source.ts';

/** How often a state may be replaced by a newer one while it is fetched. */
const MAX_GONE = 3;
/**
 * The seats sign a seal a moment after it is made, and open the next epoch within the seconds after which an idle one makes a vertex: how
 * often, and after what pause, the newest seal is asked for again.
 */
const MAX_WAITS = 20;
const WAIT_MS = 500;
const GONE =
  'the node replaces its state faster than it can be fetched: begin at genesis, or ask another node';
const NO_ROOM = 'there is no room here for all documents of the state: begin at genesis';

/** Where seals and rows come from: a part of LogSource. */
export type StateSource = Pick<LogSource, 'seals' | 'state'>;

export interface SealOptions {
  genesis: Genesis;
  modules: Pick<Modules, 'core'>;
  store: Store & Pick<VerifierStore, 'isPartial'>;
  source: StateSource;
  verify: VerifyMany;
  scale?: Scale | undefined;
  bounds: Pick<Bounds, 'sealBytes' | 'stateBytes'>;
  /** To wait with for what follows the newest seal; without it a seal that is not signed is refused at once. */
  clock?: Pick<Clock, 'setTimer'> | undefined;
  /** `audit`: what an audit reads; `all`: what a node starts from. */
  rows: 'audit' | 'all';
  /** Looks at what was received before it becomes a log; refuses it by what it throws. */
  accept?(seals: readonly ProvenSeal[]): Promise<void>;
}

/**
 * Fills an empty store with the state at the newest seal, and returns the seals from the first to that one; undefined when
 * the source has none. Errors: LogFault; the store must not be used then.
 */
export async function beginAtSeal(o: SealOptions): Promise<readonly ProvenSeal[] | undefined> {
  const { genesis, source, verify, store } = o;
  const meter = new Meter('seals', o.bounds.sealBytes);
  let gone = 0;
  let waits = 0;
  const waited = async (): Promise<boolean> => {
    if (!o.clock || ++waits > MAX_WAITS) return false;
    await pause(o.clock, WAIT_MS);
    return true;
  };
  const chain = new SealChain(genesisEpoch(genesis, o.scale?.limits), genesis.hash, verify);
  for (;;) {
    const from = chain.length;
    const bytes = await source.seals(from);
    meter.add(bytes.length);
    const answer = decodeMessage(bytes);
    if (answer?.type !== 'sealed') throw new LogFault('answer', 'the proofs of seals cannot be read');
    let isUnsigned = false;
    for (const proof of answer.proofs) {
      if (chain.add(proof, '')) continue;
      const { kind, text } = chain.faults.get('')!;
      const isNewest = proof === answer.proofs.at(-1) && answer.offered <= chain.length + 1;
      isUnsigned = kind === 'weight' && isNewest && (await waited());
      if (isUnsigned) break;
      throw new LogFault(kind, `the proof of a seal is invalid: ${text}`, { epoch: chain.length });
    }
    if (isUnsigned) continue;
    if (chain.length > from && answer.offered > chain.length) continue;
    const { offered, openers } = answer;
    if (offered === 0 || offered > chain.length) return undefined;
    const seals = chain.seals.slice(0, offered);
    if (!isOpened(seals.at(-1)!.opened, openers, verify)) {
      if (await waited()) continue;
      return undefined;
    }
    await beginJoin(store, offered);
    if (!(await fetchRows(o, offered))) {
      await discardReceived(store);
      if (++gone > MAX_GONE) throw new VwsError({ status: 0, code: 'unreachable', message: GONE });
      continue;
    }
    if (store.isPartial) throw new VwsError({ status: 0, code: 'unreachable', message: NO_ROOM });
    await o.accept?.(seals);
    const validatorIds = genesis.manifest.entries.map((e) => e.validator_id);
    await finish(
      () =>
        finishJoin(store, openCore(genesis, o.modules.core, o.scale), seals, validatorIds, {
          makesLists: o.rows === 'all',
        }),
      offered,
    );
    return seals;
  }
}

async function finish(run: () => Promise<unknown>, epoch: number): Promise<void> {
  try {
    await run();
  } catch (error) {
    // Documents may be of forms that no reader of rows expects.
    if (error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError)
      throw new LogFault('answer', `rows of the state at the start of epoch ${epoch} cannot be read`, {
        epoch,
      });
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

/**
 * Fetches the rows of the prefixes that are asked for; for an audit, rows of event ids are rebuilt from the events. False
 * when the node has sealed meanwhile and holds this state no longer.
 */
async function fetchRows(
  { source, store, bounds, rows: which }: SealOptions,
  epoch: number,
): Promise<boolean> {
  const meter = new Meter('rows of the state', bounds.stateBytes);
  for (const prefix of which === 'all' ? SERVED : FETCHED_PREFIXES) {
    const first = Uint8Array.of(prefix.charCodeAt(0));
    for (let after = first; ; ) {
      const bytes = await source.state(epoch, toHex(after));
      const answer = decodeMessage(bytes);
      const rows = answer?.type === 'fetched' ? decodeRows(answer.rows, after) : undefined;
      const isOwn = rows?.every(([key]) => key[0] === first[0]);
      if (answer?.type !== 'fetched' || !rows || !isOwn || (answer.part === 'more' && rows.length === 0))
        throw new LogFault('answer', 'rows of the state cannot be read');
      if (answer.part === 'gone') return false;
      meter.add(bytes.length);
      const kept = which === 'all' ? takenOf(rows) : prefix === 'q' ? rows.flatMap(openEvent) : rows;
      await finish(() => writeReceived(store, kept), epoch);
      if (answer.part === 'last') break;
      after = rows.at(-1)![0].slice();
    }
  }
  return true;
}
