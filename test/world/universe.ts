// Simulated time for everything that happens in a run, and its random numbers.
// Keeps: nothing here or above reads a real clock; between two callbacks every promise that can settle has settled, so a
// run is a function of its seed.

import { Dice } from '../model/consensus/random-dag.ts';
import { EventQueue } from '../sim/event-queue.ts';

const START_MS = 1_800_000_000_000;

/** Lets every promise settle that needs nothing but other promises. */
const settle = (): Promise<void> => new Promise((next) => setImmediate(next));

export class Universe {
  /** Callbacks that ran. */
  steps = 0;
  readonly dice: Dice;
  readonly #queue = new EventQueue(START_MS);
  #failure: Error | undefined;

  constructor(readonly seed: number) {
    this.dice = new Dice(seed);
  }

  /** True time, Unix milliseconds. Machines' clocks differ from it. */
  get nowMs(): number {
    return this.#queue.nowMs;
  }

  /** Runs `run` after `ms`; the result cancels it. */
  after(ms: number, run: () => void): () => void {
    return this.#queue.after(ms, run);
  }

  /** Resolves after `ms`. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve);
    });
  }

  /** Something goes on beside the run: what it throws, the run throws. */
  beside(work: Promise<unknown>): void {
    work.catch((error: Error) => {
      this.#failure ??= error;
    });
  }

  /** Runs what is due until `ms` from now, or until `isDone`; true when that came first. */
  async run(ms: number, isDone: () => boolean = () => false): Promise<boolean> {
    const endMs = this.nowMs + ms;
    await settle();
    while (!isDone()) {
      if (this.#failure) throw this.#failure;
      const next = this.#queue.take(endMs);
      if (!next) return isDone();
      this.steps += 1;
      next();
      await settle();
    }
    return true;
  }
}
