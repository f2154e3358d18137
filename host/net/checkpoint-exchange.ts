// Exchanges signatures of checkpoints, which seats send each other beside the DAG (consensus 5.12).
// Keeps: a signature counts once, by the seat table of its block's epoch. If a quorum signs another statement than this
// node's, its state has diverged: the node stops, with the proof on its disk.

import { readTotals } from '../execution/recovery.ts';
import type { Logger } from '../log.ts';
import { signedHeight } from '../ordering/checkpoints.ts';
import { type Epoch, type EpochDoc, isQuorumOf, readEpochDoc } from '../ordering/epoch.ts';
import type { CheckpointDoc } from '../store/documents.ts';
import { rowKey } from '../store/prefixes.ts';
import { readJson, WriteSet } from '../store/write-set.ts';
import { checkpointHash, checkpointSigningBytes, decodeCheckpoint } from '../wire/block.ts';
import { equalBytes, fromHex, type SignatureJob, toHex } from '../wire/bytes.ts';
import type { Store } from '../world/store.ts';
import { type Bound, SenderLoad } from './sender-load.ts';
import { type Waiting, WaitingRoom } from './waiting-room.ts';

/** Epochs whose seat tables are kept in memory. */
const EPOCHS_KEPT = 4;
/** Signatures of checkpoints that this node has not reached yet: of one sender, and in all. */
const MAX_EARLY_PER_SENDER: Bound = { count: 512, bytes: 256 * 1024 };
const MAX_EARLY: Bound = { count: 4096, bytes: 2 * 1024 * 1024 };
/** Heights with conflicting signatures that are remembered: the newest. Below them one would be forgotten, and told, again and again. */
const MAX_DISPUTED = 64;

/** Newest checkpoints whose signatures a new peer gets, besides the newest one signed by a quorum. */
const RECENT_CHECKPOINTS = 2;

/** A seat's signature of a checkpoint statement. */
export interface CheckpointSignature {
  statement: Uint8Array;
  seat: number;
  signature: Uint8Array;
}

interface EarlySignature extends Waiting {
  vote: CheckpointSignature;
}

/** A quorum signed another state than this node has. */
export class StateDiverged extends Error {
  override name = 'StateDiverged';

  constructor(height: number) {
    super(
      `the state of this node has diverged: a quorum signed another state at checkpoint ${height}. The proof is in the store under m:diverged`,
    );
  }
}

export interface ExchangeOptions {
  store: Store;
  log: Logger;
  genesis: Epoch;
  genesisHash: Uint8Array;
  running(): Epoch;
  verify(job: SignatureJob): Promise<boolean>;
  validatorIds: readonly string[];
  /** A quorum has signed a newer checkpoint. */
  onSigned(): void;
  onDiverged(error: StateDiverged): void;
}

export class CheckpointExchange {
  readonly #epochs = new Map<string, Epoch>();
  /** By height. */
  readonly #early = new Map<number, Set<EarlySignature>>();
  readonly #room = new WaitingRoom<EarlySignature>(new SenderLoad(MAX_EARLY_PER_SENDER, MAX_EARLY));
  /** Height -> hash of another statement -> seats that signed it. */
  readonly #conflicting = new Map<number, Map<string, CheckpointSignature[]>>();
  /** Height of this node's newest checkpoint. */
  #reached: number;
  #writes: Promise<void> = Promise.resolve();

  constructor(private readonly options: ExchangeOptions) {
    this.#reached = readTotals(options.store).checkpoints;
    const { number } = options.running();
    for (let epoch = Math.max(0, number - EPOCHS_KEPT + 1); epoch < number; epoch++) this.#read(epoch);
    this.onEpoch();
  }

  #read(number: number): void {
    const { store, genesis, genesisHash } = this.options;
    const doc = number === 0 ? undefined : readJson<EpochDoc>(store.get(rowKey.epoch(number)));
    if (number !== 0 && !doc) return;
    const epoch = doc ? readEpochDoc(doc, genesis, genesisHash) : genesis;
    this.#epochs.set(toHex(epoch.id), epoch);
  }

  onEpoch(): void {
    const epoch = this.options.running();
    this.#epochs.set(toHex(epoch.id), epoch);
    for (const key of this.#epochs.keys()) {
      if (this.#epochs.size <= EPOCHS_KEPT) break;
      this.#epochs.delete(key);
    }
  }

  /** Signatures of the newest signed checkpoint and of the last two, for a peer that may lack them. */
  newestSignatures(): CheckpointSignature[] {
    const { store } = this.options;
    const last = readTotals(store).checkpoints;
    const heights = Array.from({ length: RECENT_CHECKPOINTS }, (_, i) => last - i);
    return [...new Set([signedHeight(store), ...heights])].flatMap((height) => this.#signaturesAt(height));
  }

  #signaturesAt(height: number): CheckpointSignature[] {
    const doc = height > 0 && readJson<CheckpointDoc>(this.options.store.get(rowKey.checkpoint(height)));
    if (!doc) return [];
    const statement = fromHex(doc.statement)!;
    const seats = this.#epochs.get(toHex(decodeCheckpoint(statement)!.epochId))?.seats ?? [];
    const seatOf = new Map(seats.map(({ key }, seat) => [toHex(key), seat]));
    return doc.signatures.flatMap(({ public_key, signature }) => {
      const seat = seatOf.get(public_key);
      return seat === undefined ? [] : [{ statement, seat, signature: fromHex(signature)! }];
    });
  }

  /** This node made checkpoints: returns its signatures of them, and counts signatures that arrived before. */
  onCheckpoints(docs: readonly CheckpointDoc[], seat: number): CheckpointSignature[] {
    const votes: CheckpointSignature[] = [];
    for (const doc of docs) {
      this.#reached = Math.max(this.#reached, doc.height);
      const own = doc.signatures[0];
      if (own) {
        votes.push({ statement: fromHex(doc.statement)!, seat, signature: fromHex(own.signature)! });
      }
      const early = this.#early.get(doc.height) ?? [];
      this.#early.delete(doc.height);
      for (const item of early) {
        const { vote, from } = item;
        this.#room.remove(item);
        this.onSignature(vote, from).catch((error) =>
          this.options.log.error({ err: error }, 'cannot process a checkpoint signature'),
        );
      }
    }
    return votes;
  }

  /** A signature that a peer sent. False if it is invalid: a malformed statement, or a bad signature. */
  async onSignature(vote: CheckpointSignature, from: string): Promise<boolean> {
    const statement = decodeCheckpoint(vote.statement);
    if (!statement) return false;
    const epoch = this.#epochs.get(toHex(statement.epochId));
    const doc = readJson<CheckpointDoc>(this.options.store.get(rowKey.checkpoint(statement.height)));
    if (!epoch || !doc) {
      // One that was reached is of an epoch whose table is not kept any more.
      if (statement.height > this.#reached) this.#keepEarly(statement.height, vote, from);
      return true;
    }
    const row = epoch.seats[vote.seat];
    if (!row || row.weight === 0n) return false;
    const isKnown = doc.signatures.some((s) => s.public_key === toHex(row.key));
    const isSame = equalBytes(fromHex(doc.statement)!, vote.statement);
    if (isKnown && isSame) return true;
    const message = checkpointSigningBytes(checkpointHash(vote.statement));
    if (!(await this.options.verify({ publicKey: row.key, message, signature: vote.signature })))
      return false;
    // One after the other, whether or not the previous one was written: each reads what there is.
    this.#writes = this.#writes
      .catch(() => {})
      .then(() => (isSame ? this.#add(statement.height, epoch, vote) : undefined));
    if (!isSame) this.#noteOther(statement.height, epoch, vote, doc);
    await this.#writes;
    return true;
  }

  // Of a checkpoint that this node has not reached: kept until then, if there is room.
  #keepEarly(height: number, { statement, seat, signature }: CheckpointSignature, from: string): void {
    const vote = { statement: statement.slice(), seat, signature: signature.slice() };
    const early = { vote, from, height, length: statement.length + signature.length };
    const ofHeight = this.#early.get(height) ?? new Set();
    this.#early.set(height, ofHeight.add(early));
    for (const out of this.#room.add(early)) {
      const others = this.#early.get(out.height)!;
      others.delete(out);
      if (others.size === 0) this.#early.delete(out.height);
    }
  }

  async #add(height: number, epoch: Epoch, { seat, signature }: CheckpointSignature): Promise<void> {
    const { store } = this.options;
    const doc = readJson<CheckpointDoc>(store.get(rowKey.checkpoint(height)));
    const publicKey = toHex(epoch.seats[seat]!.key);
    if (!doc || doc.signatures.some((s) => s.public_key === publicKey)) return;
    doc.signatures.push({
      validator_id: this.options.validatorIds[seat] ?? `seat ${seat}`,
      public_key: publicKey,
      signature: toHex(signature),
    });
    const signers = doc.signatures.map((s) =>
      epoch.seats.findIndex(({ key }) => toHex(key) === s.public_key),
    );
    doc.signatures.sort((a, b) => (a.validator_id < b.validator_id ? -1 : 1));
    const set = new WriteSet(store);
    set.putJson(rowKey.checkpoint(height), doc);
    const isNewest = isQuorumOf(epoch, signers) && height > signedHeight(store);
    if (isNewest) set.putJson(rowKey.meta('signed'), { height });
    await store.write(set.ops());
    if (isNewest) this.options.onSigned();
  }

  #noteOther(height: number, epoch: Epoch, vote: CheckpointSignature, own: CheckpointDoc): void {
    if (this.#conflicting.size === MAX_DISPUTED && height < Math.min(...this.#conflicting.keys())) return;
    const hash = toHex(checkpointHash(vote.statement));
    const others = this.#conflicting.get(height) ?? new Map<string, CheckpointSignature[]>();
    // Only the first of a seat counts: whoever signs many statements takes no more room.
    if ([...others.values()].some((votes) => votes.some(({ seat }) => seat === vote.seat))) return;
    this.#conflicting.set(height, others);
    if (this.#conflicting.size > MAX_DISPUTED)
      this.#conflicting.delete(Math.min(...this.#conflicting.keys()));
    const votes = others.get(hash) ?? [];
    others.set(hash, votes);
    const { statement, seat, signature } = vote;
    votes.push({ statement: statement.slice(), seat, signature: signature.slice() });
    this.options.log.error({ height, seat }, 'a validator signed a different state root at this height');
    const signers = votes.map((v) => v.seat);
    if (isQuorumOf(epoch, signers)) void this.#diverged(height, own, votes);
  }

  async #diverged(height: number, own: CheckpointDoc, votes: readonly CheckpointSignature[]): Promise<void> {
    const set = new WriteSet(this.options.store);
    const theirs = votes.map(({ statement, seat, signature }) => ({
      seat,
      statement: toHex(statement),
      signature: toHex(signature),
    }));
    set.putJson(rowKey.meta('diverged'), { height, own, theirs });
    await this.options.store.write(set.ops());
    this.options.onDiverged(new StateDiverged(height));
  }
}
