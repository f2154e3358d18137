// What may be spent: so much at once, and so much more each second.

import type { Clock } from './clock.ts';

interface AllowanceOptions {
  atOnce: number;
  /** Less to begin with. */
  atFirst?: number;
  perSecond: number;
  /** What may be owed at most, by `owe`. */
  maxDebt?: number;
}

export class Allowance {
  #left: number;
  #atMs: number;

  constructor(
    private readonly clock: Pick<Clock, 'monotonicMs'>,
    private readonly o: AllowanceOptions,
  ) {
    this.#left = o.atFirst ?? o.atOnce;
    this.#atMs = clock.monotonicMs();
  }

  /** What is left now; less than 0 while something is owed. */
  get left(): number {
    const nowMs = this.clock.monotonicMs();
    const earned = ((nowMs - this.#atMs) * this.o.perSecond) / 1000;
    this.#left = Math.min(this.o.atOnce, this.#left + earned);
    this.#atMs = nowMs;
    return this.#left;
  }

  /** False, and nothing is spent, if there is too little. */
  spend(cost: number): boolean {
    if (this.left < cost) return false;
    this.#left -= cost;
    return true;
  }

  owe(cost: number): void {
    this.#left = Math.max(-(this.o.maxDebt ?? 0), this.#left - cost);
  }

  /** Time until there is so much, as of the last time that anybody asked. */
  waitMs(cost: number): number {
    return Math.ceil(((cost - this.#left) * 1000) / this.o.perSecond);
  }
}
