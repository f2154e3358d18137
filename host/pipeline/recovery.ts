// Start-up: opens the log, checks that it is this network's and whole, loads the snapshot, replays the rest.
// Keeps: nothing is ever deleted; every refusal names what is wrong. Replay runs the same core calls as the first
// time and must end at the same place, which the chain of block hashes and the stored root prove.

import * as abi from '../../assembly/abi.ts';
import * as commands from '../core/commands.ts';
import type { Core } from '../core/core.ts';
import type { State } from '../core/state.ts';
import type { Totals } from '../store/documents.ts';
import { keyOf, keyText, keyU32, keyU64, rangeOf, readU32 } from '../store/prefixes.ts';
import { RESTORE, type Store, StoreError } from '../store/store.ts';
import { readJson, WriteSet } from '../store/write-set.ts';
import { addressBytes } from '../wire/address.ts';
import { blockHash, decodeBlockHeader, verticesRoot } from '../wire/block.ts';
import { equalBytes, fromHex, toHex } from '../wire/bytes.ts';
import type { Genesis } from '../wire/genesis.ts';
import { decodeVertex } from '../wire/vertex.ts';
import type { BlockInput, VertexInput } from './block.ts';
import { applyBlock } from './executor.ts';
import type { Head, SnapshotMark } from './head.ts';
import type { Identities } from './identity.ts';
import { readEntry } from './intake.ts';
import type { OwnHead } from './single-seat.ts';

/** Version of the key space; a store of another one is refused. */
export const SCHEMA = 1;
const EVIDENCE_BYTES = 72;
const HEADER_BYTES = 168;

export interface Meta {
  schema: number;
  chain_id: string;
  genesis_hash: string;
}

export const NO_HEAD: Head = { block: 0, blockHash: '00'.repeat(32), order: 0, timeMs: 0, seq: 0 };
const NO_TOTALS: Totals = { vertices: 0, events: {}, checkpoints: 0 };

/** Refuses a store of another chain or format; claims an empty one. */
export async function claimStore(store: Store, genesis: Genesis): Promise<void> {
  const want: Meta = { schema: SCHEMA, chain_id: genesis.chainId, genesis_hash: genesis.hashHex };
  const have = readJson<Meta>(store.get(keyText('m', 'meta')));
  if (!have) {
    for await (const _ of store.scan({ gte: Uint8Array.of(0), lt: Uint8Array.of(0xff), limit: 1 })) {
      throw new StoreError(`the store has data but no description of it: it is damaged. ${RESTORE}`);
    }
    const set = new WriteSet(store);
    set.putJson(keyText('m', 'meta'), want);
    await store.write(set.ops());
    return;
  }
  const hint = 'Use another --data directory, or the settings it was made with. Nothing was changed.';
  if (have.schema !== want.schema) {
    throw new StoreError(
      `the data directory has format ${have.schema}, this program ${want.schema}. ${hint}`,
    );
  }
  if (have.chain_id !== want.chain_id) {
    throw new StoreError(
      `the data directory belongs to chain ${have.chain_id}, not ${want.chain_id}. ${hint}`,
    );
  }
  if (have.genesis_hash !== want.genesis_hash) {
    throw new StoreError(
      `the data directory has genesis ${have.genesis_hash}, the manifest and parameters give ${want.genesis_hash}. ${hint}`,
    );
  }
}

const STATUS: Record<string, number> = {
  active: abi.VALIDATOR_ACTIVE,
  probationary: abi.VALIDATOR_PROBATION,
  pending_join: abi.NO_STATUS,
};

/** The genesis records that every fresh core gets. */
export function applyGenesis(core: Core, genesis: Genesis): void {
  const seats = genesis.manifest.entries.map((e, seat) =>
    commands.genesisSeat({
      seat,
      status: STATUS[e.initial_status]!,
      operatorKey: fromHex(e.operator_agent_id)!,
      bondedStake: e.bonded_stake,
      baselineBp: e.reputation_baseline ?? 5000,
      validatorId: e.validator_id,
      categories: e.categories ?? [],
    }),
  );
  core.apply([...seats, commands.genesisEnd()], () => {});
}

/** Names and addresses of the operators, which no registration event brings. */
export async function storeGenesisNames(store: Store, state: State, genesis: Genesis): Promise<void> {
  const set = new WriteSet(store);
  for (const e of genesis.manifest.entries) {
    const key = fromHex(e.operator_agent_id)!;
    const index = state.findAgent(key)!;
    const row = Buffer.allocUnsafe(4);
    row.writeUInt32BE(index);
    set.putJson(keyU32('a', index), { id: e.operator_agent_id });
    set.put(keyOf('d', addressBytes(key)), row);
  }
  await store.write(set.ops());
}

export const readHead = (store: Store): Head => readJson<Head>(store.get(keyText('m', 'head'))) ?? NO_HEAD;
export const readTotals = (store: Store): Totals =>
  readJson<Totals>(store.get(keyText('w', 'totals'))) ?? structuredClone(NO_TOTALS);
export const readSnapshotMark = (store: Store): SnapshotMark | undefined =>
  readJson<SnapshotMark>(store.get(keyText('m', 'snapshot')));

/**
 * The snapshot to start from. One that a core of another layout wrote (another version of this program) is taken out:
 * it is derived, and the log it came from gives the same state again.
 */
export async function usableSnapshot(store: Store, core: Core): Promise<SnapshotMark | undefined> {
  const mark = readSnapshotMark(store);
  if (!mark || mark.layout === core.layout) return mark;
  const set = new WriteSet(store);
  for await (const [key] of store.scan(rangeOf('s'))) set.delete(key);
  set.delete(keyText('m', 'snapshot'));
  await store.write(set.ops());
  return undefined;
}

/** The seat's newest vertex; with one ordering seat that is the newest of the order. */
export function ownHead(store: Store, head: Head): OwnHead | undefined {
  if (head.order === 0) return undefined;
  const id = store.get(keyU64('o', head.order));
  const vertex = id && decodeVertex(store.get(keyOf('v', id)) ?? new Uint8Array());
  if (!id || !vertex) throw damaged(head.block, 'its last vertex is missing or altered');
  return { id, seq: vertex.header.seq, timeMs: vertex.header.timeMs };
}

async function* leavesOf(store: Store): AsyncGenerator<[number, Uint8Array]> {
  for await (const [key, leaf] of store.scan(rangeOf('s'))) yield [readU32(key, 1), leaf];
}

/** Loads the stored snapshot into a fresh core. Errors: StoreError when its root is not the stored one. */
export async function loadSnapshot(store: Store, core: Core, mark: SnapshotMark): Promise<void> {
  await core.importLeaves(leavesOf(store));
  const root = toHex(core.stateHash());
  if (root !== mark.root) {
    throw new StoreError(
      `the snapshot at order ${mark.order} is damaged: root ${root}, expected ${mark.root}`,
    );
  }
}

const damaged = (index: number, what: string): StoreError =>
  new StoreError(
    `the log is damaged at block ${index}: ${what}. Everything before it is intact and nothing was changed; restore the data directory from a copy`,
  );

/** A block out of the log, all its hashes recomputed. */
export function readBlock(
  store: Store,
  index: number,
  previous: string,
  chainId: string,
  ids: Identities,
): BlockInput {
  const bytes = store.get(keyU64('b', index));
  if (!bytes) throw damaged(index, 'the block is missing');
  const evidence = bytes.length >= HEADER_BYTES ? readEvidenceCount(bytes) : 0;
  const size = HEADER_BYTES + EVIDENCE_BYTES * evidence;
  const header = bytes.subarray(0, size);
  const h = decodeBlockHeader(header);
  if (!h || h.index !== index) throw damaged(index, 'its header is malformed');
  if (toHex(h.previous) !== previous) throw damaged(index, 'it does not follow the block before');
  const vertexIds: Uint8Array[] = [];
  for (let at = size; at < bytes.length; at += 32) vertexIds.push(bytes.subarray(at, at + 32));
  if (vertexIds.length !== h.vertexCount || !equalBytes(verticesRoot(vertexIds), h.verticesRoot)) {
    throw damaged(index, 'its vertices do not match its header');
  }
  const first = h.order - h.vertexCount + 1;
  const vertices = vertexIds.map((id, i) => readVertex(store, id, first + i, index, chainId, ids));
  return { index, timeMs: h.timeMs, hash: blockHash(header), header, vertices };
}

const readEvidenceCount = (b: Uint8Array): number => new DataView(b.buffer, b.byteOffset).getUint32(36, true);

function readVertex(
  store: Store,
  id: Uint8Array,
  order: number,
  block: number,
  chainId: string,
  ids: Identities,
): VertexInput {
  const bytes = store.get(keyOf('v', id));
  const vertex = bytes && decodeVertex(bytes);
  if (!vertex || !equalBytes(vertex.id, id))
    throw damaged(block, `vertex ${toHex(id)} is missing or altered`);
  return {
    id,
    bytes: bytes!,
    order,
    seat: vertex.header.creator,
    round: vertex.header.lamport,
    parents: vertex.header.parents.map(toHex).sort(),
    entries: vertex.entries.map((e) => readEntry(e, chainId, ids)),
  };
}

export interface ReplayProgress {
  block: number;
  to: number;
}

/**
 * Replays blocks (from, to.block] into the core. Errors: StoreError when the log is damaged, or ends elsewhere
 * than its head says.
 */
export async function replay(
  store: Store,
  genesis: Genesis,
  ids: Identities,
  from: Head,
  to: Head,
  onProgress: (progress: ReplayProgress) => void,
): Promise<void> {
  let previous = from.blockHash;
  for (let index = from.block + 1; index <= to.block; index++) {
    const block = readBlock(store, index, previous, genesis.chainId, ids);
    applyBlock(ids.state, block);
    previous = toHex(block.hash);
    if (index % 256 === 0) {
      onProgress({ block: index, to: to.block });
      await new Promise((next) => setImmediate(next));
    }
  }
  if (previous !== to.blockHash) throw damaged(to.block, 'its hash is not the one the head names');
  const { order, seq } = ids.state.header();
  if (order !== to.order || seq !== to.seq) {
    throw new StoreError(
      `replay ended at order ${order}, event ${seq}; the head says ${to.order}, ${to.seq}`,
    );
  }
}
