// A node's state without a node: the core, the order and the documents, made of vertices by the code that validators run.
// Keeps: what is written is written with the order it follows from; a replica that was closed goes on from its snapshot.

import { Core, type CoreConfig } from '../core/core.ts';
import { State } from '../core/state.ts';
import type { VerifyMany } from '../crypto/verifier.ts';
import { type Executed, Executor } from '../execution/executor.ts';
import { Identities } from '../execution/identity.ts';
import { readEntry } from '../execution/intake.ts';
import * as recovery from '../execution/recovery.ts';
import type { Modules } from '../modules/modules.ts';
import { Checkpoints } from '../ordering/checkpoints.ts';
import { EmissionPolicy } from '../ordering/emission.ts';
import { type Epoch, type EpochDoc, genesisEpoch, readEpochDoc } from '../ordering/epoch.ts';
import { type Head, NO_HEAD } from '../ordering/head.ts';
import { OBSERVER, Ordering } from '../ordering/ordering.ts';
import { storedEpochs } from '../ordering/stored-epoch.ts';
import { keyU32 } from '../store/prefixes.ts';
import { readJson } from '../store/write-set.ts';
import { Projector, type ProjectorContext } from '../views/projector.ts';
import type { EpochLimits } from '../wire/block.ts';
import { toHex } from '../wire/bytes.ts';
import type { Genesis } from '../wire/genesis.ts';
import { LogFault } from '../wire/log-fault.ts';
import { paramWords } from '../wire/params.ts';
import type { VerifierStore } from './kept-rows.ts';
import { ResumeLedger } from './resume-ledger.ts';
import { type CheckedVertex, VertexChecks } from './vertex-checks.ts';

/** Orders between two snapshots, from which a closed verifier goes on. */
const SNAPSHOT_ORDERS = 20_000;

export interface ReplicaOptions {
  genesis: Genesis;
  modules: Modules;
  store: VerifierStore;
  verify: VerifyMany;
  scale?: Scale | undefined;
}

/** A smaller network than every real one, for tests: limits of an epoch, rows of the core's tables. */
export interface Scale {
  limits: EpochLimits;
  capacity: NonNullable<CoreConfig['capacity']>;
}

/** Lists and sums, which nobody asks a verifier for. */
function noLists(): Pick<ProjectorContext, 'lists' | 'taskIndex' | 'caseIndex'> {
  const nothing = (): void => {};
  return {
    lists: { append: nothing },
    taskIndex: { add: () => 0, category: () => undefined, move: nothing, count: nothing, flush: nothing },
    caseIndex: { add: () => 0, move: nothing, flush: nothing },
  };
}

export const openCore = (genesis: Genesis, module: WebAssembly.Module, scale?: Scale): Core =>
  Core.create(module, {
    chainId: genesis.chainId,
    testnet: genesis.testnet,
    launchTime: genesis.launchTime,
    params: paramWords(genesis.params),
    ...(scale ? { capacity: scale.capacity } : {}),
  });

export class Replica {
  private constructor(
    private readonly o: ReplicaOptions,
    readonly ids: Identities,
    readonly ordering: Ordering,
    private readonly executor: Executor,
    private readonly checks: VertexChecks,
    /** Head of what was checked before. */
    private readonly resumed: Head,
  ) {}

  /** At the head of what the store has; an empty store: at genesis. Errors: StoreError for a store of another network. */
  static async open(o: ReplicaOptions): Promise<Replica> {
    const { genesis, modules, store, verify, scale } = o;
    await recovery.claimStore(store, genesis);
    const core = openCore(genesis, modules.core, scale);
    const state = new State(core);
    const ids = new Identities(state, store, genesis.manifest);
    const head = recovery.readHead(store);
    const from = await recovery.usableSnapshot(store, core);
    if (from) await recovery.loadSnapshot(store, core, from);
    else recovery.applyGenesis(core, genesis);
    if (head.block === 0) await recovery.storeGenesisNames(store, state, genesis);
    const first = genesisEpoch(genesis, scale?.limits);
    const { epoch, epochBefore: before } = storedEpochs(store, genesis.hash, first, from ?? NO_HEAD);
    const totals = recovery.readTotals(store);
    const { chainId, hashHex: genesisHash, testnet, params } = genesis;
    const executor = new Executor({
      state,
      store,
      ids,
      totals,
      views: new Projector(store, { ids, totals, chainId, genesisHash, testnet, params, ...noLists() }),
      checkpoints: new Checkpoints(state, totals, {
        seat: OBSERVER,
        validatorId: '',
        publicKey: new Uint8Array(32),
        sign: () => new Uint8Array(64),
      }),
      head,
      snapshotOrders: SNAPSHOT_ORDERS,
      snapshotAt: from?.order ?? 0,
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
    return new Replica(o, ids, ordering, executor, new VertexChecks(ids, verify), head);
  }

  get store(): VerifierStore {
    return this.o.store;
  }

  get epoch(): Epoch {
    return this.ordering.epoch;
  }

  /** The running epoch and those before it, as far as they are stored, newest last. */
  epochs(most: number): Epoch[] {
    const { genesis, store, scale } = this.o;
    const first = genesisEpoch(genesis, scale?.limits);
    const { number } = this.epoch;
    const numbers = Array.from(
      { length: Math.min(most, number) },
      (_, i) => number - Math.min(most, number) + i,
    );
    const older = numbers.flatMap((n) => {
      const doc = n === 0 ? undefined : readJson<EpochDoc>(store.get(keyU32('c', n)));
      return n === 0 ? [first] : doc ? [readEpochDoc(doc, first, genesis.hash)] : [];
    });
    return [...older, this.epoch];
  }

  get signatures(): number {
    return this.checks.signatures;
  }

  get state(): State {
    return this.ids.state;
  }

  /**
   * Takes vertices of the running epoch, `from` being the position of the first, and executes what they order. What lies
   * behind a seal in them is left out: it never has a place. Errors: LogFault; nothing of them is written then.
   */
  async take(from: number, vertices: readonly Uint8Array[]): Promise<Executed | undefined> {
    const { epoch } = this;
    // What was executed before is only ordered again: nobody asks for its agents' signatures.
    const isKnown = this.ordering.head.block < this.resumed.block;
    for (const checked of this.checks.check(epoch, from, vertices, isKnown)) {
      this.#admit(epoch, checked);
      if (this.ordering.halt) throw new LogFault('order', `no epoch can open: ${this.ordering.halt.message}`);
      if (this.ordering.epoch !== epoch) break;
    }
    return this.executor.commit(true);
  }

  #admit({ number }: Epoch, { vertex, bytes, proofs }: CheckedVertex): void {
    const result = this.ordering.admit(vertex, bytes, { proofAt: (place) => proofs[place] });
    const name = toHex(vertex.id);
    const place = { vertex: name, epoch: number };
    if (result === 'missing_parent')
      throw new LogFault('missing', `a parent of vertex ${name} was not given before it`, place);
    if (result === 'known') throw new LogFault('vertex', `vertex ${name} was given twice`, place);
    if (result !== 'inserted')
      throw new LogFault('vertex', `vertex ${name} breaks a rule of the DAG (${result})`, place);
    this.ordering.drain();
  }

  /** Writes where it stands, so that it goes on from there. */
  async save(): Promise<void> {
    await this.executor.close();
  }
}
