// Waits that may all last equally long: one timer for all of them, since a busy node has one for each write.
// Keeps: a wait that has not ended is given up at its time, the oldest first; one that has ended leaves nothing behind.

import type { Clock } from '../world/clock.ts';

export class EqualWaits<T> {
  /** When each is given up, by the monotonic clock; the oldest first. */
  readonly #dueMs = new Map<T, number>();
  #cancel: (() => void) | undefined;
  /** Called when none lasts any more. */
  #onNone: () => void = () => {};

  /** `ms`: how long each may last. `onLate`: called once for each that did not end by then. */
  constructor(
    private readonly clock: Pick<Clock, 'monotonicMs' | 'setTimer'>,
    private readonly ms: number,
    private readonly onLate: (one: T) => void,
  ) {}

  begin(one: T): void {
    this.#dueMs.set(one, this.clock.monotonicMs() + this.ms);
    if (!this.#cancel) this.#schedule(this.ms);
  }

  end(one: T): void {
    this.#dueMs.delete(one);
    if (this.#dueMs.size === 0) this.#onNone();
  }

  /** Resolves when none lasts any more, or after so many ms. */
  over(withinMs: number): Promise<void> {
    if (this.#dueMs.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.clock.setTimer(resolve, withinMs);
      this.#onNone = () => {
        cancel();
        resolve();
      };
    });
  }

  /** Nothing is given up any more. */
  stop(): void {
    this.#dueMs.clear();
    this.#onNone();
    this.#cancel?.();
    this.#cancel = undefined;
  }

  // Left running when the last wait ends: the next one would need it again.
  #schedule(ms: number): void {
    this.#cancel = this.clock.setTimer(() => this.#giveUp(), ms);
  }

  #giveUp(): void {
    this.#cancel = undefined;
    const nowMs = this.clock.monotonicMs();
    const late: T[] = [];
    for (const [one, dueMs] of this.#dueMs) {
      if (dueMs > nowMs) {
        this.#schedule(dueMs - nowMs);
        break;
      }
      this.#dueMs.delete(one);
      late.push(one);
    }
    for (const one of late) this.onLate(one);
    if (this.#dueMs.size === 0) this.#onNone();
  }
}
