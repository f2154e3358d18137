// Puts transactions and vertices into the final order: the running epoch's DAG, the chain of its blocks, the seals.
// Every vertex takes one way in, whether it was made here, came from a peer or from the disk: `admit`. Every block takes
// one way out: `drain`, one at a time, since whether it is the seal is known only after it was executed.
// Keeps: what it emits is a function of the vertices; nothing of an epoch exists after its seal; an own transaction
// that was packed is packed again when its vertex dies.

import { EpochRefused, type InsertResult } from '../core/consensus.ts';
import type { TxOutcome } from '../core/outcomes.ts';
import type { State } from '../core/state.ts';
import type { VerifyMany } from '../crypto/verifier.ts';
import { blockHash, encodeBlockHeader, verticesRoot } from '../wire/block.ts';
import { equalBytes, fromHex, toHex } from '../wire/bytes.ts';
import { encodeVertex, makeVertex } from '../wire/vertex.ts';
import type { BlockEnd, BlockInput, EntryInput } from './block.ts';
import { type DagBlock, EpochDag, type HeldVertex, type PlacedVertex, type TakenVertex } from './dag.ts';
import type { Emission, EmissionPolicy } from './emission.ts';
import type { EntryProof } from './entry-proof.ts';
import { type Epoch, EpochRun, nextEpoch } from './epoch.ts';
import type { Head } from './head.ts';
import { countThatFits, type Done, type Packed } from './packed.ts';
import { ProofJudge } from './proof-judge.ts';
import { isChange, seatsNow } from './seats.ts';

/** In place of a seat: the node makes no vertices. */
export const OBSERVER = -1;

/** Vertices made in one go: far above what skipped leader slots ask for. Beyond it the batch is stored first. */
const MAX_VERTICES_PER_BATCH = 1024;

/** What blocks and vertices do outside the order: run, and be written. */
export interface Ledger {
  /** Will this block run here; not when a snapshot already stands behind it. */
  runs(block: number): boolean;
  /** A vertex was taken, at this place of its epoch. */
  taken(epoch: number, position: number, held: HeldVertex): void;
  /** A block, in order; returns what became of its transactions. */
  execute(block: BlockInput): readonly TxOutcome[];
  /** The block's end, once it is known what it means for the epoch. */
  ended(block: BlockInput, end: BlockEnd): void;
  /** After a seal: vertices of the sealed epoch that have no place in the order, and the epoch that begins. */
  opened(epoch: Epoch, dead: readonly PlacedVertex[]): void;
}

export interface OrderingOptions {
  /** consensus.wasm. */
  module: WebAssembly.Module;
  genesisHash: Uint8Array;
  state: State;
  /** Epoch to begin with, and where the order stands before it. */
  epoch: Epoch;
  /** The epoch before that one, if there was one. */
  epochBefore: Epoch | undefined;
  /** Own seat; OBSERVER for a node that only follows. */
  seat: number;
  /** Key that `sign` signs with. Undefined: whatever key the seat has. */
  publicKey?: Uint8Array | undefined;
  sign(message: Uint8Array): Uint8Array;
  policy: EmissionPolicy;
  /** What an entry means, by the facts before its block. */
  readEntry(bytes: Uint8Array, proof: EntryProof | undefined): EntryInput;
  /** For signatures of proofs of equivocation. */
  verify: VerifyMany;
  /** An epoch begins: before the first block of it runs. */
  onEpoch(epoch: Epoch): void;
  ledger: Ledger;
}

/** The moment at which vertices are made. `causes`: see EmissionView. */
export interface AdvanceInput {
  nowMs: number;
  causes(): readonly string[];
}

export class Ordering {
  #dag: EpochDag;
  #run: EpochRun;
  /** Its keys judge proofs still. */
  #epochBefore: Epoch | undefined;
  #head: Pick<Head, 'block' | 'order' | 'timeMs'>;
  #previousHash: Uint8Array;
  #ledger: Ledger;
  #pending: Packed[] = [];
  #done: Done[] = [];
  #halt: EpochRefused | undefined;
  #pausesAtSeals = false;
  /** The newest block was a seal, and what it did is not stored yet. */
  #isPausedAtSeal = false;

  /** Throws EpochRefused. */
  constructor(private readonly options: OrderingOptions) {
    const { epoch } = options;
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
   * From now on blocks go here: after a replay. What died at seals of the past was packed again in the past, so
   * nothing is pending. `stopsAtSeals`: nothing is done beyond a seal until `goOn`, so that the store stands there for once.
   */
  attach(ledger: Ledger, pausesAtSeals = false): void {
    this.#ledger = ledger;
    this.#pending = [];
    this.#pausesAtSeals = pausesAtSeals;
  }

  /** The store has what the newest blocks did. True when it was waited for: there is more to do. */
  resumeAfterSeal(): boolean {
    const wasAtSeal = this.#isPausedAtSeal;
    this.#isPausedAtSeal = false;
    return wasAtSeal;
  }

  get epoch(): Epoch {
    return this.#dag.epoch;
  }

  /** Own seat. */
  get seat(): number {
    return this.options.seat;
  }

  /** Has the seat, in the running epoch, the key that this node signs with: after a rotation it has another one. */
  get hasOwnKey(): boolean {
    const { publicKey, seat } = this.options;
    const row = this.epoch.seats[seat];
    return row !== undefined && (publicKey === undefined || equalBytes(row.key, publicKey));
  }

  /** Newest block, order and T. */
  get head(): Readonly<{ block: number; order: number; timeMs: number; hash: Uint8Array }> {
    return { ...this.#head, hash: this.#previousHash };
  }

  /** The running epoch's DAG, for those who show it. */
  get dag(): Pick<
    EpochDag,
    | 'tips'
    | 'maxRound'
    | 'roundOf'
    | 'vertexCount'
    | 'own'
    | 'newestSeqs'
    | 'forks'
    | 'forkLoads'
    | 'positionsMissing'
    | 'memoryBytes'
  > {
    return this.#dag;
  }

  /** Set when no further epoch can open: nothing is ordered any more, on any node. */
  get halt(): EpochRefused | undefined {
    return this.#halt;
  }

  /** Does the seat table of the ledger differ from the running one in a way that seals early (consensus 5.11). */
  get isChangeWaiting(): boolean {
    return isChange(this.epoch, this.#seatsNow());
  }

  /** Transactions that wait for a vertex of this seat. */
  offer(packed: readonly Packed[]): void {
    this.#pending.push(...packed);
  }

  /** Milliseconds until transactions that wait may go out though nothing else happens; Infinity when none waits. */
  payloadDueMs(nowMs: number): number {
    if (this.#pending.length === 0) return Number.POSITIVE_INFINITY;
    const due = this.options.policy.dueMs(true, []);
    return due === undefined ? Number.POSITIVE_INFINITY : Math.max(1, due - nowMs);
  }

  /** Own transactions that were executed since the last call. */
  takeDone(): Done[] {
    const done = this.#done;
    this.#done = [];
    return done;
  }

  /**
   * A vertex with good signature and payload, all its parents admitted before. `other_epoch`: it is not of the
   * running one. The caller drains when it has admitted what it holds.
   */
  admit(
    vertex: TakenVertex,
    bytes: Uint8Array,
    { packed, proofs: proofAt }: Partial<Pick<HeldVertex, 'packed' | 'proofs'>> = {},
  ): InsertResult | 'other_epoch' {
    if (this.#halt || !equalBytes(vertex.header.epochId, this.epoch.id)) return 'other_epoch';
    const held = { vertex, bytes, packed, proofs: proofAt };
    const result = this.#dag.insert(held);
    if (result === 'inserted') this.#ledger.taken(this.epoch.number, this.#dag.vertexCount - 1, held);
    return result;
  }

  /**
   * Makes vertices of this seat while the policy says so, and executes what becomes final. True when it stopped at
   * its bound: there is more to make after the batch.
   */
  advance(moment: AdvanceInput): boolean {
    for (let made = 0; made < MAX_VERTICES_PER_BATCH; made++) {
      // With another key than the seat's nothing can be signed for it.
      if (this.#halt || this.#isPausedAtSeal || !this.hasOwnKey) return false;
      const { nowMs } = moment;
      let causes: readonly string[] | undefined;
      const emission = this.options.policy.next(
        this.#dag.view({
          nowMs,
          hasPayload: this.#pending.length > 0,
          // Asked for last, and once: reading the state for them is not for every follower.
          get causes() {
            causes ??= moment.causes();
            return causes;
          },
        }),
      );
      if (!emission) return false;
      this.#make(emission);
      this.options.policy.made(emission, nowMs);
      this.drain();
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
        creator: seat,
        seq: (own?.seq ?? 0) + 1,
        lamport: this.#dag.lamportOver(parents),
        timeMs,
        epochId: epoch.id,
        parents,
      },
      packed.map(({ bytes }) => bytes),
      this.options.sign,
      epoch.maxParents,
    );
    const result = this.admit(vertex, encodeVertex(vertex), { packed });
    if (result !== 'inserted') throw new Error(`an own vertex was not taken: ${result}`);
  }

  /** Executes what is final, until the next leader is undecided, across seals. */
  drain(): void {
    while (!this.#halt && !this.#isPausedAtSeal) {
      const ordered = this.#dag.nextBlock();
      if (!ordered) return;
      const runs = this.#ledger.runs(this.#head.block + 1);
      const block = this.#blockOf(ordered, runs);
      this.#collectDone(block, ordered, this.#ledger.execute(block));
      this.#previousHash = block.hash;
      this.#head = { block: block.index, order: block.vertices.at(-1)!.order, timeMs: block.timeMs };
      this.#run.add(block.timeMs, block.vertices.length, ordered.evidence);
      // Without the state of this very block the question cannot be asked; such blocks are known to be no seal.
      const isSeal = runs && this.#run.isSealDue(block.timeMs, () => this.isChangeWaiting);
      if (isSeal) this.#sealEpoch(block);
      else {
        const { epoch } = this;
        this.#ledger.ended(block, { epoch, isSeal, digestAfter: epoch.digest });
      }
    }
  }

  #blockOf(ordered: DagBlock, runs: boolean): BlockInput {
    const index = this.#head.block + 1;
    const first = this.#head.order + 1;
    const { leader, leaderRound, timeMs, evidence } = ordered;
    const header = encodeBlockHeader({
      leaderRound,
      index,
      timeMs,
      order: this.#head.order + ordered.vertices.length,
      vertexCount: ordered.vertices.length,
      epochId: this.epoch.id,
      previous: this.#previousHash,
      leader,
      verticesRoot: verticesRoot(ordered.vertices.map(({ held }) => held.vertex.id)),
      evidence,
    });
    const vertices = ordered.vertices.map(({ held, isVoid, round }, i) => ({
      id: held.vertex.id,
      order: first + i,
      seat: held.vertex.header.creator,
      round,
      parents: held.vertex.header.parents.map(toHex).sort(),
      entries: runs && !isVoid ? this.#entriesOf(held) : [],
    }));
    return { index, timeMs, hash: blockHash(header), header, vertices };
  }

  // What admission made of an own entry is what reading it now would give: it let the entry pass on facts that were
  // known then, and known facts never change.
  #entriesOf({ vertex, packed, proofs }: HeldVertex): EntryInput[] {
    const { state, verify, readEntry } = this.options;
    const epochs = this.#epochBefore ? [this.epoch, this.#epochBefore] : [this.epoch];
    const judge = new ProofJudge(epochs, state, verify);
    return vertex.entries.map((bytes, i) => {
      const input = packed?.[i]?.input ?? readEntry(bytes, proofs?.(i));
      const provenSeat = judge.provenSeat(bytes);
      return provenSeat === undefined ? input : { ...input, provenSeat };
    });
  }

  /** Notes what became of own transactions. */
  #collectDone(block: BlockInput, ordered: DagBlock, outcomes: readonly TxOutcome[]): void {
    const timeSecs = Math.floor(block.timeMs / 1000);
    const first = this.#head.order + 1;
    for (const outcome of outcomes) {
      const packed = ordered.vertices[outcome.order - first]!.held.packed?.[outcome.index];
      if (packed) this.#done.push({ packed, outcome, timeSecs });
    }
  }

  #seatsNow() {
    return seatsNow(this.options.state, this.epoch, this.#run.excluded);
  }

  /** Ends the epoch at this block and opens the next (consensus 5.11), or halts where none can open. */
  #sealEpoch(block: BlockInput): void {
    const sealed = this.#dag;
    const seats = this.#seatsNow();
    const { timeMs, order } = this.#head;
    const seal = { block: block.index, hash: block.hash, order, timeMs, excluded: this.#run.excluded };
    const next = seats && nextEpoch(this.options.genesisHash, sealed.epoch, seal, seats);
    const digestAfter = (next ?? sealed.epoch).digest;
    this.#ledger.ended(block, { epoch: sealed.epoch, isSeal: true, digestAfter });
    if (!next) {
      this.#halt = new EpochRefused('too_few_participants');
      return;
    }
    this.#isPausedAtSeal = this.#pausesAtSeals;
    this.#dag = new EpochDag(this.options.module, next, this.options.seat);
    this.#run = new EpochRun(next);
    this.#epochBefore = sealed.epoch;
    this.options.onEpoch(next);
    const dead = sealed.unordered();
    this.#ledger.opened(next, dead);
    this.#pending = [...dead.flatMap((vertex) => this.#entriesToRepack(vertex)), ...this.#pending];
  }

  #entriesToRepack({ held }: PlacedVertex): readonly Packed[] {
    if (held.vertex.header.creator !== this.options.seat) return [];
    return held.packed ?? held.vertex.entries.map((bytes) => ({ bytes, input: undefined }));
  }
}

/** Where an ordering stands, in the form that is stored. */
export const isAtHead = (ordering: Ordering, head: Head): boolean =>
  ordering.head.block === head.block &&
  ordering.head.order === head.order &&
  ordering.epoch.number === head.epoch &&
  equalBytes(ordering.head.hash, fromHex(head.blockHash)!);
