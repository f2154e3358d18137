// Makes a store anew from the log of another one: state, documents, lists and indexes, by the code that made them first.
// Keeps: the old store is only read. The new one is of use only if it ends where the old one does: the chain of blocks, the
// head, and every checkpoint, whose root is over state and documents. What a node alone knows is carried over.

import { State } from '../core/state.ts';
import type { VerifyMany } from '../crypto/verifier.ts';
import { Identities } from '../execution/identity.ts';
import { readEntry } from '../execution/intake.ts';
import { openCore, type Scale } from '../execution/open-core.ts';
import * as recovery from '../execution/recovery.ts';
import { admitStored, anotherState, CHUNK, isAtHead } from '../execution/replay.ts';
import type { Modules } from '../modules/modules.ts';
import { EmissionPolicy } from '../ordering/emission.ts';
import { genesisEpoch } from '../ordering/epoch.ts';
import type { Head } from '../ordering/head.ts';
import { OBSERVER, Ordering } from '../ordering/ordering.ts';
import { damaged } from '../ordering/stored-epoch.ts';
import { PRIVATE_PREFIXES } from '../store/document-leaves.ts';
import type { CheckpointDoc } from '../store/documents.ts';
import { hasWholeLog, readHistory } from '../store/history.ts';
import { rangeOf, rowKey } from '../store/prefixes.ts';
import { readJson } from '../store/write-set.ts';
import { fromUtf8 } from '../wire/bytes.ts';
import type { Genesis } from '../wire/genesis.ts';
import type { Clock } from '../world/clock.ts';
import { type BatchOp, type Store, StoreError, UNCHANGED } from '../world/store.ts';
import { openExecution } from './execution.ts';

/** Order numbers between two snapshots of the new store. */
const SNAPSHOT_ORDERS = 20_000;
/** Rows of a batch of those that are carried over. */
const CARRIED_AT_ONCE = 1000;
/** What the order does not tell: webhooks to deliver, own canaries, answers of the own judge, the trend. Marks are chosen below. */
const PRIVATE = PRIVATE_PREFIXES.filter((prefix) => prefix !== 'm');
/** Marks that the new store has of its own. */
const OWN_MARKS = new Set(['meta', 'head', 'snapshot', 'lists']);

export interface ReindexOptions {
  genesis: Genesis;
  modules: Pick<Modules, 'core' | 'consensus'>;
  /** Whole, and read only. */
  from: Store;
  /** Empty. */
  to: Store;
  verify: VerifyMany;
  clock: Pick<Clock, 'soon'>;
  scale?: Scale | undefined;
  onProgress(progress: { block: number; to: number }): void;
}

/** The log again, through the executor of a node that signs nothing. */
async function executeLog(o: ReindexOptions, head: Head): Promise<void> {
  const { genesis, modules, from, to, verify, scale } = o;
  const core = openCore(genesis, modules.core, scale);
  const ids = new Identities(new State(core), to, genesis);
  recovery.applyGenesis(core, genesis);
  await recovery.storeGenesisNames(to, ids.state, genesis);
  const signer = {
    seat: OBSERVER,
    validatorId: '',
    publicKey: new Uint8Array(32),
    sign: () => new Uint8Array(64),
  };
  const { executor } = await openExecution({
    store: to,
    genesis,
    ids,
    signer,
    snapshotOrders: SNAPSHOT_ORDERS,
  });
  const epoch = genesisEpoch(genesis, scale?.limits);
  const ordering = new Ordering({
    module: modules.consensus,
    genesisHash: genesis.hash,
    state: ids.state,
    epoch,
    epochBefore: undefined,
    seat: OBSERVER,
    sign: signer.sign,
    policy: new EmissionPolicy({ minIntervalMs: 0, maxParents: epoch.maxParents }),
    readEntry: (bytes, proof) => readEntry(bytes, genesis.chainId, ids, proof),
    verify,
    onEpoch: ({ seats }) => ids.useSeatKeys(seats.map(({ key }) => key)),
    ledger: executor,
  });
  for (let position = 0; ; ) {
    const { number } = ordering.epoch;
    const found = admitStored(from, ordering, number, position, verify, () => {});
    await executor.commit(true);
    o.onProgress({ block: ordering.head.block, to: head.block });
    await new Promise<void>((next) => o.clock.soon(next));
    if (ordering.halt) throw ordering.halt;
    if (ordering.epoch.number !== number) position = 0;
    else if (found === CHUNK) position += CHUNK;
    else break;
  }
  if (!isAtHead(ordering, head))
    throw damaged(ordering.head.block + 1, 'the vertices that made it are missing');
  await executor.close();
}

/** Signatures of others are not in the log; what they sign is, and must come out the same. */
async function carryCheckpoints(from: Store, to: Store): Promise<void> {
  for await (const [key, value] of from.scan(rangeOf('k'))) {
    const [had, made] = [readJson<CheckpointDoc>(value)!, readJson<CheckpointDoc>(to.get(key))];
    if (had.statement !== made?.statement) throw anotherState(had.height);
    await to.write([{ key, value }]);
  }
}

async function carryPrivate(from: Store, to: Store): Promise<void> {
  let ops: BatchOp[] = [];
  for (const prefix of PRIVATE) {
    for await (const [key, value] of from.scan(rangeOf(prefix))) {
      ops.push({ key, value });
      if (ops.length < CARRIED_AT_ONCE) continue;
      await to.write(ops);
      ops = [];
    }
  }
  for await (const [key, value] of from.scan(rangeOf('m')))
    if (!OWN_MARKS.has(fromUtf8(key.subarray(1)))) ops.push({ key, value });
  if (ops.length > 0) await to.write(ops);
}

/**
 * Errors: StoreError for a log that does not begin at genesis, is damaged, or gives other checkpoints; EpochRefused for one
 * of rules that this program does not know. The new store is worth nothing then.
 */
export async function reindex(o: ReindexOptions): Promise<Head> {
  const { genesis, from, to } = o;
  if (!recovery.readMeta(from)) throw new StoreError('the store is empty: there is nothing to make anew');
  await recovery.claimStore(from, genesis);
  const { log } = readHistory(from);
  if (!hasWholeLog(readHistory(from))) {
    throw new StoreError(
      `the log of this node begins with epoch ${log.epoch}, so it cannot be executed from the beginning. ${UNCHANGED}; join again with an empty --data directory, or restore a snapshot`,
    );
  }
  if (readJson(from.get(rowKey.meta('joining')))) throw new StoreError('a join is under way: start the node');
  await recovery.claimStore(to, genesis);
  const head = recovery.readHead(from);
  await executeLog(o, head);
  const made = recovery.readHead(to);
  if (JSON.stringify(made) !== JSON.stringify(head)) {
    throw new StoreError(
      `the log ends at order ${made.order}, event ${made.seq}; the head says ${head.order}, ${head.seq}`,
    );
  }
  await carryCheckpoints(from, to);
  await carryPrivate(from, to);
  return head;
}
