// The auditor: computes order and state of a network from the vertices that a node serves, without trusting the node,
// and compares the node's documents with the result.
// Keeps: memory is limited to the core, the running epoch's DAG, one batch, and what the store keeps in memory. An audit
// can be paused between two pages, closed, and resumed. What was checked once is never gone back behind in silence.

import { VwsError } from '../client/vws-error.ts';
import { openEd25519 } from '../crypto/ed25519-wasm.ts';
import type { VerifyMany } from '../crypto/verifier.ts';
import { claimStore } from '../execution/recovery.ts';
import { discardReceived, isJoinUnfinished } from '../net/join-store.ts';
import { genesisEpoch } from '../ordering/epoch.ts';
import { readGenesis } from '../proofs/genesis.ts';
import { prunedText, readCheckpoints, readSignedHeight, readStatusOrder } from '../proofs/readings.ts';
import { hasWholeLog, readHistory } from '../store/history.ts';
import { rowKey } from '../store/prefixes.ts';
import { toHex } from '../wire/bytes.ts';
import type { Genesis } from '../wire/genesis.ts';
import { LogFault } from '../wire/log-fault.ts';
import type { LogPage } from '../wire/log-page.ts';
import type { Kind } from './answers.ts';
import { beginAtSeal } from './begin-at-seal.ts';
import { BOUNDS, type Bounds, Meter } from './bounds.ts';
import { CheckpointChecks, EPOCHS_KEPT, marksAtSeal } from './checkpoint-checks.ts';
import { mustBeKeptOf } from './claim-kept.ts';
import { compareDocument } from './compare-document.ts';
import { type Finding, findingsOf, MAX_AGE_MS, MAX_ANCHOR_MS } from './freshness.ts';
import { inTime, type Limit } from './in-time.ts';
import { HistoriesFault, KeptHistory } from './kept-history.ts';
import { KeptRows } from './kept-rows.ts';
import { type Marks, readMarks, servedFinding, writeMarks } from './marks.ts';
import { readPage } from './page.ts';
import { PinCheck } from './pin-check.ts';
import { Replica } from './replica.ts';
import type { LogSource } from './source.ts';
import type { Comparison, Verdict, VerifierOptions, VerifyProgress, Way } from './verifier-types.ts';

/** Number of computed checkpoints after which the signed ones are fetched. */
const COMPARE_AFTER = 50;
/** Time to compare what was computed when the time was over. */
const LAST_MS = 5000;
/** Checkpoints in one list. */
const MAX_LISTED = 100;

/** The verifier was closed during a run. */
export class VerifierClosed extends Error {
  override name = 'VerifierClosed';
}

function verifyManyOf({
  modules,
  environment,
}: Pick<VerifierOptions, 'modules' | 'environment'>): VerifyMany {
  const ed25519 = openEd25519(modules.ed25519, environment.randomBytes);
  return (jobs) => (jobs.length === 0 ? new Uint8Array(0) : ed25519.verifyBatch(jobs));
}

interface Parts {
  replica: Replica;
  checkpoints: CheckpointChecks;
  history: KeptHistory;
  pin: PinCheck;
  marks: Marks;
}

export class Verifier {
  #position = 0;
  #transactions: number;
  #toOrder = 0;
  /** Epoch in which checkpoints were compared last. */
  #comparedIn = 0;
  /** Resolves when the verifier is not paused. */
  #unpaused: Promise<void> = Promise.resolve();
  #unpause: () => void = () => {};
  /** Ends the requests of a verifier that is closed. */
  readonly #closing = new AbortController();
  /** Of the present run: its requests end with its time. */
  #source: LogSource;
  /** A fault was found. Memory may hold unchecked state, so nothing more is written. */
  #isFailed = false;
  #running: Promise<unknown> = Promise.resolve();
  /** Of the present run. */
  #findings: Finding[] = [];
  /** The last run reached the end of the log. */
  #isWhole = false;
  readonly #unordered: Meter;
  /** Bytes of pages that were computed and not written yet. */
  #heldBytes = 0;
  readonly #bounds: Bounds;

  private constructor(
    private readonly o: VerifierOptions,
    readonly genesis: Genesis,
    /** Where the audit really began: a node may have no seal to begin at. */
    readonly way: Way,
    private readonly parts: Parts,
  ) {
    const { checkpoints, marks, replica } = parts;
    this.#transactions = marks.transactions;
    this.#bounds = { ...BOUNDS, ...o.bounds };
    this.#source = o.source;
    this.#unordered = new Meter('vertices that never enter the order', this.#bounds.unorderedBytes);
    for (const epoch of replica.epochs(EPOCHS_KEPT)) checkpoints.epoch(epoch);
  }

  get replica(): Replica {
    return this.parts.replica;
  }

  /**
   * Opens a verifier at the state of its store. Errors: LogFault for wrong data, VwsError for a node that does not answer,
   * StoreError for a store of another network or format.
   */
  static async open(options: VerifierOptions): Promise<Verifier> {
    const o = { ...options, store: new KeptRows(options.store) };
    const ms = o.bounds?.runMs ?? BOUNDS.runMs;
    const limit = { clock: o.environment.clock, source: o.source, ms };
    return inTime(limit, (source) => Verifier.#open(o, source));
  }

  /** `source`: that of the options, for the time that opening may take. */
  static async #open(o: VerifierOptions & { store: KeptRows }, source: LogSource): Promise<Verifier> {
    const { modules, store, scale } = o;
    const genesis = readGenesis(await source.genesis(), o.genesisHash);
    const verify = verifyManyOf(o);
    mustBeKeptOf(genesis, store);
    await claimStore(store, genesis);
    // An earlier run was interrupted while it fetched a state: nothing of it was checked.
    if (isJoinUnfinished(store)) await discardReceived(store);
    const isNew = store.get(rowKey.meta('head')) === undefined;
    const bounds = { ...BOUNDS, ...o.bounds };
    const begun =
      isNew && o.way === 'checkpoint'
        ? await beginAtSeal({
            ...o,
            source,
            genesis,
            verify,
            bounds,
            rows: 'audit',
            clock: o.environment.clock,
          })
        : undefined;
    const { onBatch, isOnce = false } = o;
    const replica = await Replica.open({ genesis, modules, store, verify, scale, isOnce, onBatch });
    const marks = readMarks(store);
    if (begun) {
      const { statement, bytes } = begun.at(-1)!;
      marks.checkpoints = marksAtSeal(statement.height, bytes);
      marks.firstSealMs = begun[0]!.statement.timeMs;
    }
    const way = hasWholeLog(readHistory(store)) ? 'genesis' : 'checkpoint';
    const first = genesisEpoch(genesis, scale?.limits);
    const history = new KeptHistory({ store, genesis, first, verify });
    const verifier = new Verifier(o, genesis, way, {
      replica,
      checkpoints: new CheckpointChecks(verify, marks.checkpoints),
      history,
      pin: new PinCheck(o.pin, history),
      marks,
    });
    if (begun) await verifier.#writeMarks();
    return verifier;
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
    const order = this.replica.checkedOrder;
    return {
      order,
      toOrder: Math.max(order, this.#toOrder),
      epoch: this.replica.epoch.number,
      transactions: this.#transactions,
      signatures: this.parts.marks.signatures + this.replica.signatures,
      checkpoint: this.parts.checkpoints.signed,
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

  /** How long a part of the audit may take. */
  get #limit(): Limit {
    const { environment, source } = this.o;
    return { clock: environment.clock, source, ms: this.#bounds.runMs, stop: this.#closing.signal };
  }

  async #run(): Promise<Verdict> {
    try {
      this.#findings = [];
      this.#isWhole = false;
      await this.#within(this.#bounds.runMs, (signal) => this.#follow(signal));
      // What was computed by then is compared all the same.
      if (this.#isUnfinished) await this.#within(LAST_MS, () => this.#compare());
      this.#isWhole = this.#findings.length === 0;
      return this.#verdict();
    } catch (error) {
      if (!(error instanceof LogFault)) throw error;
      this.#isFailed = true;
      return {
        ...this.#verdict(),
        isGood: false,
        shown: 'lie',
        fault: { kind: error.kind, text: error.message, ...error.place },
        ...(error instanceof HistoriesFault ? { proof: error.proof } : {}),
      };
    }
  }

  #verdict(): Verdict {
    const { checkpoints, pin, replica } = this.parts;
    const { order, timeMs } = replica.state.header();
    const found = findingsOf({
      nowMs: this.o.environment.clock.nowMs(),
      timeMs,
      order,
      unsigned: checkpoints.openCount,
      signed: checkpoints.signed,
      anchorMs: this.#anchorMs(),
      maxAgeMs: this.o.maxAgeMs ?? MAX_AGE_MS,
      maxAnchorMs: this.o.maxAnchorMs ?? MAX_ANCHOR_MS,
    });
    return {
      isGood: true,
      shown: this.way === 'genesis' ? 'checked' : 'proven',
      order,
      timeMs,
      stateRoot: toHex(replica.stateRoot),
      checkpoint: checkpoints.signed,
      checkpointCode: checkpoints.code,
      nodeOrder: this.#toOrder,
      findings: [...this.#findings, ...pin.findings, ...found],
    };
  }

  /** The newest point that does not come from this node now; undefined where it has no date. */
  #anchorMs(): number | undefined {
    const { marks, pin } = this.parts;
    const { launchTime } = this.genesis;
    const begun = launchTime > 0 ? launchTime * 1000 : marks.firstSealMs;
    const newest = Math.max(begun, marks.checkedMs, pin.metMs ?? 0);
    return newest > 0 ? newest : undefined;
  }

  /** Order number that the node reported when it was last asked. */
  get nodeOrder(): number {
    return this.#toOrder;
  }

  /** Runs a part of the present run, whose requests end with its time. */
  #within(ms: number, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    return inTime(
      { ...this.#limit, ms },
      (source, signal) => {
        this.#source = source;
        return run(signal);
      },
      () => this.#endEarly(),
    );
  }

  get #isUnfinished(): boolean {
    return this.#findings.some(({ kind }) => kind === 'unfinished');
  }

  /** The time is over, or the verifier is closed. */
  #endEarly(): void {
    if (this.#closing.signal.aborted) throw new VerifierClosed('the verifier was closed');
    const text = `the time for the audit ended at order ${this.replica.checkedOrder} of ${this.#toOrder}`;
    if (!this.#isUnfinished) this.#findings.push({ kind: 'unfinished', text });
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const source = this.#source;
    const { checkpoints, history, pin, replica } = this.parts;
    if (this.#isFailed) throw new VerifierClosed('a fault was found: nothing after it can be checked');
    this.#toOrder = readStatusOrder(await source.status());
    const height = readSignedHeight(await source.latestCheckpoint());
    await history.compare(source, Math.min(height, checkpoints.signed));
    if (this.#noteServed()) {
      await this.#fetchAll(signal);
      await this.#compare();
      checkpoints.expectSigned(height);
    }
    await pin.check(source, checkpoints.newest);
    const { order } = replica.ordering.head;
    const isCut = this.#isUnfinished || this.#findings.some(({ kind }) => kind === 'pruned');
    if (replica.isCaughtUp && order < this.#toOrder && !isCut) {
      const text = `the node reports order ${this.#toOrder}, but the vertices it sent reach order ${order} only`;
      throw new LogFault('missing', text, { order });
    }
  }

  /** Remembers how far this node is; false if that is behind what was checked before: then there is nothing to fetch. */
  #noteServed(): boolean {
    const { marks, replica } = this.parts;
    const { checkedOrder } = replica;
    const finding = servedFinding(marks, this.o.source.name, this.#toOrder, checkedOrder);
    if (finding) this.#findings.push(finding);
    return this.#toOrder >= checkedOrder;
  }

  /** Fetches and computes everything that the node has now. Where that ends early, what was computed is written. */
  async #fetchAll(signal: AbortSignal): Promise<void> {
    try {
      await this.#fetchPages(signal);
    } catch (error) {
      if (error instanceof VwsError || error instanceof VerifierClosed) await this.#commit();
      throw error;
    }
    await this.#commit();
  }

  async #fetchPages(signal: AbortSignal): Promise<void> {
    const { clock } = this.o.environment;
    const endMs = clock.monotonicMs() + this.#bounds.runMs;
    let coming = this.#fetch();
    for (;;) {
      await this.#unpaused;
      if (signal.aborted || clock.monotonicMs() > endMs) return this.#endEarly();
      const bytes = await coming;
      const { epoch } = this.replica;
      if (!bytes) {
        const text = prunedText(epoch.number, await this.#source.status());
        this.#findings.push({ kind: 'pruned', text });
        return;
      }
      const page = readPage(bytes, epoch.number, this.#position);
      const from = this.#position;
      this.#position = page.next;
      // The next page is fetched while this one is checked; after a seal it is discarded.
      const next = page.end === 'more' ? this.#fetch() : undefined;
      await this.#take(from, page);
      if (this.replica.epoch !== epoch) {
        this.#position = 0;
        this.parts.checkpoints.epoch(this.replica.epoch);
        coming = this.#fetch();
      } else if (page.end === 'sealed') {
        const text = `the node reports epoch ${epoch.number} as sealed, but the vertices it sent do not seal it`;
        throw new LogFault('missing', text, { epoch: epoch.number });
      } else if (!next) return;
      else coming = next;
      const epochs = this.replica.epoch.number - this.#comparedIn;
      // Before the seat tables of these checkpoints are dropped.
      if (this.parts.checkpoints.openCount >= COMPARE_AFTER || epochs >= EPOCHS_KEPT / 2)
        await this.#compare();
    }
  }

  /** A failure is thrown where the page is awaited; a paused verifier may not get there. */
  #fetch(): Promise<Uint8Array | undefined> {
    const coming = this.#source.vertices(this.replica.epoch.number, this.#position);
    coming.catch(() => {});
    return coming;
  }

  async #take(from: number, { vertices, end }: LogPage): Promise<void> {
    const { replica } = this;
    const { head } = replica.ordering;
    const { epoch } = replica;
    replica.take(from, vertices);
    const bytes = vertices.reduce((sum, vertex) => sum + vertex.length, 0);
    if (replica.ordering.head.order > head.order) this.#unordered.reset();
    // An idle node has nothing new, however often it is asked.
    else if (vertices.length > 0) this.#unordered.add(bytes);
    this.#heldBytes += bytes;
    const isMore = end === 'more' && replica.epoch === epoch;
    if (!isMore || this.#heldBytes >= (this.o.batchBytes ?? 0)) await this.#commit();
    this.o.onProgress?.(this.progress);
  }

  /** Writes what was computed since the last time. */
  async #commit(): Promise<void> {
    this.#heldBytes = 0;
    const executed = await this.replica.commit();
    if (!executed) return;
    this.#transactions += executed.transactionCount;
    this.parts.checkpoints.computed(executed.checkpoints);
    // Beside the rows that were just written: a page may be closed, and a process killed, at any moment.
    await this.#writeMarks();
  }

  /** Fetches the signed checkpoints up to the newest one that was computed, and no further. */
  async #compare(): Promise<void> {
    const { checkpoints, history } = this.parts;
    this.#comparedIn = this.replica.epoch.number;
    for (let after = checkpoints.signed; after < checkpoints.newest; ) {
      const list = await this.#source.checkpoints(after, MAX_LISTED);
      const listed = readCheckpoints(list, after, MAX_LISTED);
      const signed = checkpoints.compare(listed);
      await this.o.onSigned?.(signed, checkpoints.signed);
      await history.note(signed);
      if (listed.length === 0) return;
      after = listed.at(-1)!.height;
    }
  }

  /**
   * Compares the node's document about an agent, a task or an event with the computed one, both at the same order number.
   * Runs the audit up to that order.
   */
  compare(kind: Kind, id: string): Promise<Comparison> {
    const { replica } = this.parts;
    const { store } = this.o;
    const isPartial = () => store.isPartial === true || (kind === 'event' && this.o.isOnce === true);
    const question = { replica, way: this.way, isPartial, run: () => this.run(), kind, id };
    return inTime(
      this.#limit,
      (source) => compareDocument({ ...question, source }),
      () => ({
        shown: 'not_comparable',
        order: replica.checkedOrder,
        text: 'the node did not answer in time',
      }),
    );
  }

  async #writeMarks(): Promise<void> {
    if (this.o.isOnce) return;
    const { checkpoints, marks } = this.parts;
    const { transactions, signatures } = this.progress;
    await writeMarks(this.o.store, { ...marks, checkpoints: checkpoints.marks, transactions, signatures });
  }

  /** Writes the progress, after a run in progress has ended, so that another verifier on this store can resume. */
  async save(): Promise<void> {
    await this.#running;
    if (this.#isFailed || this.o.isOnce) return;
    const { marks } = this.parts;
    // A point without a good anchor does not become one by being kept.
    const isAnchored = !this.#verdict().findings.some(({ kind }) => kind === 'anchor');
    if (this.#isWhole && isAnchored) marks.checkedMs = this.o.environment.clock.nowMs();
    await this.#writeMarks();
    // Before a resumed run has caught up, the state is older than the stored head.
    if (this.replica.isCaughtUp) await this.replica.save();
  }

  /** Writes the progress and ends the verifier. A run in progress ends with VerifierClosed. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.resume();
    await this.save();
  }
}
