// Compares the computed checkpoints with those that seats have signed (consensus 5.12).
// Keeps: a signature counts only under the key that its seat had in the checkpoint's epoch; every listed checkpoint must
// equal the computed one, whoever signed it; the verdict relies only on checkpoints signed by a quorum.

import type { VerifyMany } from '../crypto/verifier.ts';
import { type Epoch, isQuorumOf } from '../ordering/epoch.ts';
import type { CheckpointDoc } from '../store/documents.ts';
import {
  type CheckpointStatement,
  checkpointHash,
  checkpointSigningBytes,
  decodeCheckpoint,
} from '../wire/block.ts';
import { equalBytes, fromHex, toHex } from '../wire/bytes.ts';
import { LogFault } from '../wire/log-fault.ts';
import type { SignedCheckpoint } from './source.ts';

/** Epochs whose seat tables are kept; checkpoints of older ones were compared long before. */
export const EPOCHS_KEPT = 8;

/** What a closed verifier has to remember about checkpoints. */
export interface CheckpointMarks {
  /** Newest height that a quorum has signed and that equals the computed one. */
  signed: number;
  /** Computed, but not yet seen with a quorum: height and statement in hex. */
  open: [number, string][];
}

export const NO_MARKS: CheckpointMarks = { signed: 0, open: [] };

export class CheckpointChecks {
  readonly #open: Map<number, string>;
  readonly #epochs = new Map<string, Epoch>();
  /** Newest height that a quorum has signed and that equals the computed one, and its statement. */
  signed: number;
  statement: CheckpointStatement | undefined;

  constructor(
    private readonly verify: VerifyMany,
    marks: CheckpointMarks,
  ) {
    this.#open = new Map(marks.open);
    this.signed = marks.signed;
  }

  get marks(): CheckpointMarks {
    return { signed: this.signed, open: [...this.#open] };
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
    for (const { height, statement } of docs) this.#open.set(height, statement);
  }

  /** Compares checkpoints listed by a node, ascending. Errors: LogFault `forged`, `weight`, `order`, `state`. */
  compare(listed: readonly SignedCheckpoint[]): void {
    for (const checkpoint of listed) {
      const statement = this.#open.get(checkpoint.height);
      if (statement !== undefined) this.#compare(checkpoint, statement);
    }
  }

  #compare(listed: SignedCheckpoint, computedHex: string): void {
    const { height } = listed;
    const computed = decodeCheckpoint(fromHex(computedHex)!)!;
    const epoch = this.#epochs.get(toHex(computed.epochId));
    // A checkpoint of a much older epoch: newer ones cover it.
    if (!epoch) return;
    const bytes = fromHex(listed.statement);
    const signed = bytes && decodeCheckpoint(bytes);
    if (!bytes || !signed)
      throw new LogFault('answer', `checkpoint ${height} has no valid statement`, { checkpoint: height });
    const signers = this.#signers(listed, bytes, epoch);
    const hasQuorum = isQuorumOf(epoch, signers);
    if (listed.statement !== computedHex) throw differs(computed, signed, signers.length, hasQuorum);
    if (!hasQuorum) return;
    if (height <= this.signed) return;
    // The signatures cover everything up to this height, so earlier checkpoints need no quorum of their own.
    for (const open of this.#open.keys()) if (open <= height) this.#open.delete(open);
    this.signed = height;
    this.statement = computed;
  }

  /** Seats with a valid signature. An invalid signature is a fault: a node checks signatures before it lists them. */
  #signers({ height, signatures }: SignedCheckpoint, statement: Uint8Array, epoch: Epoch): number[] {
    const message = checkpointSigningBytes(checkpointHash(statement));
    const named = signatures.map((s) => ({
      name: s.validator_id,
      seat: epoch.seats.findIndex(({ key }) => toHex(key) === s.public_key),
      signature: fromHex(s.signature) ?? new Uint8Array(0),
    }));
    const jobs = named.map(({ seat, signature }) => ({
      publicKey: epoch.seats[seat]?.key ?? new Uint8Array(32),
      message,
      signature,
    }));
    const verdicts = this.verify(jobs);
    const bad = named.find(({ seat }, i) => seat < 0 || verdicts[i] !== 1);
    if (bad) {
      throw new LogFault('forged', `checkpoint ${height} has a forged signature of ${String(bad.name)}`, {
        checkpoint: height,
      });
    }
    return named.map(({ seat }) => seat);
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

function differs(
  computed: CheckpointStatement,
  signed: CheckpointStatement,
  signers: number,
  hasQuorum: boolean,
): LogFault {
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
  return new LogFault(
    'state',
    `${who} state ${signedRoot} at checkpoint ${height}, but the vertices up to order ${order} give ${computedRoot}`,
    place,
  );
}
