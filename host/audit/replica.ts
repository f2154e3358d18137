// A node's state without a node: core, order and documents, computed from vertices by the code that validators run.
// Keeps: rows are written together with the order number they belong to; a closed replica resumes from its snapshot.

import { State } from '../core/state.ts';
import type { VerifyMany } from '../crypto/verifier.ts';
import { type Executed, Executor, type ReadyBatch } from '../execution/executor.ts';
import { Identities } from '../execution/identity.ts';
import { readEntry } from '../execution/intake.ts';
import { openCore, type Scale } from '../execution/open-core.ts';
import * as recovery from '../execution/recovery.ts';
import type { Modules } from '../modules/modules.ts';
import { Checkpoints } from '../ordering/checkpoints.ts';
import { EmissionPolicy } from '../ordering/emission.ts';
import { type Epoch, type EpochDoc, genesisEpoch, readEpochDoc } from '../ordering/epoch.ts';
import { type Head, NO_HEAD } from '../ordering/head.ts';
import { OBSERVER, Ordering } from '../ordering/ordering.ts';
import { storedEpochs } from '../ordering/stored-epoch.ts';
import { DocumentRoot } from '../store/document-root.ts';
import { rowKey } from '../store/prefixes.ts';
import { readJson } from '../store/write-set.ts';
import { Projector } from '../views/projector.ts';
import type { Rows } from '../views/tasks/task-view.ts';
import { toHex } from '../wire/bytes.ts';
import { stateRootOf } from '../wire/document-proof.ts';
import type { Genesis } from '../wire/genesis.ts';
import { LogFault } from '../wire/log-fault.ts';
import { textOf } from '../world/store.ts';
import { numbersOf } from './document-numbers.ts';
import type { VerifierStore } from './kept-rows.ts';
import { ResumeLedger } from './resume-ledger.ts';
import { type CheckedVertex, VertexChecks } from './vertex-checks.ts';

/** Order numbers between two snapshots, from which a closed auditor resumes. */
const SNAPSHOT_ORDERS = 20_000;

interface ReplicaOptions {
  genesis: Genesis;
  modules: Modules;
  store: VerifierStore;
  verify: VerifyMany;
  scale?: Scale | undefined;
  /** As in VerifierOptions. */
  isOnce: boolean;
  /** Gets each batch of blocks before it is written. */
  onBatch?: ((batch: ReadyBatch) => Promise<void>) | undefined;
}

export class Replica {
  private constructor(
    private readonly o: ReplicaOptions,
    readonly ids: Identities,
    readonly ordering: Ordering,
    private readonly executor: Executor,
    private readonly views: Projector,
    private readonly checks: VertexChecks,
    /** Head of what was checked in earlier runs. */
    readonly resumed: Head,
  ) {}

  /** Opens at the head of the store, or at genesis if it is empty. Errors: StoreError for a store of another network. */
  static async open(o: ReplicaOptions): Promise<Replica> {
    const { genesis, modules, store, verify, scale } = o;
    await recovery.claimStore(store, genesis);
    const core = openCore(genesis, modules.core, scale);
    const state = new State(core);
    const ids = new Identities(state, store, genesis);
    const head = recovery.readHead(store);
    const from = await recovery.usableSnapshot(store, core);
    if (from) await recovery.loadSnapshot(store, core, from);
    else recovery.applyGenesis(core, genesis);
    if (head.block === 0) await recovery.storeGenesisNames(store, state, genesis);
    const first = genesisEpoch(genesis, scale?.limits);
    const { epoch, epochBefore: before } = storedEpochs(store, genesis.hash, first, from ?? NO_HEAD);
    const totals = recovery.readTotals(store);
    const { chainId, hashHex: genesisHash, testnet, params } = genesis;
    const documents = new DocumentRoot(store);
    const names = { chainId, genesisHash, testnet, params };
    const views = new Projector(store, {
      ...{ ids, documents, totals, ...names, ...numbersOf(store) },
      keepsEvents: !o.isOnce,
    });
    const executor = new Executor({
      state,
      store,
      ids,
      totals,
      views,
      checkpoints: new Checkpoints(state, totals, {
        seat: OBSERVER,
        validatorId: '',
        publicKey: new Uint8Array(32),
        sign: () => new Uint8Array(64),
      }),
      head,
      snapshotOrders: SNAPSHOT_ORDERS,
      snapshotAt: from?.order ?? 0,
      isSilent: o.onBatch === undefined,
      onBatch: o.onBatch,
    });
    const ordering = new Ordering({
      module: modules.consensus,
      genesisHash: genesis.hash,
      state,
      epoch,
      epochBefore: before,
      seat: OBSERVER,
      sign: () => new Uint8Array(64),
      policy: new EmissionPolicy({ minIntervalMs: 0, maxParents: epoch.maxParents }),
      readEntry: (bytes, proof) => readEntry(bytes, chainId, ids, proof),
      verify,
      onEpoch: ({ seats }) => ids.useSeatKeys(seats.map(({ key }) => key)),
      ledger: new ResumeLedger(executor, state, from ?? NO_HEAD, head),
    });
    return new Replica(o, ids, ordering, executor, views, new VertexChecks(ids, verify), head);
  }

  get store(): VerifierStore {
    return this.o.store;
  }

  /** Rows of documents, with those of a batch that is about to be written. */
  get rows(): Rows {
    const { views } = this;
    return {
      get: (key) => views.get(key),
      getTexts: (keys) => keys.map((key) => textOf(views.get(key))),
    };
  }

  get epoch(): Epoch {
    return this.ordering.epoch;
  }

  /** The order number up to which anything was ever checked. */
  get checkedOrder(): number {
    return Math.max(this.resumed.order, this.ordering.head.order);
  }

  /** Has this run reached what was checked before: until then rows and state are of different orders. */
  get isCaughtUp(): boolean {
    return this.ordering.head.order >= this.resumed.order;
  }

  /** The running epoch and up to `max` stored epochs before it, newest last. */
  epochs(max: number): Epoch[] {
    const { genesis, store, scale } = this.o;
    const first = genesisEpoch(genesis, scale?.limits);
    const { number } = this.epoch;
    const numbers = Array.from(
      { length: Math.min(max, number) },
      (_, i) => number - Math.min(max, number) + i,
    );
    const older = numbers.flatMap((n) => {
      const doc = n === 0 ? undefined : readJson<EpochDoc>(store.get(rowKey.epoch(n)));
      return n === 0 ? [first] : doc ? [readEpochDoc(doc, first, genesis.hash)] : [];
    });
    return [...older, this.epoch];
  }

  get signatures(): number {
    return this.checks.signatures;
  }

  /** The root as a checkpoint at this order would state it. */
  get stateRoot(): Uint8Array {
    return stateRootOf(this.state.core.stateHash(), this.views.documentRoot());
  }

  get state(): State {
    return this.ids.state;
  }

  /**
   * Inserts vertices of the running epoch and executes what they order; `commit` writes it. `from`: position of the first.
   * Vertices after a seal are ignored: they are never ordered. Errors: LogFault; nothing may be written then.
   */
  take(from: number, vertices: readonly Uint8Array[]): void {
    const { epoch } = this;
    // Blocks executed in earlier runs are only ordered again: their agents' signatures are not needed.
    const isKnown = this.ordering.head.block < this.resumed.block;
    for (const checked of this.checks.check(epoch, from, vertices, isKnown)) {
      this.#admit(epoch, checked);
      if (this.ordering.halt)
        throw new LogFault('order', `the next epoch cannot open: ${this.ordering.halt.message}`);
      if (this.ordering.epoch !== epoch) break;
    }
  }

  /** Writes everything that was executed since the last time; undefined if that is nothing. */
  commit(): Promise<Executed | undefined> {
    return this.executor.commit(true);
  }

  #admit({ number }: Epoch, { vertex, bytes, proofs }: CheckedVertex): void {
    const result = this.ordering.admit(vertex, bytes, { proofAt: (place) => proofs[place] });
    const name = toHex(vertex.id);
    const place = { vertex: name, epoch: number };
    if (result === 'missing_parent')
      throw new LogFault('missing', `vertex ${name} was sent before one of its parents`, place);
    if (result === 'known') throw new LogFault('vertex', `vertex ${name} was sent twice`, place);
    if (result !== 'inserted')
      throw new LogFault('vertex', `vertex ${name} breaks a rule of the DAG (${result})`, place);
    this.ordering.drain();
  }

  /** Writes a snapshot from which a later replica resumes. */
  async save(): Promise<void> {
    await this.executor.close();
  }
}
