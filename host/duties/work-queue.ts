// Things the node does by itself, one after the other or a few at a time: each is named by an id and stands in the queue
// once. What is refused for want of room is tried again later.
// Keeps: nothing is done twice at the same time; after stop nothing is begun.

import { ServiceError } from '../errors.ts';

const RETRY_MS = 1000;
/** Refusals that say nothing of the write itself. */
const PASSING: ReadonlySet<string> = new Set(['overloaded', 'not_ready', 'no_quorum']);

export interface WorkQueueOptions {
  clock: { setTimer(run: () => void, ms: number): () => void };
  /** At most this many at a time. */
  most: number;
  /** Does one thing; throws a ServiceError when the pipeline refused it. */
  run(item: string): Promise<void>;
  /** The pipeline refused it for good. */
  onRefused(item: string, code: string): void;
}

export class WorkQueue {
  readonly #waiting = new Set<string>();
  readonly #flying = new Set<string>();
  #isStopped = false;
  /** Things that have to be tried again; one timer for all. */
  readonly #later = new Set<string>();
  #cancelRetry: (() => void) | undefined;

  constructor(private readonly o: WorkQueueOptions) {}

  add(item: string): void {
    if (!this.#isStopped) this.#waiting.add(item);
  }

  /** Begins as much as there is room for. */
  pump(): void {
    for (const item of this.#waiting) {
      if (this.#isStopped || this.#flying.size >= this.o.most) return;
      if (this.#flying.has(item)) continue;
      this.#waiting.delete(item);
      void this.#run(item);
    }
  }

  /** Pumps soon: not from within the group that brought the work. */
  kick(): void {
    if (this.#waiting.size > 0) void Promise.resolve().then(() => this.pump());
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelRetry?.();
    this.#waiting.clear();
    this.#later.clear();
  }

  async #run(item: string): Promise<void> {
    this.#flying.add(item);
    try {
      await this.o.run(item);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (PASSING.has(error.code)) this.#again(item);
      else this.o.onRefused(item, error.code);
    } finally {
      this.#flying.delete(item);
      this.pump();
    }
  }

  #again(item: string): void {
    if (this.#isStopped) return;
    this.#later.add(item);
    this.#cancelRetry ??= this.o.clock.setTimer(() => {
      this.#cancelRetry = undefined;
      for (const one of this.#later) this.#waiting.add(one);
      this.#later.clear();
      this.pump();
    }, RETRY_MS);
  }
}
