// The auditor: computes order and state of a network from the vertices that a node serves, without trusting the node,
// and compares the node's documents with the result.
// Keeps: memory is limited to the core, the running epoch's DAG, one page, and what the store keeps in memory. An audit
// can be paused between two pages, closed, and resumed.

import { openEd25519 } from '../crypto/ed25519-wasm.ts';
import type { VerifyMany } from '../crypto/verifier.ts';
import { claimStore } from '../execution/recovery.ts';
import { discardReceived, isJoinUnfinished } from '../net/join-store.ts';
import { rowKey } from '../store/prefixes.ts';
import { readJson, WriteSet } from '../store/write-set.ts';
import { toHex } from '../wire/bytes.ts';
import type { Genesis } from '../wire/genesis.ts';
import { LogFault } from '../wire/log-fault.ts';
import { decodeLogPage, type LogPage } from '../wire/log-page.ts';
import { checkedAgent, checkedEvent, checkedTask, difference, type Kind, PATHS } from './answers.ts';
import { beginAtSeal } from './begin-at-seal.ts';
import { CheckpointChecks, type CheckpointMarks, EPOCHS_KEPT, NO_MARKS } from './checkpoint-checks.ts';
import { readGenesis } from './genesis.ts';
import { KeptRows } from './kept-rows.ts';
import { Replica } from './replica.ts';
import type { Comparison, Verdict, VerifierOptions, VerifyProgress, Way } from './verifier-types.ts';

const MARKS_KEY = rowKey.meta('verified');

/** What a closed verifier has to remember besides the rows of the state. */
interface Marks {
  checkpoints: CheckpointMarks;
  transactions: number;
  signatures: number;
}

/** Number of computed checkpoints after which the signed ones are fetched. */
const COMPARE_AFTER = 50;
/** Attempts to catch a moving node at the verified order. */
const MAX_ATTEMPTS = 8;

/** The verifier was closed during a run. */
export class VerifierClosed extends Error {
  override name = 'VerifierClosed';
}

function verifyManyOf({ modules, environment }: VerifierOptions): VerifyMany {
  const ed25519 = openEd25519(modules.ed25519, environment.randomBytes);
  return (jobs) => (jobs.length === 0 ? new Uint8Array(0) : ed25519.verifyBatch(jobs));
}

export class Verifier {
  #position = 0;
  #transactions: number;
  /** Signatures checked in earlier runs. */
  readonly #signaturesBefore: number;
  #toOrder = 0;
  /** Epoch in which checkpoints were compared last. */
  #comparedIn = 0;
  /** Resolves when the verifier is not paused. */
  #unpaused: Promise<void> = Promise.resolve();
  #unpause: () => void = () => {};
  #isClosed = false;
  /** A fault was found. Memory may hold unchecked state, so nothing more is written. */
  #isFailed = false;
  #running: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly o: VerifierOptions,
    readonly genesis: Genesis,
    /** Where the audit really began: a node may have no seal to begin at. */
    readonly way: Way,
    readonly replica: Replica,
    private readonly checkpoints: CheckpointChecks,
    { transactions, signatures }: Pick<Marks, 'transactions' | 'signatures'>,
  ) {
    this.#transactions = transactions;
    this.#signaturesBefore = signatures;
    for (const epoch of replica.epochs(EPOCHS_KEPT)) checkpoints.epoch(epoch);
  }

  /**
   * Opens a verifier at the state of its store. Errors: LogFault for wrong data, VwsError for a node that does not answer,
   * StoreError for a store of another network.
   */
  static async open(options: VerifierOptions): Promise<Verifier> {
    const o = { ...options, store: new KeptRows(options.store) };
    const { source, modules, store, scale } = o;
    const genesis = readGenesis(await source.genesis(), o.genesisHash);
    const verify = verifyManyOf(o);
    await claimStore(store, genesis);
    // An earlier run was interrupted while it fetched a state: nothing of it was checked.
    if (isJoinUnfinished(store)) await discardReceived(store);
    const isNew = store.get(rowKey.meta('head')) === undefined;
    const isAtSeal =
      isNew && o.way === 'checkpoint' && (await beginAtSeal({ ...o, genesis, verify, onRows() {} }));
    const replica = await Replica.open({ genesis, modules, store, verify, scale });
    const marks = readJson<Marks>(store.get(MARKS_KEY)) ?? {
      checkpoints: NO_MARKS,
      transactions: 0,
      signatures: 0,
    };
    const way = isAtSeal || store.get(rowKey.meta('joined')) ? 'checkpoint' : 'genesis';
    return new Verifier(o, genesis, way, replica, new CheckpointChecks(verify, marks.checkpoints), marks);
  }

  /** Pauses between two pages until `resume`. */
  pause(): void {
    this.#unpaused = new Promise((resolve) => {
      this.#unpause = resolve;
    });
  }

  resume(): void {
    this.#unpause();
  }

  get progress(): VerifyProgress {
    const { order } = this.replica.ordering.head;
    return {
      order,
      toOrder: Math.max(order, this.#toOrder),
      epoch: this.replica.epoch.number,
      transactions: this.#transactions,
      signatures: this.#signaturesBefore + this.replica.signatures,
      checkpoint: this.checkpoints.signed,
    };
  }

  /**
   * Checks everything that the node has now; call it again to continue later. Wrong data gives a verdict with a fault.
   * Errors: VwsError for a node that does not answer, VerifierClosed.
   */
  run(): Promise<Verdict> {
    const running = this.#running.then(() => this.#run());
    this.#running = running.catch(() => {});
    return running;
  }

  async #run(): Promise<Verdict> {
    try {
      await this.#follow();
      return this.#verdict();
    } catch (error) {
      if (!(error instanceof LogFault)) throw error;
      this.#isFailed = true;
      return {
        ...this.#verdict(),
        isGood: false,
        fault: { kind: error.kind, text: error.message, ...error.place },
      };
    }
  }

  #verdict(): Verdict {
    const { order } = this.replica.ordering.head;
    const stateRoot = toHex(this.replica.state.core.stateHash());
    return { isGood: true, order, checkpoint: this.checkpoints.signed, stateRoot };
  }

  async #follow(): Promise<void> {
    const { source } = this.o;
    this.#toOrder = await source.order();
    const height = await source.signedHeight();
    if (this.#isFailed) throw new VerifierClosed('a fault was found: nothing after it can be checked');
    let coming = this.#fetch();
    for (;;) {
      await this.#unpaused;
      if (this.#isClosed) throw new VerifierClosed('the verifier was closed');
      const page = this.#read(await coming);
      const epoch = this.replica.epoch;
      const from = this.#position;
      this.#position = page.next;
      // The next page is fetched while this one is checked; after a seal it is discarded.
      const next = page.end === 'more' ? this.#fetch() : undefined;
      next?.catch(() => {});
      await this.#take(from, page);
      if (this.replica.epoch !== epoch) {
        this.#position = 0;
        this.checkpoints.epoch(this.replica.epoch);
        coming = this.#fetch();
      } else if (page.end === 'sealed') {
        const text = `the node reports epoch ${epoch.number} as sealed, but the vertices it sent do not seal it`;
        throw new LogFault('missing', text, { epoch: epoch.number });
      } else if (!next) break;
      else coming = next;
      const epochs = this.replica.epoch.number - this.#comparedIn;
      if (this.checkpoints.openCount >= COMPARE_AFTER || epochs >= EPOCHS_KEPT / 2) await this.#compare();
    }
    await this.#compare();
    this.checkpoints.expectSigned(height);
    const { order } = this.replica.ordering.head;
    if (order < this.#toOrder) {
      const text = `the node reports order ${this.#toOrder}, but the vertices it sent reach order ${order} only`;
      throw new LogFault('missing', text, { order });
    }
  }

  #fetch(): Promise<Uint8Array | undefined> {
    return this.o.source.vertices(this.replica.epoch.number, this.#position);
  }

  #read(bytes: Uint8Array | undefined): LogPage {
    const { number: epoch } = this.replica.epoch;
    if (!bytes)
      throw new LogFault('missing', `the node does not serve the vertices of epoch ${epoch}`, { epoch });
    const page = decodeLogPage(bytes);
    const isAsked = page?.epoch === epoch && page.from === this.#position;
    const isWhole = page && page.next === page.from + page.vertices.length;
    if (!page || !isAsked || !isWhole || (page.end === 'more' && page.vertices.length === 0))
      throw new LogFault('answer', `a page of epoch ${epoch} cannot be read`, { epoch });
    return page;
  }

  async #take(from: number, page: LogPage): Promise<void> {
    const executed = await this.replica.take(from, page.vertices);
    this.#transactions += executed?.transactions.length ?? 0;
    this.checkpoints.computed(executed?.checkpoints ?? []);
    this.o.onProgress?.(this.progress);
  }

  async #compare(): Promise<void> {
    this.#comparedIn = this.replica.epoch.number;
    for (let after = this.checkpoints.signed; ; ) {
      const listed = await this.o.source.checkpoints(after);
      this.checkpoints.compare(listed);
      const last = listed.at(-1)?.height ?? 0;
      if (last <= after) return;
      after = last;
    }
  }

  /**
   * Compares the node's document about an agent, a task or an event with the computed one, both at the same order number.
   * Runs the audit up to that order; `isKnown` false: the node kept moving.
   */
  async compare(kind: Kind, id: string): Promise<Comparison> {
    for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
      const reported = await this.o.source.document(PATHS[kind](id));
      const verdict = await this.run();
      if (!verdict.isGood)
        return { isKnown: true, isEqual: false, text: verdict.fault!.text, order: verdict.order };
      const computed = await this.#computed(kind, id);
      // Events from before the checkpoint at which the audit began are not stored.
      if (!computed && kind === 'event' && this.way === 'checkpoint') break;
      if (reported && reported.order !== verdict.order) continue;
      const text = difference(computed, reported?.body);
      const isEqual = text === undefined;
      return {
        isKnown: true,
        isEqual,
        order: verdict.order,
        ...(isEqual ? {} : { text: `${kind} ${id}: ${text}` }),
      };
    }
    return { isKnown: false, isEqual: false, order: this.replica.ordering.head.order };
  }

  async #computed(kind: Kind, id: string): Promise<object | undefined> {
    if (kind === 'task') return checkedTask(this.replica, id);
    if (kind === 'event') return checkedEvent(this.replica, id);
    const agent = checkedAgent(this.replica, id);
    if (!agent) return undefined;
    const { order: _, ...shown } = agent;
    return shown;
  }

  /** Writes the progress, after a run in progress has ended, so that another verifier on this store can resume. */
  async save(): Promise<void> {
    await this.#running;
    if (this.#isFailed) return;
    const set = new WriteSet(this.o.store);
    const { transactions, signatures } = this.progress;
    const marks: Marks = { checkpoints: this.checkpoints.marks, transactions, signatures };
    set.putJson(MARKS_KEY, marks);
    await this.o.store.write(set.ops());
    await this.replica.save();
  }

  /** Writes the progress and ends the verifier. A run in progress ends with VerifierClosed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.resume();
    await this.save();
  }
}
