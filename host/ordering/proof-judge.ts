// Judges proofs of equivocation in a vertex (consensus 5.7): the seat is excluded as if both its vertices had been ordered.
// Keeps: a function of the bytes, the epochs' keys and the state before the block, so every node judges alike.

import * as abi from '../../assembly/abi.ts';
import type { State } from '../core/state.ts';
import type { VerifyMany } from '../crypto/verifier.ts';
import { equalBytes } from '../wire/bytes.ts';
import { decodeEquivocation } from '../wire/equivocation.ts';
import type { Equivocation } from './block.ts';
import type { Epoch } from './epoch.ts';

/** Would a proof against this seat exclude a validator. */
export function isExcludable(state: State, seat: number): boolean {
  const { status } = state.seats()[seat]!;
  return status !== abi.NO_STATUS && status !== abi.VALIDATOR_EXCLUDED;
}

/** Judges the proofs of one vertex. */
export class ProofJudge {
  /** Seats with a judged proof: only the first against each counts, so a vertex full of bad ones costs no more than others. */
  readonly #judged = new Set<number>();

  /** `epochs`: the running one, and the one before it. */
  constructor(
    private readonly epochs: readonly Epoch[],
    private readonly state: State,
    private readonly verify: VerifyMany,
  ) {}

  /** Whom this entry proves to have equivocated, if that seat is to be excluded for it. */
  proven(entry: Uint8Array): Equivocation | undefined {
    const proof = decodeEquivocation(entry);
    const epoch = proof && this.epochs.find(({ id }) => equalBytes(id, proof.epochId));
    const key = epoch?.seats[proof!.creator]?.key;
    if (!proof || !key || this.#judged.has(proof.creator)) return undefined;
    this.#judged.add(proof.creator);
    if (!isExcludable(this.state, proof.creator)) return undefined;
    if (!this.verify(proof.signatures(key)).every((isGood) => isGood === 1)) return undefined;
    return { seat: proof.creator, vertices: proof.ids };
  }
}
