// What a joining node receives: not a log until it is complete and checked.
// Keeps: while the mark m:joining is stored, nothing in the store is trusted, and a start discards it; the mark is removed
// in the same synced batch that makes the rows a log, so there is no state in between. Only data received here is discarded.

import { LEAF_BYTES } from '../../assembly/abi.ts';
import type { Core } from '../core/core.ts';
import { State } from '../core/state.ts';
import { readTotals } from '../execution/recovery.ts';
import { epochDoc } from '../ordering/epoch.ts';
import type { Head, SnapshotMark } from '../ordering/head.ts';
import type { AgentDoc, CheckpointDoc } from '../store/documents.ts';
import { rangeOf, readU32, rowKey, rowU32 } from '../store/prefixes.ts';
import { taskSubmission } from '../store/task-rows.ts';
import { readJson, WriteSet } from '../store/write-set.ts';
import { addressBytes } from '../wire/address.ts';
import { equalBytes, toHex } from '../wire/bytes.ts';
import { sha256Hex } from '../wire/hash.ts';
import { agentKey } from '../wire/ids.ts';
import type { BatchOp, Store } from '../world/store.ts';
import type { Row } from './join-rows.ts';
import type { ProvenSeal } from './join-seals.ts';

const MARK = rowKey.meta('joining');
const MAX_BATCH_ROWS = 5000;
const SNAPSHOT = 's'.charCodeAt(0);
const MARKS = 'm'.charCodeAt(0);

/** What was received does not match the seal. The text completes "the peer's ...". */
export class JoinFault extends Error {
  override name = 'JoinFault';
}

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

/** Errors: JoinFault for a row that no core could load. */
export async function writeReceived(store: Store, rows: readonly Row[]): Promise<void> {
  for (const [key, value] of rows) {
    if (key[0] === SNAPSHOT && (key.length !== 5 || value.length !== LEAF_BYTES))
      throw new JoinFault('a leaf of the state has another size');
  }
  if (rows.length > 0) await store.write(rows.map(([key, value]) => ({ key, value })));
}

/**
 * Checks what was received against the newest seal, and makes it the log of this node. `core` is fresh. Errors: JoinFault;
 * then the caller discards what was received.
 */
export async function finishJoin(
  store: Store,
  core: Core,
  seals: readonly ProvenSeal[],
  validatorIds: readonly string[],
): Promise<Head> {
  const seal = seals.at(-1)!;
  const { statement, opened } = seal;
  const state = await stateOf(store, core, seal);
  await checkNames(store, state);
  await checkContents(store);
  if (readTotals(store).checkpoints !== statement.height)
    throw new JoinFault('the count of checkpoints is not the one that was signed');
  await writeSeals(store, seals, validatorIds);
  const head: Head = {
    block: statement.blockIndex,
    blockHash: toHex(statement.blockHash),
    order: statement.order,
    timeMs: statement.timeMs,
    seq: state.header().seq,
    epoch: opened.number,
  };
  const mark: SnapshotMark = { ...head, root: toHex(statement.stateRoot), layout: core.layout };
  const set = new WriteSet(store);
  set.putJson(rowKey.meta('head'), head);
  set.putJson(rowKey.meta('snapshot'), mark);
  set.putJson(rowKey.meta('signed'), { height: statement.height });
  set.putJson(rowKey.meta('joined'), { epoch: opened.number, order: statement.order });
  set.delete(MARK);
  await store.write(set.ops());
  return head;
}

async function stateOf(store: Store, core: Core, { statement }: ProvenSeal): Promise<State> {
  try {
    await core.importLeaves(leavesOf(store));
  } catch (error) {
    throw new JoinFault(`the leaves are not a valid state: ${(error as Error).message}`);
  }
  const root = core.stateHash();
  if (!equalBytes(root, statement.stateRoot)) {
    throw new JoinFault(`the state has root ${toHex(root)}, the signed one is ${toHex(statement.stateRoot)}`);
  }
  return new State(core);
}

async function* leavesOf(store: Store): AsyncGenerator<[number, Uint8Array]> {
  for await (const [key, leaf] of store.scan(rangeOf('s'))) yield [readU32(key, 1), leaf];
}

/** Names and addresses of agents must match the keys in the state, which they are or hash to. */
async function checkNames(store: Store, state: State): Promise<void> {
  const { agents } = state.header();
  let count = 0;
  for await (const [key, value] of store.scan(rangeOf('a'))) {
    const index = readU32(key, 1);
    const agent = key.length === 5 && index < agents ? state.agent(index) : undefined;
    const id = readJson<AgentDoc>(value)?.id;
    if (!agent || typeof id !== 'string' || !equalBytes(agentKey(id), agent.key))
      throw new JoinFault(`the name of agent ${index} is not the one in the state`);
    count += 1;
  }
  if (count !== agents) throw new JoinFault(`${count} of ${agents} agents have names`);
  for await (const [key, value] of store.scan(rangeOf('d'))) {
    const publicKey = value.length === 4 ? state.agent(readU32(value))?.publicKey : undefined;
    if (!publicKey || !equalBytes(addressBytes(publicKey), key.subarray(1)))
      throw new JoinFault('a deposit address is not that of its agent');
  }
}

/** Contents of results must match the hashes that were submitted with them. */
async function checkContents(store: Store): Promise<void> {
  for await (const [key, content] of store.scan(rangeOf('u'))) {
    const submission = taskSubmission(store, key.subarray(1));
    if (submission?.result_hash !== sha256Hex(content))
      throw new JoinFault(`the content of the result of task ${toHex(key.subarray(1))} was altered`);
  }
}

/** Stores the proven epochs, and the checkpoints at their seals. */
async function writeSeals(
  store: Store,
  seals: readonly ProvenSeal[],
  validatorIds: readonly string[],
): Promise<void> {
  let set = new WriteSet(store);
  for (const seal of seals) {
    const { number, id } = seal.opened;
    set.put(rowKey.epochById(id), rowU32(number));
    set.putJson(rowKey.epoch(number), epochDoc(seal.opened));
    set.putJson(rowKey.checkpoint(seal.statement.height), checkpointDoc(seal, validatorIds));
    if (set.size < MAX_BATCH_ROWS) continue;
    await store.write(set.ops());
    set = new WriteSet(store);
  }
  await store.write(set.ops());
}

function checkpointDoc(seal: ProvenSeal, validatorIds: readonly string[]): CheckpointDoc {
  const { statement, bytes, signatures, sealed } = seal;
  const docs = signatures.map(({ seat, signature }) => ({
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
