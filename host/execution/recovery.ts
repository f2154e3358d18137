// Start-up: checks that the store belongs to this network, loads the snapshot, and reads the head of the log. replay.ts
// executes what comes after the snapshot.
// Keeps: no data of the log is ever deleted; every error says what is wrong.

import * as abi from '../../assembly/abi.ts';
import * as commands from '../core/commands.ts';
import type { Core } from '../core/core.ts';
import type { State } from '../core/state.ts';
import { type Head, NO_HEAD, type SnapshotMark } from '../ordering/head.ts';
import { DocumentRoot, DocumentSet } from '../store/document-root.ts';
import type { Totals } from '../store/documents.ts';
import { hasWholeLog, readHistory } from '../store/history.ts';
import { rangeOf, rowKey, rowU32 } from '../store/prefixes.ts';
import { storedPages } from '../store/state-pages.ts';
import { readJson, WriteSet } from '../store/write-set.ts';
import { addressBytes } from '../wire/address.ts';
import { fromHex, toHex } from '../wire/bytes.ts';
import type { Genesis } from '../wire/genesis.ts';
import { RESTORE, type Store, StoreError, UNCHANGED } from '../world/store.ts';

/** Version of the store's format; older ones are migrated (migrations.ts) or refused. */
export const SCHEMA = 9;

export interface Meta {
  schema: number;
  chain_id: string;
  genesis_hash: string;
}

/** For a store whose format this program neither has nor migrates. */
export const formatFault = (format: number): StoreError =>
  new StoreError(
    format > SCHEMA
      ? `the data directory has format ${format}, this program knows formats up to ${SCHEMA}: a newer program wrote it. Start that one, or put the copy of before in the place of db. ${UNCHANGED}`
      : `the data directory has format ${format}, which this program (format ${SCHEMA}) cannot read: the rules of the network changed in between. Start the program that wrote it, or begin a new directory with the key of this one. ${UNCHANGED}`,
  );

export const readMeta = (store: Store): Meta | undefined => readJson<Meta>(store.get(rowKey.meta('meta')));

const NO_TOTALS: Totals = { vertices: 0, events: {}, checkpoints: 0 };

/** Refuses a store of another chain or format; claims an empty one. */
export async function claimStore(store: Store, genesis: Genesis): Promise<void> {
  const want: Meta = { schema: SCHEMA, chain_id: genesis.chainId, genesis_hash: genesis.hashHex };
  const have = readMeta(store);
  if (!have) {
    for await (const _ of store.scan({ gte: Uint8Array.of(0), lt: Uint8Array.of(0xff), limit: 1 })) {
      throw new StoreError(`the store has data but no description of it: it is damaged. ${RESTORE}`);
    }
    const set = new WriteSet(store);
    set.putJson(rowKey.meta('meta'), want);
    await store.write(set.ops());
    return;
  }
  const hint = 'Use another --data directory, or the settings it was made with. Nothing was changed.';
  if (have.schema !== want.schema) throw formatFault(have.schema);
  if (have.chain_id !== want.chain_id) {
    throw new StoreError(
      `the data directory belongs to chain ${have.chain_id}, not ${want.chain_id}. ${hint}`,
    );
  }
  if (have.genesis_hash !== want.genesis_hash) {
    throw new StoreError(
      `the data directory has genesis ${have.genesis_hash}, the manifest and parameters give ${want.genesis_hash}. ${hint} After a rotation of the only seat's key, give --manifest the one that vws manifest makes of the first key.`,
    );
  }
}

const STATUS: Record<string, number> = {
  active: abi.VALIDATOR_ACTIVE,
  probationary: abi.VALIDATOR_PROBATION,
  pending_join: abi.NO_STATUS,
};

/** Applies the genesis records to a fresh core. */
export function applyGenesis(core: Core, genesis: Genesis): void {
  const seats = genesis.manifest.entries.map((e, seat) =>
    commands.genesisSeat({
      seat,
      status: STATUS[e.initial_status]!,
      operatorKey: fromHex(e.operator_agent_id)!,
      bondedStake: e.bonded_stake,
      baselineBp: e.reputation_baseline ?? 5000,
      validatorId: e.validator_id,
      consensusKey: fromHex(e.consensus_public_key)!,
      keyEpoch: e.key_epoch,
      categories: e.categories ?? [],
    }),
  );
  core.apply([...seats, commands.genesisEnd()], () => {});
}

/** Stores names and addresses of the operators, who have no registration event, and the root over them. */
export async function storeGenesisNames(store: Store, state: State, genesis: Genesis): Promise<void> {
  const documents = new DocumentRoot(store);
  const set = new DocumentSet(store, documents, (index) => state.agentKey(index));
  for (const e of genesis.manifest.entries) {
    const key = fromHex(e.operator_agent_id)!;
    const index = state.findAgent(key)!;
    set.putJson(rowKey.agent(index), { id: e.operator_agent_id });
    set.put(rowKey.address(addressBytes(key)), rowU32(index));
  }
  documents.update(set);
  await store.write(set.ops());
}

export const readHead = (store: Store): Head => readJson<Head>(store.get(rowKey.meta('head'))) ?? NO_HEAD;
export const readTotals = (store: Pick<Store, 'get'>): Totals =>
  readJson<Totals>(store.get(rowKey.totals('totals'))) ?? structuredClone(NO_TOTALS);
export const readSnapshotMark = (store: Store): SnapshotMark | undefined =>
  readJson<SnapshotMark>(store.get(rowKey.meta('snapshot')));

/**
 * The snapshot to start from. One that was written with another core layout (by another version of this program) is
 * removed: it is derived data, and the log gives the same state again.
 */
export async function usableSnapshot(store: Store, core: Core): Promise<SnapshotMark | undefined> {
  const mark = readSnapshotMark(store);
  if (!mark || mark.layout === core.layout) return mark;
  if (!hasWholeLog(readHistory(store))) {
    throw new StoreError(
      `the snapshot was written by another version of this program, and this node has not got the log from the beginning, to replay it. ${UNCHANGED}; join again with an empty --data directory`,
    );
  }
  const set = new WriteSet(store);
  for await (const [key] of store.scan(rangeOf('s'))) set.delete(key);
  set.delete(rowKey.meta('snapshot'));
  await store.write(set.ops());
  return undefined;
}

/** Loads the stored snapshot into a fresh core. Errors: StoreError when its root is not the stored one. */
export async function loadSnapshot(store: Store, core: Core, mark: SnapshotMark): Promise<void> {
  const fault = (page: number): StoreError =>
    new StoreError(`the snapshot at order ${mark.order} is damaged: page ${page} is not as it was written`);
  await core.importPages(storedPages(store, fault), true);
  const root = toHex(core.stateHash());
  if (root !== mark.root) {
    throw new StoreError(
      `the snapshot at order ${mark.order} is damaged: root ${root}, expected ${mark.root}`,
    );
  }
}
