// What a joining node receives: not a log until it is complete and checked.
// Keeps: the state, and every document that has leaves under the root, is what seats signed; lists are made from them; what
// else came is history, by which nothing is decided. While the mark m:joining is stored, nothing in the store is trusted, and a start
// discards it; the mark is removed in the same synced batch that makes the rows a log, so there is no state in between.
// Only data received here is discarded.

import type { Core } from '../core/core.ts';
import { State } from '../core/state.ts';
import { readTotals } from '../execution/recovery.ts';
import { epochDoc } from '../ordering/epoch.ts';
import type { Head, SnapshotMark } from '../ordering/head.ts';
import type { CheckpointDoc } from '../store/documents.ts';
import { isPossibleStart, putLogStart, readHistory } from '../store/history.ts';
import { rangeOf, readU32, rowKey, rowU32 } from '../store/prefixes.ts';
import { storedPages } from '../store/state-pages.ts';
import { WriteSet } from '../store/write-set.ts';
import { addressBytes } from '../wire/address.ts';
import { equalBytes, toHex } from '../wire/bytes.ts';
import type { BatchOp, Store } from '../world/store.ts';
import { checkDocuments } from './join-documents.ts';
import { JoinFault } from './join-fault.ts';
import { hasForm } from './join-forms.ts';
import { makeLists, placeEvents } from './join-lists.ts';
import type { Row } from './join-rows.ts';
import { type ProvenSeal, signaturesOf } from './join-seals.ts';

const MARK = rowKey.meta('joining');
const MAX_BATCH_ROWS = 5000;
const SNAPSHOT = 's'.charCodeAt(0);
const MARKS = 'm'.charCodeAt(0);

/** Is the store without a log: without blocks and vertices. */
export const hasNoLog = (store: Store): boolean =>
  store.get(rowKey.meta('head')) === undefined && store.get(rowKey.epochVertex(0, 0)) === undefined;

export const isJoinUnfinished = (store: Store): boolean => store.get(MARK) !== undefined;

export async function beginJoin(store: Store, epoch: number): Promise<void> {
  const set = new WriteSet(store);
  set.putJson(MARK, { epoch });
  await store.write(set.ops());
}

/** Deletes what was received, the mark last; other marks were not received. Only for a store with the mark. */
export async function discardReceived(store: Store): Promise<void> {
  let ops: BatchOp[] = [];
  for await (const [key] of store.scan({ gte: Uint8Array.of(0), lt: Uint8Array.of(0xff) })) {
    if (key[0] === MARKS) continue;
    ops.push({ key: key.slice(), value: undefined });
    if (ops.length < MAX_BATCH_ROWS) continue;
    await store.write(ops);
    ops = [];
  }
  await store.write([...ops, { key: MARK, value: undefined }]);
}

/** Errors: JoinFault for a row that no node can have written. */
export async function writeReceived(store: Store, rows: readonly Row[]): Promise<void> {
  for (const [key, value] of rows) {
    if (hasForm(key, value)) continue;
    if (key[0] === SNAPSHOT) throw new JoinFault('a page of the state is not as it was written');
    throw new JoinFault(`the row ${toHex(key.subarray(0, 80))} is not of the form of its kind`);
  }
  if (rows.length > 0) await store.write(rows.map(([key, value]) => ({ key, value })));
}

/**
 * Checks what was received against the newest seal, and makes it the log of this node. `core` is fresh; `makesLists` false: an
 * auditor has none. Errors: JoinFault; then the caller discards what was received.
 */
export async function finishJoin(
  store: Store,
  core: Core,
  seals: readonly ProvenSeal[],
  validatorIds: readonly string[],
  { makesLists } = { makesLists: true },
): Promise<Head> {
  const seal = seals.at(-1)!;
  const { statement, opened } = seal;
  const state = await stateOf(store, core);
  const coreRoot = core.stateHash();
  await checkHashes(store, core);
  checkHistory(store, statement.order, state.header().seq);
  if (makesLists) await placeEvents(store);
  await checkDocuments(store, state, coreRoot, statement.stateRoot);
  if (makesLists) await makeLists(store);
  await checkAddresses(store, state);
  if (readTotals(store).checkpoints !== statement.height)
    throw new JoinFault('the count of checkpoints is not the one that was signed');
  await writeSeals(store, seals, validatorIds, toHex(coreRoot));
  const head: Head = {
    block: statement.blockIndex,
    blockHash: toHex(statement.blockHash),
    order: statement.order,
    timeMs: statement.timeMs,
    seq: state.header().seq,
    epoch: opened.number,
  };
  const mark: SnapshotMark = { ...head, root: toHex(coreRoot), layout: core.layout };
  const set = new WriteSet(store);
  set.putJson(rowKey.meta('head'), head);
  set.putJson(rowKey.meta('snapshot'), mark);
  set.putJson(rowKey.meta('signed'), { height: statement.height });
  const time_secs = Math.floor(statement.timeMs / 1000);
  putLogStart(set, { epoch: opened.number, order: statement.order + 1, time_secs });
  set.delete(MARK);
  await store.write(set.ops());
  return head;
}

/** The beginning of the peer's documents is read by whoever asks for them. */
function checkHistory(store: Store, order: number, seq: number): void {
  try {
    if (isPossibleStart(readHistory(store), order, seq)) return;
  } catch {
    // Not JSON: as a beginning that cannot be.
  }
  throw new JoinFault('the beginning of its documents cannot be read');
}

async function stateOf(store: Store, core: Core): Promise<State> {
  try {
    await core.importPages(storedPages(store, brokenPage), false);
  } catch (error) {
    throw new JoinFault(`the leaves are not a valid state: ${(error as Error).message}`);
  }
  return new State(core);
}

const brokenPage = (page: number): JoinFault =>
  new JoinFault(`page ${page} of the state is not as it was written`);

/** From the next start on the hashes in the pages are believed: they must be those of the leaves. */
async function checkHashes(store: Store, core: Core): Promise<void> {
  for await (const [number, { hashes }] of storedPages(store, brokenPage))
    if (!equalBytes(hashes, core.page(number).hashes))
      throw new JoinFault(`page ${number} of the state has other hashes than its leaves`);
}

/** Deposit addresses must match the keys in the state, which they are hashes of. */
async function checkAddresses(store: Store, state: State): Promise<void> {
  for await (const [key, value] of store.scan(rangeOf('d'))) {
    const publicKey = value.length === 4 ? state.agent(readU32(value))?.publicKey : undefined;
    if (!publicKey || !equalBytes(addressBytes(publicKey), key.subarray(1)))
      throw new JoinFault('a deposit address is not that of its agent');
  }
}

/** Stores the proven epochs, and the checkpoints at their seals. */
async function writeSeals(
  store: Store,
  seals: readonly ProvenSeal[],
  validatorIds: readonly string[],
  /** Root of the core at the last one. */
  coreRoot: string,
): Promise<void> {
  let set = new WriteSet(store);
  for (const seal of seals) {
    const { number, id } = seal.opened;
    set.put(rowKey.epochById(id), rowU32(number));
    set.putJson(rowKey.epoch(number), epochDoc(seal.opened));
    const doc = checkpointDoc(seal, validatorIds);
    const isLast = seal === seals.at(-1);
    set.putJson(rowKey.checkpoint(doc.height), isLast ? { ...doc, core_root: coreRoot } : doc);
    if (set.size < MAX_BATCH_ROWS) continue;
    await store.write(set.ops());
    set = new WriteSet(store);
  }
  await store.write(set.ops());
}

function checkpointDoc(seal: ProvenSeal, validatorIds: readonly string[]): CheckpointDoc {
  const { statement, bytes, sealed } = seal;
  const docs = signaturesOf(seal).map(({ seat, signature }) => ({
    validator_id: validatorIds[seat] ?? `seat ${seat}`,
    public_key: toHex(sealed.seats[seat]!.key),
    signature: toHex(signature),
  }));
  docs.sort((a, b) => (a.validator_id < b.validator_id ? -1 : 1));
  return {
    height: statement.height,
    order: statement.order,
    consensus_time: Math.floor(statement.timeMs / 1000),
    state_root: toHex(statement.stateRoot),
    manifest_digest: toHex(statement.manifestDigest),
    block_index: statement.blockIndex,
    block_hash: toHex(statement.blockHash),
    statement: toHex(bytes),
    signatures: docs,
  };
}
