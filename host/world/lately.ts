// How often each key was counted lately: in the running stretch of time and in the one before.
// Keeps: what it holds is bounded by what was counted in two stretches.

import { Tally } from '../tally.ts';
import type { Clock } from './clock.ts';

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
