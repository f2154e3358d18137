// A clock that advances only when told to; timers fire when it passes them.

import type { Clock } from '../../../host/world/clock.ts';

export class StillClock implements Clock {
  #timers: { at: number; run: () => void }[] = [];

  constructor(private ms = 1_800_000_000_000) {}

  nowMs = (): number => this.ms;
  monotonicMs = (): number => this.ms;
  soon = (run: () => void): void => void setImmediate(run);
  setTimer = (run: () => void, ms: number): (() => void) => {
    const timer = { at: this.ms + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  /** Timers that are set. */
  get pending(): number {
    return this.#timers.length;
  }

  async advance(ms: number): Promise<void> {
    const end = this.ms + ms;
    for (;;) {
      const due = this.#timers.filter((t) => t.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#timers = this.#timers.filter((other) => other !== due);
      this.ms = Math.max(this.ms, due.at);
      due.run();
      await settle();
    }
    this.ms = end;
    await settle();
  }
}

/** Lets everything that waits for a turn of the loop run. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 6; i++) await new Promise((next) => setImmediate(next));
}
