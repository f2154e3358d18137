// Whether a node that may have forgotten vertices that it signed makes new ones (consensus 5.12).
// Keeps: after a loss none is made before a quorum has told its epoch; then none until the second seal after that, or, in
// half of the cases, at once in a new incarnation.

import type { EpochConfig } from '../../host/core/consensus.ts';
import type { Dice } from '../model/consensus/random-dag.ts';

export class LossGate {
  /** Epoch from which on this seat may make vertices; undefined while it asks after a loss. */
  #mayMakeFrom: number | undefined = 0;
  /** Epochs that seats have told. */
  readonly #told = new Map<number, number>();
  /** After a loss: it goes on at once, in this incarnation up to and including epoch `until`. */
  #resumes = { isAtOnce: false, incarnation: 0, until: -1 };

  constructor(private readonly dice: Dice) {}

  /** It waits for what others tell. */
  get isAsking(): boolean {
    return this.#mayMakeFrom === undefined;
  }

  isOpenIn(epoch: number): boolean {
    return this.#mayMakeFrom !== undefined && epoch >= this.#mayMakeFrom;
  }

  /** The least incarnation of a vertex that is made in this epoch. */
  incarnationIn(epoch: number): number {
    return epoch <= this.#resumes.until ? this.#resumes.incarnation : 0;
  }

  /** The store came back empty, or from some earlier day. */
  lost(): void {
    this.#mayMakeFrom = undefined;
    this.#resumes.isAtOnce = this.dice.chance(50);
    this.#told.clear();
  }

  /** A seat tells the epoch that it is in. */
  hear(epoch: number, from: number, { seats }: Pick<EpochConfig, 'seats'>): void {
    if (!this.isAsking) return;
    this.#told.set(from, epoch);
    let [heard, total] = [0n, 0n];
    seats.forEach((seat, i) => {
      total += seat.weight;
      if (this.#told.has(i)) heard += seat.weight;
    });
    if (1000n * heard < 667n * total) return;
    const newest = Math.max(...this.#told.values());
    this.#mayMakeFrom = this.#resumes.isAtOnce ? newest : newest + 2;
    // It can have been ahead of what was told by one epoch.
    if (this.#resumes.isAtOnce) {
      this.#resumes = { isAtOnce: true, incarnation: 1 + this.dice.below(255), until: newest + 1 };
    }
  }
}
