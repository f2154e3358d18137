// The verifier: computes order and state of a network from the vertices that a node gives, believes nothing the node says,
// and answers questions from what was computed here.
// Keeps: memory holds the core, the running epoch's DAG, a page and what the store holds; everything can be paused between
// two pages, closed, and taken up again.

import { openEd25519 } from '../crypto/ed25519-wasm.ts';
import type { VerifyMany } from '../crypto/verifier.ts';
import { claimStore } from '../execution/recovery.ts';
import { discardReceived, isJoinUnfinished } from '../net/join-store.ts';
import { keyText } from '../store/prefixes.ts';
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

const MARKS_KEY = keyText('m', 'verified');

/** What a closed verifier has to remember besides its store. */
interface Marks {
  checkpoints: CheckpointMarks;
  transactions: number;
  signatures: number;
}

/** Checkpoints computed here after which the node is asked for the signed ones. */
const COMPARE_AFTER = 50;
/** Times that a moving node is run after for one comparison. */
const MOST_COMPARED = 8;

/** Closed while it ran. */
export class VerifierClosed extends Error {
  override name = 'VerifierClosed';
}

function verifyManyOf({ modules, environment }: VerifierOptions): VerifyMany {
  const door = openEd25519(modules.ed25519, environment.randomBytes);
  return (jobs) => (jobs.length === 0 ? new Uint8Array(0) : door.verifyBatch(jobs));
}

export class Verifier {
  #position = 0;
  #transactions: number;
  /** Checked before this was opened. */
  readonly #signaturesBefore: number;
  #toOrder = 0;
  /** Epoch in which checkpoints were compared last. */
  #comparedIn = 0;
  #gate: Promise<void> = Promise.resolve();
  #open: () => void = () => {};
  #isClosed = false;
  /** What is in memory is ahead of what was checked: it is not written. */
  #isFailed = false;
  #running: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly o: VerifierOptions,
    readonly genesis: Genesis,
    /** Where it began: a node may have no seal to begin at. */
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
   * Ready to run, where the store stands. Errors: LogFault for a lie on the way here, VwsError for a node that does not
   * answer, StoreError for a store of another network.
   */
  static async open(options: VerifierOptions): Promise<Verifier> {
    const o = { ...options, store: new KeptRows(options.store) };
    const { source, modules, store, scale } = o;
    const genesis = readGenesis(await source.genesis(), o.genesisHash);
    const verify = verifyManyOf(o);
    await claimStore(store, genesis);
    // Cut off in the midst of fetching a state: nothing of it was checked.
    if (isJoinUnfinished(store)) await discardReceived(store);
    const isNew = store.get(keyText('m', 'head')) === undefined;
    const isAtSeal =
      isNew && o.way === 'checkpoint' && (await beginAtSeal({ ...o, genesis, verify, onRows() {} }));
    const replica = await Replica.open({ genesis, modules, store, verify, scale });
    const marks = readJson<Marks>(store.get(MARKS_KEY)) ?? {
      checkpoints: NO_MARKS,
      transactions: 0,
      signatures: 0,
    };
    const way = isAtSeal || store.get(keyText('m', 'joined')) ? 'checkpoint' : 'genesis';
    return new Verifier(o, genesis, way, replica, new CheckpointChecks(verify, marks.checkpoints), marks);
  }

  /** Stops between two pages until `resume`. */
  pause(): void {
    this.#gate = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  resume(): void {
    this.#open();
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
   * Checks everything that the node has, as of now; may be called again to go on. A verdict for whatever the node did.
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
    if (this.#isFailed) throw new VerifierClosed('a fault was found: nothing can be checked after it');
    let coming = this.#fetch();
    for (;;) {
      await this.#gate;
      if (this.#isClosed) throw new VerifierClosed('the verifier was closed');
      const page = this.#read(await coming);
      const epoch = this.replica.epoch;
      const from = this.#position;
      this.#position = page.next;
      // The next page comes while this one is checked; it is of no use behind a seal.
      const next = page.end === 'more' ? this.#fetch() : undefined;
      next?.catch(() => {});
      await this.#take(from, page);
      if (this.replica.epoch !== epoch) {
        this.#position = 0;
        this.checkpoints.epoch(this.replica.epoch);
        coming = this.#fetch();
      } else if (page.end === 'sealed') {
        const text = `the node says that epoch ${epoch.number} is sealed, the vertices that it gives of it make no seal`;
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
      const text = `the node says that it stands at order ${this.#toOrder}, the vertices that it gives make order ${order}`;
      throw new LogFault('missing', text, { order });
    }
  }

  #fetch(): Promise<Uint8Array | undefined> {
    return this.o.source.vertices(this.replica.epoch.number, this.#position);
  }

  #read(bytes: Uint8Array | undefined): LogPage {
    const { number: epoch } = this.replica.epoch;
    if (!bytes)
      throw new LogFault('missing', `the node does not give the vertices of epoch ${epoch}`, { epoch });
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
   * What the node says of an agent, a task or an event against what was computed here, both at the order that the node
   * stood at. Runs until it stands there; `isKnown` false: the node was never at rest for long enough.
   */
  async compare(kind: Kind, id: string): Promise<Comparison> {
    for (let tries = 0; tries < MOST_COMPARED; tries++) {
      const told = await this.o.source.document(PATHS[kind](id));
      const verdict = await this.run();
      if (!verdict.isGood)
        return { isKnown: true, isEqual: false, text: verdict.fault!.text, order: verdict.order };
      const own = await this.#own(kind, id);
      // What was done before the state that this began at is not kept.
      if (!own && kind === 'event' && this.way === 'checkpoint') break;
      if (told && told.order !== verdict.order) continue;
      const text = difference(own, told?.body);
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

  async #own(kind: Kind, id: string): Promise<object | undefined> {
    if (kind === 'task') return checkedTask(this.replica, id);
    if (kind === 'event') return checkedEvent(this.replica, id);
    const agent = checkedAgent(this.replica, id);
    if (!agent) return undefined;
    const { order: _, ...shown } = agent;
    return shown;
  }

  /** Writes where it stands, after whatever is under way, so that another verifier on this store goes on from there. */
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

  /** Writes where it stands and ends it. A run that is under way ends with VerifierClosed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.resume();
    await this.save();
  }
}
