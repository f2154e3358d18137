// Puts vertices and their transactions into the total order: the running epoch's DAG, the chain of its blocks, the seals.
// Every vertex enters through `admit`, whether it was made here, sent by a peer or read from disk. Every block leaves
// through `drain`, one at a time, because whether it is the seal is known only after it was executed.
// Keeps: the blocks are a function of the vertices; an epoch's DAG ends with its seal; a transaction packed here is packed
// again if its vertex was not ordered before the seal.
//
// A node that serves joiners pauses at each seal (`attach` with `pausesAtSeals`): nothing is ordered or made beyond it until
// `resumeAfterSeal`, so that the store is once exactly at the seal and a snapshot of it can be taken.

import { EpochRefused } from '../core/consensus.ts';
import type { TxOutcome } from '../core/outcomes.ts';
import type { State } from '../core/state.ts';
import type { VerifyMany } from '../crypto/verifier.ts';
import { blockHash } from '../wire/block.ts';
import { equalBytes, toHex } from '../wire/bytes.ts';
import { NEWEST_REVISION } from '../wire/revisions.ts';
import { MAX_INCARNATION, nextSeq } from '../wire/seq.ts';
import { encodeVertex, makeVertex } from '../wire/vertex.ts';
import type { BlockInput, EntryInput } from './block.ts';
import {
  type DagBlock,
  type DagResult,
  EpochDag,
  headerOf,
  type InsertedVertex,
  type VertexContent,
} from './dag.ts';
import type { Emission, EmissionPolicy } from './emission.ts';
import type { EntryProof } from './entry-proof.ts';
import { type Epoch, EpochRun, nextEpoch } from './epoch.ts';
import type { Head } from './head.ts';
import type { Ledger } from './ledger.ts';
import { countThatFits, type Done, doneOf, entriesToRepack, type Packed } from './packed.ts';
import { addUses, type PayloadUse } from './payload-use.ts';
import { ProofJudge } from './proof-judge.ts';
import { resumptionsOf } from './resumptions.ts';
import { isChange, markLate, seatsNow } from './seats.ts';

/** In place of a seat: the node follows the order and makes no vertices. */
export const OBSERVER = -1;

/** Vertices made in one batch: far more than skipped leader slots need. Beyond it, what was made is stored first. */
const MAX_VERTICES_PER_BATCH = 1024;

export interface OrderingOptions {
  /** consensus.wasm. */
  module: WebAssembly.Module;
  genesisHash: Uint8Array;
  state: State;
  /** Epoch to begin with. */
  epoch: Epoch;
  /** The epoch before that one, if there was one. */
  epochBefore: Epoch | undefined;
  /** This node's seat, or OBSERVER. */
  seat: number;
  /** See `knownRevision`; tests give another one. */
  revision?: number | undefined;
  /** Key that `sign` signs with; undefined: the seat's. */
  publicKey?: Uint8Array | undefined;
  /** `header`: of the vertex that the message is of; `epoch`: its number. */
  sign(message: Uint8Array, header: Uint8Array, epoch: number): Uint8Array;
  policy: EmissionPolicy;
  /** The command of an entry, by the facts before its block. */
  readEntry(bytes: Uint8Array, proof: EntryProof | undefined): EntryInput;
  /** Verifies the signatures in proofs of equivocation. */
  verify: VerifyMany;
  /** An epoch begins: before the first block of it runs. */
  onEpoch(epoch: Epoch): void;
  ledger: Ledger;
}

/** When vertices are made. `causes`: see EmissionView; called at most once for each vertex. */
export interface AdvanceInput {
  nowMs: number;
  /** Writes that came since the last call. */
  came?: number;
  causes(): readonly string[];
}

export class Ordering {
  #dag: EpochDag;
  #run: EpochRun;
  /** Its keys still verify proofs of equivocation. */
  #epochBefore: Epoch | undefined;
  #head: Pick<Head, 'block' | 'order' | 'timeMs'>;
  #previousHash: Uint8Array;
  #ledger: Ledger;
  /** Transactions that wait for a vertex. */
  #pending: Packed[] = [];
  #done: Done[] = [];
  /** By seat. */
  #uses = new Map<number, PayloadUse>();
  #halt: EpochRefused | undefined;
  /** Vertices are made in this incarnation at least, up to and including epoch `until`. */
  #resumes = { incarnation: 0, until: -1 };
  /** Newest revision of the rules that this program knows. */
  readonly knownRevision: number;
  /** A block is executed on another thread. */
  #isExecuting = false;
  #pausesAtSeals = false;
  /** The newest block was a seal that is not stored yet. */
  #isPausedAtSeal = false;

  /** Throws EpochRefused. */
  constructor(private readonly options: OrderingOptions) {
    const { epoch } = options;
    this.knownRevision = options.revision ?? NEWEST_REVISION;
    if (!this.#knowsRules) throw new EpochRefused('old_program');
    this.#dag = new EpochDag(options.module, epoch, options.seat);
    this.#run = new EpochRun(epoch);
    this.#epochBefore = options.epochBefore;
    this.#head = {
      block: epoch.firstBlock - 1,
      order: epoch.firstOrder - 1,
      timeMs: epoch.previousTimeMs,
    };
    this.#previousHash = epoch.sealBlock;
    this.#ledger = options.ledger;
    options.onEpoch(epoch);
  }

  /**
   * After a replay: sends blocks to `ledger` from now on. Vertices dropped at past seals were repacked then, so nothing is
   * pending. `pausesAtSeals`: pause at each seal until `resumeAfterSeal()`, so that a snapshot can be taken exactly there.
   */
  attach(ledger: Ledger, pausesAtSeals = false): void {
    this.#ledger = ledger;
    this.#pending = [];
    this.#uses = new Map();
    this.#pausesAtSeals = pausesAtSeals;
  }

  /** The newest blocks are stored. True when the ordering had paused for that: there is more to do. */
  resumeAfterSeal(): boolean {
    const wasAtSeal = this.#isPausedAtSeal;
    this.#isPausedAtSeal = false;
    return wasAtSeal;
  }

  get epoch(): Epoch {
    return this.#dag.epoch;
  }

  /** This node's seat, or OBSERVER. */
  get seat(): number {
    return this.options.seat;
  }

  /** Does the seat have, in the running epoch, the key that this node signs with; after a rotation it has another one. */
  get hasOwnKey(): boolean {
    const { publicKey, seat } = this.options;
    const row = this.epoch.seats[seat];
    return row !== undefined && (publicKey === undefined || equalBytes(row.key, publicKey));
  }

  /** Newest block, order number and consensus time. */
  get head(): Readonly<{ block: number; order: number; timeMs: number; hash: Uint8Array }> {
    return { ...this.#head, hash: this.#previousHash };
  }

  /** The running epoch's DAG, read-only. */
  get dag(): Pick<
    EpochDag,
    | 'tips'
    | 'maxRound'
    | 'roundOf'
    | 'vertexCount'
    | 'own'
    | 'newestSeqs'
    | 'hasSeq'
    | 'incarnationsOf'
    | 'forks'
    | 'forkLoads'
    | 'unorderedLoads'
    | 'hasUnfinishedWork'
    | 'positionsAbove'
    | 'memoryBytes'
  > {
    return this.#dag;
  }

  /**
   * Tells, whenever it is called, whether all `work` in the past of what is a seat's newest vertex now is executed by then; what was
   * not ordered before the seal never will be. Of a seat that forked nothing is awaited.
   */
  settling(seat: number): () => boolean {
    const dag = this.#dag;
    const isOrdered = dag.settling(seat);
    return () => !this.#isExecuting && (this.#dag !== dag || isOrdered());
  }

  /** Set when no further epoch can open: no node orders anything any more. */
  get halt(): EpochRefused | undefined {
    return this.#halt;
  }

  /** Does the ledger's seat table differ from the running one so that the epoch is sealed early (consensus 5.11). */
  get isChangeWaiting(): boolean {
    return isChange(this.epoch, this.#seatsNow());
  }

  /** Adds transactions to be packed into vertices of this seat. */
  offer(packed: readonly Packed[]): void {
    this.#pending.push(...packed);
  }

  /**
   * This seat may have lost vertices: from now on it makes them in this incarnation at least, over the highest own vertex
   * that was admitted, up to and including epoch `until`. Lasts until the process ends; a vertex of the incarnation keeps
   * it for its epoch. Above MAX_INCARNATION nothing could be made, so that throws.
   */
  startIncarnation(incarnation: number, until: number): void {
    if (!Number.isInteger(incarnation) || incarnation < 1 || incarnation > MAX_INCARNATION) {
      throw new RangeError(`incarnation ${incarnation}`);
    }
    this.#resumes = { incarnation, until };
  }

  /** Milliseconds until a vertex may be due though nothing else happens; Infinity when none is. Causes do not count. */
  emissionDueMs(nowMs: number): number {
    const due = this.options.policy.dueMs(this.#pending.length > 0, []);
    return due === undefined ? Number.POSITIVE_INFINITY : Math.max(1, due - nowMs);
  }

  /** Transactions of this node that were executed since the last call, to be answered now. */
  takeDone(nowMs: number): Done[] {
    const done = this.#done;
    this.options.policy.answered(done.length, nowMs);
    this.#done = [];
    return done;
  }

  /** What became of the payload of each seat's vertices that were executed since the last call. */
  takeUses(): ReadonlyMap<number, PayloadUse> {
    const uses = this.#uses;
    this.#uses = new Map();
    return uses;
  }

  /**
   * Inserts a vertex whose signature and payload were checked and whose parents were admitted. `other_epoch`: it does not
   * belong to the running one. `left_out`: host policy, as of a fork beyond the bound. The caller calls `drain` after it has admitted all it has.
   */
  admit(
    vertex: VertexContent,
    bytes: Uint8Array,
    { packed, proofAt }: Partial<Pick<InsertedVertex, 'packed' | 'proofAt'>> = {},
  ): DagResult | 'other_epoch' {
    if (this.#halt || !equalBytes(vertex.header.epochId, this.epoch.id)) return 'other_epoch';
    const inserted = { vertex, bytes, packed, proofAt };
    const result = this.#dag.insert(inserted);
    if (result === 'inserted')
      this.#ledger.onInserted(this.epoch.number, this.#dag.vertexCount - 1, inserted);
    return result;
  }

  /**
   * Makes vertices of this seat while the policy asks for them, and executes what becomes final. True when it stopped at
   * MAX_VERTICES_PER_BATCH: more can be made once these are stored. A promise as for `drain`.
   */
  advance(input: AdvanceInput): boolean | Promise<boolean> {
    this.options.policy.came(input.came ?? 0, input.nowMs);
    return this.#advance(input, 0);
  }

  #advance(input: AdvanceInput, from: number): boolean | Promise<boolean> {
    for (let made = from; made < MAX_VERTICES_PER_BATCH; made++) {
      // Nothing can be signed for a seat that has another key.
      if (this.#halt || this.#isPausedAtSeal || !this.hasOwnKey) return false;
      const { nowMs } = input;
      let causes: readonly string[] | undefined;
      const emission = this.options.policy.next(
        this.#dag.view({
          nowMs,
          hasPayload: this.#pending.length > 0,
          isAnswering: this.#done.length > 0,
          // Lazy: the policy rarely needs them, and they read the state.
          get causes() {
            causes ??= input.causes();
            return causes;
          },
        }),
      );
      if (!emission) return false;
      this.#make(emission);
      this.options.policy.made(emission, nowMs);
      const executing = this.drain();
      if (executing) return executing.then(() => this.#advance(input, made + 1));
    }
    return true;
  }

  #make(emission: Emission): void {
    const { epoch, seat, own } = this.#dag;
    const packed = emission.withPayload ? this.#pending.splice(0, countThatFits(this.#pending)) : [];
    const { parents, timeMs, work } = emission;
    const vertex = makeVertex(
      {
        work,
        revision: this.knownRevision,
        creator: seat,
        seq: nextSeq(own?.seq ?? 0, epoch.number <= this.#resumes.until ? this.#resumes.incarnation : 0),
        lamport: this.#dag.lamportOver(parents),
        timeMs,
        epochId: epoch.id,
        parents,
      },
      packed.map(({ bytes }) => bytes),
      (message, header) => this.options.sign(message, header, epoch.number),
      epoch.maxParents,
    );
    const result = this.admit(vertex, encodeVertex(vertex), { packed });
    if (result !== 'inserted') throw new Error(`a vertex of this node was not inserted: ${result}`);
  }

  /**
   * Executes what is final, across seals, until the next leader is undecided. A promise if the ledger executes a block on
   * another thread: until it resolves, neither `admit`, `advance` nor `drain` may be called.
   */
  drain(): Promise<void> | undefined {
    while (!this.#halt && !this.#isPausedAtSeal) {
      const ordered = this.#dag.nextBlock();
      if (!ordered) return undefined;
      const runs = this.#ledger.executes(this.#head.block + 1);
      const block = this.#blockOf(ordered, runs);
      const outcomes = this.#ledger.execute(block);
      if (outcomes instanceof Promise) {
        this.#isExecuting = true;
        return outcomes.then((them) => {
          this.#isExecuting = false;
          this.#endBlock(block, ordered, runs, them);
          return this.drain();
        });
      }
      this.#endBlock(block, ordered, runs, outcomes);
    }
    return undefined;
  }

  #endBlock(block: BlockInput, ordered: DagBlock, runs: boolean, outcomes: readonly TxOutcome[]): void {
    this.#done.push(...doneOf(block, ordered, outcomes));
    if (runs) addUses(this.#uses, block, ordered, outcomes);
    this.#previousHash = block.hash;
    this.#head = { block: block.index, order: block.vertices.at(-1)!.order, timeMs: block.timeMs };
    this.#run.add(block.timeMs, block.vertices.length);
    // Blocks that are not executed here are known not to be seals; only the state right after a block could tell.
    const isSeal = runs && this.#run.isSealDue(block.timeMs, () => this.isChangeWaiting);
    if (isSeal) this.#sealEpoch(block);
    else {
      const { epoch } = this;
      this.#ledger.endBlock(block, { epoch, isSeal, digestAfter: epoch.digest });
    }
  }

  #blockOf(ordered: DagBlock, runs: boolean): BlockInput {
    const index = this.#head.block + 1;
    const first = this.#head.order + 1;
    const place = { index, order: this.#head.order + ordered.vertices.length };
    const header = headerOf(ordered, { ...place, epochId: this.epoch.id, previous: this.#previousHash });
    const vertices = ordered.vertices.map(({ inserted, isVoid, round }, i) => ({
      id: inserted.vertex.id,
      order: first + i,
      seat: inserted.vertex.header.creator,
      revision: inserted.vertex.header.revision,
      round,
      parents: inserted.vertex.header.parents.map(toHex).sort(),
      entries: runs && !isVoid ? this.#entriesOf(inserted) : [],
    }));
    const resumptions = resumptionsOf(ordered, this.epoch, this.#run);
    return { index, timeMs: ordered.timeMs, hash: blockHash(header), header, vertices, resumptions };
  }

  // For an entry of this node admission already has the input: it used facts that were known then, and those never
  // change, so reading the entry now would give the same.
  #entriesOf({ vertex, packed, proofAt }: InsertedVertex): EntryInput[] {
    const { state, verify, readEntry } = this.options;
    const epochs = this.#epochBefore ? [this.epoch, this.#epochBefore] : [this.epoch];
    const judge = new ProofJudge(epochs, state, verify);
    return vertex.entries.map((bytes, i) => {
      const input = packed?.[i]?.input ?? readEntry(bytes, proofAt?.(i));
      const proven = judge.proven(bytes);
      return proven ? { ...input, proven } : input;
    });
  }

  /** Not when a quorum has gone on to rules that this program cannot execute (consensus 5.11). */
  get #knowsRules(): boolean {
    return this.options.state.header().revision <= this.knownRevision;
  }

  #seatsNow() {
    return seatsNow(this.options.state, this.epoch);
  }

  /** Ends the epoch at this block and opens the next (consensus 5.11), or halts if none can open. */
  #sealEpoch(block: BlockInput): void {
    const sealed = this.#dag;
    this.#ledger.closeEpoch();
    const seats = this.#seatsNow();
    const { timeMs, order } = this.#head;
    const seal = { block: block.index, hash: block.hash, order, timeMs };
    const table = seats && markLate(seats, sealed.epoch.minParticipants, sealed.timely());
    const next = table && nextEpoch(this.options.genesisHash, sealed.epoch, seal, table);
    const digestAfter = (next ?? sealed.epoch).digest;
    this.#ledger.endBlock(block, { epoch: sealed.epoch, isSeal: true, digestAfter });
    if (!next) {
      this.#halt = new EpochRefused('too_few_participants');
      return;
    }
    // The epoch is opened on disk all the same: a newer program resumes there.
    if (!this.#knowsRules) this.#halt = new EpochRefused('old_program');
    this.#isPausedAtSeal = this.#pausesAtSeals;
    this.#dag = new EpochDag(this.options.module, next, this.options.seat);
    this.#run = new EpochRun(next);
    this.#epochBefore = sealed.epoch;
    this.options.onEpoch(next);
    const dead = sealed.unordered();
    this.#ledger.openEpoch(next, dead);
    this.#pending = [
      ...dead.flatMap((vertex) => entriesToRepack(vertex, this.options.seat)),
      ...this.#pending,
    ];
  }
}
