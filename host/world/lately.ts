// How often each key was counted lately, in the running stretch of time and in the one before; and whether that is its share.
// Keeps: what it holds is bounded by what was counted in two stretches.

import { Tally } from '../tally.ts';
import type { Clock } from './clock.ts';

/** One key may have a third of what is left for all. */
const PARTS = 3;

export class Lately {
  #young = new Tally<string>();
  #old = new Tally<string>();
  #turnedMs: number;

  constructor(
    private readonly clock: Pick<Clock, 'monotonicMs'>,
    private readonly stretchMs: number,
  ) {
    this.#turnedMs = clock.monotonicMs();
  }

  of(key: string): number {
    this.#turn();
    return this.#young.of(key) + this.#old.of(key);
  }

  /** Has a key had less than its share of what is left, or nothing. */
  hasShare(key: string, left: number): boolean {
    return this.of(key) < Math.max(1, left / PARTS);
  }

  add(key: string): void {
    this.#turn();
    this.#young.add(key);
  }

  #turn(): void {
    const nowMs = this.clock.monotonicMs();
    const passedMs = nowMs - this.#turnedMs;
    if (passedMs < this.stretchMs) return;
    this.#old = passedMs < 2 * this.stretchMs ? this.#young : new Tally();
    this.#young = new Tally();
    this.#turnedMs = nowMs;
  }
}
