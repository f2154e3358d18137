// Brings a core and an ordering to the head of the stored log: every vertex of the snapshot's epoch and of later ones is
// inserted again, in the same order, and the resulting blocks must equal the stored ones.
// Keeps: nothing is written; the chain of block hashes and the head prove that the order is the same, and the newest checkpoint
// behind the snapshot that the state is. The cost is bounded by the size of one epoch and by what was executed after the snapshot.

import type { TxOutcome } from '../core/outcomes.ts';
import type { State } from '../core/state.ts';
import type { VerifyMany } from '../crypto/verifier.ts';
import { type BlockInput, blockRow } from '../ordering/block.ts';
import type { InsertedVertex, VertexContent } from '../ordering/dag.ts';
import { type EntryProof, LateProof, StoredProof } from '../ordering/entry-proof.ts';
import { type Epoch, type EpochDoc, epochDoc } from '../ordering/epoch.ts';
import type { Head } from '../ordering/head.ts';
import type { Ledger } from '../ordering/ledger.ts';
import type { Ordering } from '../ordering/ordering.ts';
import { damaged } from '../ordering/stored-epoch.ts';
import { readBadEntries, readPlace } from '../ordering/vertex-place.ts';
import type { CheckpointDoc } from '../store/documents.ts';
import { rowKey } from '../store/prefixes.ts';
import { readJson } from '../store/write-set.ts';
import { equalBytes, fromHex, toHex } from '../wire/bytes.ts';
import { decodeVertex, decodeVertexHeader, headerPart, vertexId } from '../wire/vertex.ts';
import type { Clock } from '../world/clock.ts';
import { type Store, StoreError } from '../world/store.ts';
import { applyBlock, applyEpochEnd } from './apply-block.ts';
import { storedRuns } from './contract-runs.ts';
import { readTotals } from './recovery.ts';

/** Positions read at once. */
export const CHUNK = 256;

/** Compares the resulting blocks with the log, and executes those after the snapshot. */
class ReplayLedger implements Ledger {
  blocks = 0;
  /** What this node has signed last. */
  readonly #signed: CheckpointDoc | undefined;

  constructor(
    private readonly store: Store,
    private readonly state: State,
    private readonly from: Head,
    private readonly to: Head,
    private readonly onBlock: (block: BlockInput) => void,
  ) {
    this.#signed = readJson<CheckpointDoc>(store.get(rowKey.checkpoint(readTotals(store).checkpoints)));
  }

  executes(block: number): boolean {
    return block > this.from.block;
  }

  onInserted(): void {}

  execute(block: BlockInput): readonly TxOutcome[] {
    const { index } = block;
    if (index > this.to.block)
      throw damaged(this.to.block, 'its vertices make more blocks than the head has');
    const stored = this.store.get(rowKey.block(index));
    if (!stored) throw damaged(index, 'the block is missing');
    if (!equalBytes(stored, blockRow(block))) throw damaged(index, 'its vertices make another block');
    this.blocks += 1;
    if (!this.executes(index)) return [];
    const transactions: TxOutcome[] = [];
    applyBlock(this.state, block, storedRuns(this.store), (outcome) => {
      if (outcome.kind === 'tx') transactions.push(outcome);
    });
    this.onBlock(block);
    return transactions;
  }

  closeEpoch(): void {
    applyEpochEnd(this.state);
  }

  /** One comparison proves the blocks before it, too: their state is part of what follows. */
  endBlock({ index }: BlockInput): void {
    const signed = this.#signed;
    if (signed?.block_index !== index || signed.core_root === undefined || !this.executes(index)) return;
    if (toHex(this.state.core.stateHash()) !== signed.core_root) throw anotherState(signed.height);
  }

  openEpoch(epoch: Epoch): void {
    const stored = readJson<EpochDoc>(this.store.get(rowKey.epoch(epoch.number)));
    const doc = epochDoc(epoch);
    // Rows of an earlier version have one field more.
    const names = Object.keys(doc) as (keyof EpochDoc)[];
    if (!names.every((name) => JSON.stringify(stored?.[name]) === JSON.stringify(doc[name]))) {
      throw damaged(epoch.firstBlock - 1, `the record of epoch ${epoch.number} is not what this seal gives`);
    }
  }
}

/** The program executes by other rules than the one that wrote the log, or something that the log needs is damaged. */
export const anotherState = (height: number): StoreError =>
  new StoreError(
    `the log gives another state at checkpoint ${height} than this node has signed: the data is damaged, or another program wrote it. The log is as it was: start the program that wrote it, or join again with an empty --data directory`,
  );

/** Is an ordering exactly at a stored head. */
export const isAtHead = (ordering: Ordering, head: Head): boolean =>
  ordering.head.block === head.block &&
  ordering.head.order === head.order &&
  ordering.epoch.number === head.epoch &&
  equalBytes(ordering.head.hash, fromHex(head.blockHash)!);

export interface ReplayProgress {
  block: number;
  to: number;
}

export interface ReplayOptions {
  clock: Pick<Clock, 'soon'>;
  store: Store;
  state: State;
  /** Head of the state: the snapshot's mark, or NO_HEAD. */
  from: Head;
  /** Head of the log. */
  to: Head;
  /** Makes an ordering that starts at the epoch of `from` and sends its blocks to this ledger. */
  order(ledger: Ledger): Ordering;
  /** Verifies entries whose block was not executed yet. */
  verify: VerifyMany;
  onProgress?(progress: ReplayProgress): void;
  /** After each executed block. */
  onBlock?(block: BlockInput): void;
}

/** Errors: StoreError when the log is damaged, or does not end at its head. */
export async function replay(options: ReplayOptions): Promise<Ordering> {
  const { store, state, from, to } = options;
  const ledger = new ReplayLedger(store, state, from, to, (block) => options.onBlock?.(block));
  const ordering = options.order(ledger);
  for (let position = 0; ; ) {
    const { number } = ordering.epoch;
    const found = admitStored(store, ordering, number, position, options.verify, () =>
      options.onProgress?.({ block: ordering.head.block, to: to.block }),
    );
    // Lets timers and signals be handled between chunks.
    await new Promise<void>((next) => options.clock.soon(next));
    if (ordering.halt) break;
    if (ordering.epoch.number !== number) position = 0;
    else if (found === CHUNK) position += CHUNK;
    else break;
  }
  // The log goes on by newer rules: an older program was put back.
  if (ordering.halt?.reason === 'old_program') throw ordering.halt;
  if (!isAtHead(ordering, to))
    throw damaged(ordering.head.block + 1, 'the vertices that made it are missing');
  const { order, seq } = state.header();
  if (order !== to.order || seq !== to.seq) {
    throw new StoreError(
      `replay ended at order ${order}, event ${seq}; the head says ${to.order}, ${to.seq}`,
    );
  }
  return ordering;
}

/**
 * Admits stored vertices from a position on, until the chunk, the log or the epoch ends; returns how many it found.
 * `onAdmitted`: called after each, since full ones take a tenth of a second.
 */
export function admitStored(
  store: Store,
  ordering: Ordering,
  epoch: number,
  position: number,
  verify: VerifyMany,
  onAdmitted: () => void,
): number {
  const keys = Array.from({ length: CHUNK }, (_, i) => rowKey.epochVertex(epoch, position + i));
  const ids = store.getMany(keys);
  const end = ids.indexOf(undefined);
  const found = (end < 0 ? ids : ids.slice(0, end)) as Uint8Array[];
  for (const id of found) {
    const bytes = store.get(rowKey.vertex(id));
    const vertex = openVertex(bytes, id, ordering);
    const result = ordering.admit(vertex, bytes!, { proofAt: storedProofs(store, id, verify) });
    if (result !== 'inserted') {
      throw damaged(ordering.head.block + 1, `vertex ${toHex(id)} does not fit (${result})`);
    }
    ordering.drain();
    onAdmitted();
    if (ordering.epoch.number !== epoch || ordering.halt) break;
  }
  return found.length;
}

/** The signature checks of a stored vertex: the stored results, if its block was executed; otherwise still to be done. */
function storedProofs(store: Store, id: Uint8Array, verify: VerifyMany): InsertedVertex['proofAt'] {
  let proofAt: ((index: number) => EntryProof) | undefined;
  return (index) => {
    proofAt ??= proofsOf(store, id, verify);
    return proofAt(index);
  };
}

function proofsOf(store: Store, id: Uint8Array, verify: VerifyMany): (index: number) => EntryProof {
  const row = store.get(rowKey.vertexPlace(id));
  if (!row || readPlace(row).order === undefined) return () => new LateProof(verify);
  const bad = store.get(rowKey.badSignatures(id));
  const badIndexes = bad ? readBadEntries(bad) : undefined;
  return (index) => new StoredProof(!badIndexes?.has(index));
}

/** Payloads are large, and before a snapshot nobody needs them: they are decoded when their block is executed. */
function openVertex(bytes: Uint8Array | undefined, id: Uint8Array, ordering: Ordering): VertexContent {
  const fault = (): StoreError =>
    damaged(ordering.head.block + 1, `vertex ${toHex(id)} is missing or altered`);
  const part = bytes && headerPart(bytes);
  const header = part && decodeVertexHeader(part, ordering.epoch.maxParents);
  if (!header || !equalBytes(vertexId(part), id)) throw fault();
  return {
    id,
    header,
    get entries() {
      const whole = decodeVertex(bytes!);
      if (!whole) throw fault();
      return whole.entries;
    },
  };
}
