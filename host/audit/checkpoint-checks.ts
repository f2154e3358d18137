// Checkpoints that were computed here against those that seats have signed (consensus 5.12).
// Keeps: a signature counts only for the key that its seat had in the checkpoint's epoch; what is listed must be what was
// computed here, whoever signed it; what a quorum signed is what the verdict stands on.

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

/** Epochs whose tables are kept: signatures of older ones are compared long before. */
export const EPOCHS_KEPT = 8;

/** What a closed verifier has to remember of checkpoints. */
export interface CheckpointMarks {
  /** Newest height that a quorum has signed and that is as computed here. */
  signed: number;
  /** Computed here, not seen with a quorum yet: height and statement in hex. */
  open: [number, string][];
}

export const NO_MARKS: CheckpointMarks = { signed: 0, open: [] };

export class CheckpointChecks {
  readonly #open: Map<number, string>;
  readonly #epochs = new Map<string, Epoch>();
  /** Newest height that a quorum has signed and that is as computed here; its statement. */
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

  /** Computed here and not compared yet. */
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

  /** Checkpoints as a node lists them, ascending. Errors: LogFault `forged`, `weight`, `order`, `state`. */
  compare(listed: readonly SignedCheckpoint[]): void {
    for (const checkpoint of listed) {
      const own = this.#open.get(checkpoint.height);
      if (own !== undefined) this.#compare(checkpoint, own);
    }
  }

  #compare(listed: SignedCheckpoint, own: string): void {
    const { height } = listed;
    const computed = decodeCheckpoint(fromHex(own)!)!;
    const epoch = this.#epochs.get(toHex(computed.epochId));
    // Of an epoch long gone: newer ones cover it.
    if (!epoch) return;
    const bytes = fromHex(listed.statement);
    const told = bytes && decodeCheckpoint(bytes);
    if (!bytes || !told)
      throw new LogFault('answer', `checkpoint ${height} has no statement`, { checkpoint: height });
    const signers = this.#signers(listed, bytes, epoch);
    const hasQuorum = isQuorumOf(epoch, signers);
    if (listed.statement !== own) throw differs(computed, told, signers.length, hasQuorum);
    if (!hasQuorum) return;
    if (height <= this.signed) return;
    // Whoever signed this one has signed what those before it came to.
    for (const open of this.#open.keys()) if (open <= height) this.#open.delete(open);
    this.signed = height;
    this.statement = computed;
  }

  /** Seats whose good signatures stand under it. A forged one is a fault: a node checks what it passes on. */
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

  /** Has the node shown a quorum's signatures up to the height that it says is signed? Errors: LogFault `weight`. */
  expectSigned(height: number): void {
    const open = [...this.#open.keys()].find((own) => own === height);
    if (this.signed >= height || open === undefined) return;
    throw new LogFault(
      'weight',
      `checkpoint ${height} is said to be signed, by seats with too little weight`,
      {
        checkpoint: height,
      },
    );
  }
}

function differs(
  own: CheckpointStatement,
  told: CheckpointStatement,
  signers: number,
  hasQuorum: boolean,
): LogFault {
  const { height, order } = own;
  const place = { checkpoint: height, order };
  const who = hasQuorum
    ? `seats with a quorum signed`
    : `${signers} ${signers === 1 ? 'seat' : 'seats'} with too little weight signed`;
  if (!hasQuorum)
    return new LogFault('weight', `checkpoint ${height} is not what the vertices give, and ${who} it`, place);
  if (told.order !== own.order || !equalBytes(told.blockHash, own.blockHash)) {
    const text = `${who} another order at checkpoint ${height} than the vertices give`;
    return new LogFault('order', text, place);
  }
  return new LogFault(
    'state',
    `${who} state ${toHex(told.stateRoot)} at checkpoint ${height}, the vertices up to order ${order} give ${toHex(own.stateRoot)}`,
    place,
  );
}
