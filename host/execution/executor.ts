// Executes ordered blocks: runs the core, passes outcomes to the views, and writes each batch of blocks atomically.
// Keeps: memory and disk advance together; a failed write or a trap stops the node, since memory would be ahead of disk. A
// block sees the rows of earlier blocks of its batch.
// Never knows what is derived for readers: outcomes leave through OutcomeConsumer, whose rows join the same batch.

import * as abi from '../../assembly/abi.ts';
import type { ImageOutcome, Outcome, Touched, TxOutcome } from '../core/outcomes.ts';
import type { DueRun, State } from '../core/state.ts';
import type { BlockEnd, BlockInput, Equivocation, VertexInput } from '../ordering/block.ts';
import { blockRow, equivocationsIn } from '../ordering/block.ts';
import type { Checkpoints } from '../ordering/checkpoints.ts';
import type { InsertedVertex, PlacedVertex } from '../ordering/dag.ts';
import { type Epoch, epochDoc } from '../ordering/epoch.ts';
import type { Head, SnapshotMark } from '../ordering/head.ts';
import type { Ledger } from '../ordering/ledger.ts';
import type { SignedVertex } from '../ordering/signed-record.ts';
import { badEntries, placeRow } from '../ordering/vertex-place.ts';
import type { StoredVertex } from '../ordering/vertex-source.ts';
import type { ProgramRunner } from '../programs/runner.ts';
import type { CheckpointDoc, EventDoc, Totals } from '../store/documents.ts';
import { rowKey, rowU32, writeU32, writeU64 } from '../store/prefixes.ts';
import { encodePage } from '../store/state-pages.ts';
import type { ContractReportDoc } from '../store/task-documents.ts';
import { WriteSet } from '../store/write-set.ts';
import { isZero, toHex } from '../wire/bytes.ts';
import { JoinedRows, PackedRows } from '../world/packed-rows.ts';
import type { RowBatch, Store } from '../world/store.ts';
import { applyBlock, applyEpochEnd, type PartListener, type RunSource } from './apply-block.ts';
import { ContractRuns } from './contract-runs.ts';
import type { Identities } from './identity.ts';
import { type Cause, type Posting, postingsOf } from './postings.ts';

/** A snapshot is due after this many transactions, however few the vertices: replaying them takes about ten seconds. */
const SNAPSHOT_TRANSACTIONS = 250_000;

/** Vertices of others that may wait in memory until something else must be written. */
const MAX_UNWRITTEN_VERTICES = 256;

/** What a consumer adds to a batch. */
export interface Derived {
  rows: RowBatch;
  /** The batch's events as clients see them, in the order of their seq. */
  events: EventDoc[];
}

/** Derives documents and indexes from outcomes of the core. Implemented by the views; calls come in the total order. */
export interface OutcomeConsumer extends Pick<Store, 'get'> {
  /** The outcomes of a block follow, then its images. */
  beginBlock(): void;
  /** `vertex`: the one that contained the entry; `timeSecs`: consensus time of its block. */
  outcome(outcome: Exclude<Outcome, ImageOutcome | Touched>, vertex: VertexInput, timeSecs: number): void;
  /** A due run has this outcome; before those that follow from it. */
  checked(run: DueRun, report: ContractReportDoc): void;
  /** A task, challenge or replay job as it is at the end of its block. */
  image(outcome: ImageOutcome): void;
  /** Root over the documents as they are at the end of the block that was executed last. */
  documentRoot(): Uint8Array;
  /**
   * The batch is about to be written: returns its rows. Until `begin` they must be readable through `get`. `isAll`: also those
   * that the consumer would leave for a later batch, since it can derive them again from what is stored.
   */
  end(isAll: boolean): Derived;
  /** The rows of the last batch are on disk: a new one begins. */
  begin(): void;
}

/** The results of a batch of blocks that is on disk. */
export interface Executed {
  head: Head;
  timeSecs: number;
  blocks: number;
  /** Equivocations that its blocks prove, with the epoch of the block. */
  equivocations: (Equivocation & { epoch: number })[];
  transactionCount: number;
  transactions: TxOutcome[];
  events: EventDoc[];
  touched: number[];
  outcomes: Outcome[];
  /** Inserted vertices, those that are not ordered yet included. */
  vertices: StoredVertex[];
  checkpoints: CheckpointDoc[];
}

/** A batch that is about to be written, for whoever writes what follows from it elsewhere first. */
export interface ReadyBatch extends Executed {
  postings: readonly Posting[];
  /** Everything that is written; until then rows of views are read through them. */
  rows: RowBatch;
}

export interface ExecutorOptions {
  state: State;
  store: Store;
  ids: Identities;
  /** Counts of vertices, events and checkpoints; written with every batch. */
  totals: Totals;
  views: OutcomeConsumer;
  checkpoints: Checkpoints;
  head: Head;
  /** Runs the programs of contracts on other threads; without it they run on this one. */
  runner?: ProgramRunner | undefined;
  /** Vertices between two snapshots, or fewer when SNAPSHOT_TRANSACTIONS come first. */
  snapshotOrders: number;
  snapshotAt: number;
  /** A snapshot at every seal, from which others may join. */
  snapshotsAtSeals?: boolean;
  /** Nobody wants to know what happened in a batch beyond how much it was: its lists stay empty. */
  isSilent?: boolean;
  /** Called before each batch with blocks is written: if it rejects, the batch is not written and the executor is at its end. */
  onBatch?: ((batch: ReadyBatch) => Promise<void>) | undefined;
}

const isImage = (outcome: Outcome): outcome is ImageOutcome =>
  outcome.kind === 'task' || outcome.kind === 'challenge' || outcome.kind === 'job';

type Batch = Omit<Executed, 'head' | 'timeSecs' | 'events'>;

const emptyBatch = (): Batch => ({
  blocks: 0,
  equivocations: [],
  transactionCount: 0,
  transactions: [],
  touched: [],
  outcomes: [],
  vertices: [],
  checkpoints: [],
});

export class Executor implements Ledger {
  /** What is on disk. */
  #head: Head;
  /** With the blocks of the present batch. */
  #next: Head;
  #set: WriteSet;
  readonly #rows = new PackedRows();
  #batch: Batch = emptyBatch();
  #snapshotAt: number;
  #transactionsSince = 0;
  /** Newest vertex of this node in the batch, which is sent only once it is on disk. */
  #signed: SignedVertex | undefined;
  #isSealed = false;
  /** Of the batch, if anybody wants them. */
  #postings: Posting[] = [];

  /** Runs the contracts of submissions. */
  readonly runs: ContractRuns;

  constructor(private readonly options: ExecutorOptions) {
    this.runs = new ContractRuns(options.ids.tasks, options.runner);
    this.#head = options.head;
    this.#next = options.head;
    this.#snapshotAt = options.snapshotAt;
    this.#set = new WriteSet(options.store, this.#rows);
    options.ids.tasks.readFrom(options.views);
  }

  get store(): Store {
    return this.options.store;
  }

  get head(): Head {
    return this.#head;
  }

  /** Newest vertex that this node signed since the last batch. */
  get signed(): SignedVertex | undefined {
    return this.#signed;
  }

  /** The vertex at a position of an epoch; finds those of the present batch, too. */
  vertexAt(epoch: number, position: number): Uint8Array | undefined {
    const id = this.#set.get(rowKey.epochVertex(epoch, position));
    return id && this.#set.get(rowKey.vertex(id));
  }

  executes(): boolean {
    return true;
  }

  onInserted(epoch: number, position: number, { vertex, bytes, packed }: InsertedVertex): void {
    if (packed) this.#signed = { epoch, seq: vertex.header.seq, id: toHex(vertex.id) };
    this.#set.put(rowKey.vertex(vertex.id), bytes);
    this.#set.put(rowKey.epochVertex(epoch, position), vertex.id);
    const { id, header } = vertex;
    this.#batch.vertices.push({ epoch, creator: header.creator, id, bytes });
    this.options.totals.vertices += 1;
  }

  execute(block: BlockInput): readonly TxOutcome[] | Promise<readonly TxOutcome[]> {
    const { state, views, isSilent = false } = this.options;
    const timeSecs = Math.floor(block.timeMs / 1000);
    const first = block.vertices[0]!.order;
    const transactions: TxOutcome[] = [];
    let { seq } = this.#next;
    views.beginBlock();
    const take = (outcome: Outcome): void => {
      if (!isSilent) this.#batch.outcomes.push(outcome);
      if (outcome.kind === 'touched') {
        if (isSilent) return;
        for (const agent of outcome.agents) this.#batch.touched.push(agent);
        return;
      }
      if (isImage(outcome)) {
        views.image(outcome);
        return;
      }
      views.outcome(outcome, block.vertices[outcome.order - first]!, timeSecs);
      if (outcome.seq > 0) seq = outcome.seq;
      if (outcome.kind !== 'tx') return;
      this.#batch.transactionCount += 1;
      transactions.push(outcome);
      if (!isSilent) this.#batch.transactions.push(outcome);
      if (outcome.code !== abi.OK) this.#putRefusal(outcome);
    };
    const noted = (due: DueRun, report: ContractReportDoc): ContractReportDoc => {
      views.checked(due, report);
      return report;
    };
    const runOf: RunSource = (due) => {
      const report = this.runs.run(due, block.hash);
      return report instanceof Promise ? report.then((one) => noted(due, one)) : noted(due, report);
    };
    const executed = (): readonly TxOutcome[] => {
      this.#executed(block, seq);
      return transactions;
    };
    const onPart = this.options.onBatch && this.#postingsAfter({ seq, order: first });
    return applyBlock(state, block, runOf, take, onPart)?.then(executed) ?? executed();
  }

  /** Collects the postings of a block's parts. */
  #postingsAfter(cause: Cause): PartListener {
    let last = cause;
    return (out, outcomes) => {
      const found = postingsOf(out, outcomes, this.options.state.core, last);
      last = found.last;
      for (const posting of found.postings) this.#postings.push(posting);
    };
  }

  /** `seq`: of its last event. */
  #executed(block: BlockInput, seq: number): void {
    this.#batch.blocks += 1;
    const { epoch } = this.#next;
    this.#batch.equivocations.push(...equivocationsIn(block).map((one) => ({ ...one, epoch })));
    this.#next = {
      block: block.index,
      blockHash: toHex(block.hash),
      order: block.vertices.at(-1)!.order,
      timeMs: block.timeMs,
      seq,
      epoch: this.#next.epoch,
    };
  }

  /** A refused transaction leaves no event, but its TxID is spent: the refusal stays readable. */
  #putRefusal(outcome: TxOutcome): void {
    const isSpent = outcome.opcode !== abi.OP_REGISTER && outcome.code > abi.DUPLICATE_TX;
    if (!isSpent) return;
    const row = new Uint8Array(12);
    writeU64(row, outcome.order);
    writeU32(row, outcome.code, 8);
    this.#set.put(rowKey.refusedTx(outcome.txId), row);
  }

  closeEpoch(): void {
    applyEpochEnd(this.options.state);
  }

  endBlock(block: BlockInput, end: BlockEnd): void {
    const set = this.#set;
    set.put(rowKey.block(block.index), blockRow(block));
    for (const v of block.vertices) {
      set.put(rowKey.vertexPlace(v.id), placeRow(v.order, block.timeMs, v.round, v.entries));
      set.put(rowKey.orderedVertex(v.order), v.id);
      const bad = badEntries(v);
      if (bad) set.put(rowKey.badSignatures(v.id), bad);
    }
    const before = this.#next.order - block.vertices.length;
    const documents = (): Uint8Array => this.options.views.documentRoot();
    const checkpoint = this.options.checkpoints.atBlockEnd(set, block, before, this.#next, {
      ...end,
      documents,
    });
    if (checkpoint) this.#batch.checkpoints.push(checkpoint);
  }

  openEpoch(epoch: Epoch, dead: readonly PlacedVertex[]): void {
    for (const { inserted, round } of dead)
      this.#set.put(rowKey.vertexPlace(inserted.vertex.id), placeRow(0, 0, round, []));
    this.#set.putJson(rowKey.epoch(epoch.number), epochDoc(epoch));
    this.#set.put(rowKey.epochById(epoch.id), rowU32(epoch.number));
    this.#next = { ...this.#next, epoch: epoch.number };
    this.#isSealed = true;
  }

  // Vertices of others that ordered nothing yet need no write of their own: after a crash they are fetched again.
  get #canWait(): boolean {
    const { blocks, vertices } = this.#batch;
    return !this.#signed && blocks === 0 && vertices.length < MAX_UNWRITTEN_VERTICES;
  }

  /**
   * Writes everything since the last batch atomically. Undefined when nothing has to be written yet; `isAll`: write it
   * anyway. Rejects when the node must stop.
   */
  async commit(isAll = false): Promise<Executed | undefined> {
    const set = this.#set;
    if (set.size === 0 || (!isAll && this.#canWait)) return undefined;
    const [batch, head] = [this.#batch, this.#next];
    set.putJson(rowKey.totals('totals'), this.options.totals);
    if (batch.blocks > 0) set.putJson(rowKey.meta('head'), head);
    this.#transactionsSince += batch.transactionCount;
    const isDue =
      (this.#isSealed && this.options.snapshotsAtSeals) ||
      head.order - this.#snapshotAt >= this.options.snapshotOrders ||
      this.#transactionsSince >= SNAPSHOT_TRANSACTIONS;
    const isSnapshot = isDue && batch.blocks > 0;
    if (isSnapshot) this.#snapshot(set, head);
    const { rows, events } = this.options.views.end(isSnapshot);
    // Until they are on disk, rows are read through the set; nothing is executed meanwhile.
    const ops = new JoinedRows([set.ops(), rows]);
    const executed = { ...batch, events, head, timeSecs: Math.floor(head.timeMs / 1000) };
    if (batch.blocks > 0) await this.options.onBatch?.({ ...executed, rows: ops, postings: this.#postings });
    await this.options.store.write(ops);
    this.#postings = [];
    this.#set = new WriteSet(this.options.store, this.#rows);
    this.#batch = emptyBatch();
    this.options.views.begin();
    this.#head = head;
    this.#isSealed = false;
    this.#signed = undefined;
    return executed;
  }

  /** Writes the pages that changed since the last snapshot, in the batch they belong to. */
  #snapshot(set: WriteSet, head: Head): void {
    const { core } = this.options.state;
    const mark: SnapshotMark = { ...head, root: toHex(core.stateHash()), layout: core.layout };
    for (const number of core.dirtyPages()) {
      const [key, page] = [rowKey.statePage(number), core.page(number)];
      if (isZero(page.leaves)) set.delete(key);
      else set.put(key, encodePage(page));
    }
    set.putJson(rowKey.meta('snapshot'), mark);
    this.#snapshotAt = head.order;
    this.#transactionsSince = 0;
  }

  /** Writes a snapshot at the head and all derived rows, so that the next start has nothing to replay. */
  async close(): Promise<void> {
    await this.commit(true);
    if (this.#head.order === this.#snapshotAt) return;
    const set = new WriteSet(this.options.store);
    this.#snapshot(set, this.#head);
    const { rows } = this.options.views.end(true);
    await this.options.store.write(new JoinedRows([set.ops(), rows]));
  }
}
