// Compares the computed checkpoints with those that seats have signed (consensus 5.12).
// Keeps: a signature counts only under the key that its seat had in the checkpoint's epoch; every listed checkpoint must
// equal the computed one, whoever signed it; the verdict relies only on checkpoints signed by a quorum.

import type { VerifyMany } from '../crypto/verifier.ts';
import { type Epoch, isQuorumOf } from '../ordering/epoch.ts';
import type { SignedCheckpoint } from '../proofs/readings.ts';
import { signersOf } from '../proofs/signers.ts';
import type { CheckpointDoc } from '../store/documents.ts';
import { type CheckpointStatement, checkpointHash, decodeCheckpoint } from '../wire/block.ts';
import { equalBytes, fromHex, toHex } from '../wire/bytes.ts';
import { LogFault } from '../wire/log-fault.ts';
import { checkpointCode } from './checkpoint-code.ts';

/** Epochs whose seat tables are kept; checkpoints of older ones were compared long before. */
export const EPOCHS_KEPT = 8;

/** What a closed verifier has to remember about checkpoints. */
export interface CheckpointMarks {
  /** Newest height that a quorum has signed and that equals the computed one. */
  signed: number;
  /** Computed, but not yet seen with a quorum: height and statement in hex. */
  open: [number, string][];
  /** Code of the one at `signed`; empty for none. */
  code: string;
}

export const NO_MARKS: CheckpointMarks = { signed: 0, open: [], code: '' };

/** The marks of an audit that begins at a seal. */
export const marksAtSeal = (height: number, statement: Uint8Array): CheckpointMarks => ({
  signed: height,
  open: [],
  code: checkpointCode(checkpointHash(statement)),
});

export class CheckpointChecks {
  readonly #open: Map<number, string>;
  readonly #epochs = new Map<string, Epoch>();
  /** Newest height that a quorum has signed and that equals the computed one, and the code of its hash. */
  signed: number;
  code: string;
  /** Newest height that was computed, or proven by a seal. */
  newest: number;

  constructor(
    private readonly verify: VerifyMany,
    marks: CheckpointMarks,
  ) {
    this.#open = new Map(marks.open);
    this.signed = marks.signed;
    this.code = marks.code;
    this.newest = Math.max(marks.signed, ...this.#open.keys());
  }

  get marks(): CheckpointMarks {
    return { signed: this.signed, open: [...this.#open], code: this.code };
  }

  /** Number of computed checkpoints not compared yet. */
  get openCount(): number {
    return this.#open.size;
  }

  epoch(epoch: Epoch): void {
    this.#epochs.set(toHex(epoch.id), epoch);
    if (this.#epochs.size > EPOCHS_KEPT) this.#epochs.delete(this.#epochs.keys().next().value!);
  }

  computed(docs: readonly CheckpointDoc[]): void {
    for (const { height, statement } of docs) {
      this.#open.set(height, statement);
      this.newest = Math.max(this.newest, height);
    }
  }

  /**
   * Compares checkpoints listed by a node, ascending; those that equal the computed ones and whose signatures are good.
   * Errors: LogFault `forged`, `weight`, `order`, `state`.
   */
  compare(listed: readonly SignedCheckpoint[]): SignedCheckpoint[] {
    return listed.filter((checkpoint) => {
      const statement = this.#open.get(checkpoint.height);
      return statement !== undefined && this.#compare(checkpoint, statement);
    });
  }

  #compare(listed: SignedCheckpoint, computedHex: string): boolean {
    const { height } = listed;
    const computed = decodeCheckpoint(fromHex(computedHex)!)!;
    const epoch = this.#epochs.get(toHex(computed.epochId));
    // A checkpoint of a much older epoch: newer ones cover it.
    if (!epoch) return false;
    const bytes = fromHex(listed.statement);
    const signed = bytes && decodeCheckpoint(bytes);
    if (!bytes || !signed)
      throw new LogFault('answer', `checkpoint ${height} has no valid statement`, { checkpoint: height });
    const signers = signersOf(this.verify, listed, bytes, epoch);
    const hasQuorum = isQuorumOf(epoch, signers);
    if (listed.statement !== computedHex)
      throw differs({ computed, signed, signers: signers.length, hasQuorum });
    if (!hasQuorum || height <= this.signed) return true;
    // The signatures cover everything up to this height, so earlier checkpoints need no quorum of their own.
    for (const open of this.#open.keys()) if (open <= height) this.#open.delete(open);
    this.signed = height;
    this.code = checkpointCode(checkpointHash(bytes));
    return true;
  }

  /** Checks that the node has shown a quorum for the height that it reports as signed. Errors: LogFault `weight`. */
  expectSigned(height: number): void {
    if (this.signed >= height || !this.#open.has(height)) return;
    throw new LogFault(
      'weight',
      `the node reports checkpoint ${height} as signed, but the seats that signed it have too little weight`,
      {
        checkpoint: height,
      },
    );
  }
}

interface Difference {
  computed: CheckpointStatement;
  signed: CheckpointStatement;
  signers: number;
  hasQuorum: boolean;
}

function differs({ computed, signed, signers, hasQuorum }: Difference): LogFault {
  const { height, order } = computed;
  const place = { checkpoint: height, order };
  const who = hasQuorum
    ? `a quorum of seats signed`
    : `${signers} ${signers === 1 ? 'seat' : 'seats'} with too little weight signed`;
  if (!hasQuorum)
    return new LogFault('weight', `checkpoint ${height} does not match the vertices, and ${who} it`, place);
  if (signed.order !== computed.order || !equalBytes(signed.blockHash, computed.blockHash)) {
    const text = `${who} a different order at checkpoint ${height} than the vertices give`;
    return new LogFault('order', text, place);
  }
  const [signedRoot, computedRoot] = [toHex(signed.stateRoot), toHex(computed.stateRoot)];
  const what = `${who} state ${signedRoot} at checkpoint ${height}, but the vertices up to order ${order} give ${computedRoot}`;
  return new LogFault('state', what, place);
}
