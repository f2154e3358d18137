// Executes ordered blocks: core first, then documents, then one atomic write.
// Keeps: memory and disk move together; a failed write or a trap ends the node (memory would be ahead of disk).
// A replayed block goes through the same core calls, without writing what is on disk already.

import * as abi from '../../assembly/abi.ts';
import * as commands from '../core/commands.ts';
import type { Outcome, TxOutcome } from '../core/outcomes.ts';
import { readOutcomes } from '../core/outcomes.ts';
import type { State } from '../core/state.ts';
import type { EventDoc } from '../store/documents.ts';
import { keyOf, keyText, keyU32, keyU64 } from '../store/prefixes.ts';
import type { Store } from '../store/store.ts';
import { WriteSet } from '../store/write-set.ts';
import type { BlockInput, VertexInput } from './block.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { Head, SnapshotMark } from './head.ts';
import { Projector, type ProjectorContext } from './projector.ts';

/** Transactions after which a snapshot is due whatever the vertices: replaying them takes some ten seconds. */
const SNAPSHOT_TRANSACTIONS = 250_000;

export interface Executed {
  head: Head;
  timeSecs: number;
  transactions: TxOutcome[];
  events: EventDoc[];
  touched: number[];
  outcomes: Outcome[];
}

export interface ExecutorOptions {
  state: State;
  store: Store;
  projection: ProjectorContext;
  checkpoints: Checkpoints;
  head: Head;
  /** Vertices between two snapshots, or fewer when SNAPSHOT_TRANSACTIONS come first. */
  snapshotOrders: number;
  snapshotAt: number;
}

function recordsOf(block: BlockInput): Uint8Array[] {
  const records = [commands.block(block.timeMs, block.index, block.hash)];
  for (const v of block.vertices) {
    records.push(commands.vertex(v.order, v.seat, v.entries.length));
    for (const e of v.entries) records.push(e.command);
  }
  records.push(commands.blockEnd());
  return records;
}

/** Runs a block through the core. Outcomes are copied out, since queries reuse the core's buffer. */
export function applyBlock(state: State, block: BlockInput): Outcome[] {
  const outcomes: Outcome[] = [];
  state.core.apply(recordsOf(block), (out) => {
    for (const outcome of readOutcomes(out)) outcomes.push(outcome);
  });
  return outcomes;
}

export class Executor {
  #head: Head;
  #snapshotAt: number;
  #transactionsSince = 0;

  constructor(private readonly o: ExecutorOptions) {
    this.#head = o.head;
    this.#snapshotAt = o.snapshotAt;
  }

  get store(): Store {
    return this.o.store;
  }

  get head(): Head {
    return this.#head;
  }

  /** Executes one block and writes everything it made as one batch. Rejects when the node must stop. */
  async execute(block: BlockInput): Promise<Executed> {
    const outcomes = applyBlock(this.o.state, block);
    const timeSecs = Math.floor(block.timeMs / 1000);
    const set = new WriteSet(this.o.store);
    const events: EventDoc[] = [];
    const projector = new Projector(set, this.o.projection, (event) => events.push(event));
    const byOrder = new Map(block.vertices.map((v) => [v.order, v]));
    const transactions: TxOutcome[] = [];
    const touched: number[] = [];
    let seq = this.#head.seq;
    for (const outcome of outcomes) {
      if (outcome.kind === 'touched') {
        for (const agent of outcome.agents) touched.push(agent);
        continue;
      }
      const vertex = byOrder.get(outcome.order)!;
      projector.apply(outcome, vertex, timeSecs);
      if (outcome.seq > 0) seq = outcome.seq;
      if (outcome.kind === 'tx') {
        transactions.push(outcome);
        if (outcome.code !== abi.OK) this.#refused(set, outcome);
      }
    }
    this.o.projection.totals.vertices += block.vertices.length;
    const last = block.vertices[block.vertices.length - 1]!;
    const head: Head = {
      block: block.index,
      blockHash: Buffer.from(block.hash).toString('hex'),
      order: last.order,
      timeMs: block.timeMs,
      seq,
    };
    this.#log(set, block, head);
    this.o.checkpoints.atBlockEnd(set, block, this.#head.order, head);
    projector.finish();
    this.#transactionsSince += transactions.length;
    const isDue =
      head.order - this.#snapshotAt >= this.o.snapshotOrders ||
      this.#transactionsSince >= SNAPSHOT_TRANSACTIONS;
    if (isDue) this.#snapshot(set, head);
    await this.o.store.write(set.ops());
    this.#head = head;
    return { head, timeSecs, transactions, events, touched, outcomes };
  }

  /** A refused transaction leaves no event, but its TxID is spent: what became of it stays readable. */
  #refused(set: WriteSet, o: TxOutcome): void {
    const spent = o.opcode !== abi.OP_REGISTER && o.code > abi.DUPLICATE_TX;
    if (!spent) return;
    const row = Buffer.allocUnsafe(12);
    row.writeBigUInt64BE(BigInt(o.order), 0);
    row.writeUInt32BE(o.code, 8);
    set.put(keyOf('t', o.txId), row);
  }

  #log(set: WriteSet, block: BlockInput, head: Head): void {
    const ids = block.vertices.map((v) => Buffer.from(v.id));
    set.put(keyU64('b', block.index), Buffer.concat([block.header, ...ids]));
    for (const v of block.vertices) {
      set.put(keyOf('v', v.id), v.bytes);
      this.#placed(set, v, block);
    }
    set.putJson(keyText('m', 'head'), head);
  }

  #placed(set: WriteSet, v: VertexInput, block: BlockInput): void {
    const place = Buffer.allocUnsafe(16 + 32 * v.entries.length);
    place.writeBigUInt64BE(BigInt(v.order), 0);
    place.writeBigUInt64BE(BigInt(block.timeMs), 8);
    for (const [i, entry] of v.entries.entries()) place.set(entry.id, 16 + 32 * i);
    set.put(keyOf('r', v.id), place);
    set.put(keyU64('o', v.order), v.id);
  }

  /** Writes the leaves that changed since the last snapshot, in the batch of the block they belong to. */
  #snapshot(set: WriteSet, head: Head): void {
    for (const [leaf, bytes] of this.o.state.core.dirtyLeaves()) {
      const key = keyU32('s', leaf);
      if (bytes.every((b) => b === 0)) set.delete(key);
      else set.put(key, bytes);
    }
    const { core } = this.o.state;
    const mark: SnapshotMark = {
      ...head,
      root: Buffer.from(core.stateHash()).toString('hex'),
      layout: core.layout,
    };
    set.putJson(keyText('m', 'snapshot'), mark);
    this.#snapshotAt = head.order;
    this.#transactionsSince = 0;
  }

  /** A snapshot at the head, so that the next start has nothing to replay. */
  async close(): Promise<void> {
    if (this.#head.order === this.#snapshotAt) return;
    const set = new WriteSet(this.o.store);
    this.#snapshot(set, this.#head);
    await this.o.store.write(set.ops());
  }
}
