// Builds the indexes in memory from what is stored, at a start, one after the other in short steps: those of a small node
// before it is ready, those of a large one behind that, in turns of the event loop. Reads that need an index that is not
// built yet are refused (`not_ready`); nothing else waits.
// Keeps: every index takes part in all batches from the start on, so it has all of them when it is built.

import type { Clock } from '../world/clock.ts';

/** Each `yield` ends a step, which takes about a millisecond. */
export type Steps = Iterable<unknown> | AsyncIterable<unknown>;

/** Steps before the node is ready: some 200 ms. A number of them, so that a slow machine builds as much. */
const AT_ONCE = 200;
/** Work of one turn of the event loop behind that, ms. */
const TURN_MS = 4;

async function* chained(builds: readonly Steps[]): AsyncGenerator<void, void> {
  for (const steps of builds) for await (const _ of steps) yield;
}

export class IndexBuilds {
  readonly #steps: AsyncGenerator<void, void>;
  #isDone = false;
  #running: Promise<void> = Promise.resolve();

  /** In the order in which they are built. */
  constructor(builds: readonly Steps[]) {
    this.#steps = chained(builds);
  }

  async #step(): Promise<void> {
    this.#isDone = (await this.#steps.next()).done === true || this.#isDone;
  }

  /** Builds what a small node has. */
  async atOnce(steps = AT_ONCE): Promise<void> {
    for (let left = steps; left > 0 && !this.#isDone; left--) await this.#step();
  }

  /** Builds the rest, in turns. `onFailure`: a store that cannot be read. */
  behind(clock: Pick<Clock, 'monotonicMs' | 'soon'>, onFailure: (error: unknown) => void): void {
    this.#running = this.#turns(clock).catch(onFailure);
  }

  async #turns(clock: Pick<Clock, 'monotonicMs' | 'soon'>): Promise<void> {
    while (!this.#isDone) {
      const endMs = clock.monotonicMs() + TURN_MS;
      while (!this.#isDone && clock.monotonicMs() < endMs) await this.#step();
      await new Promise<void>((next) => clock.soon(next));
    }
  }

  /** Ends it early; afterwards nothing is read any more. */
  async end(): Promise<void> {
    this.#isDone = true;
    await this.#running;
    await this.#steps.return();
  }
}
