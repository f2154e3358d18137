// A queue of work that the node does by itself, a few items at a time. An item is an id and is in the queue once. An item
// that was refused for a temporary reason is retried later.
// Keeps: an item never runs twice at the same time; after `stop` none is started.

import { ServiceError } from '../errors.ts';

const RETRY_MS = 1000;
/** Codes of refusals that are not about the write itself. */
const TEMPORARY: ReadonlySet<string> = new Set(['overloaded', 'not_ready', 'no_quorum']);

export interface WorkQueueOptions {
  clock: { setTimer(run: () => void, ms: number): () => void };
  /** Items that run at the same time. */
  maxInFlight: number;
  /** Of those that wait the item with the highest goes first; absent, and of equals: the one that has waited longest. */
  rank?(item: string): number;
  /** Runs one item; throws a ServiceError when the sequencer refused it. */
  run(item: string): Promise<void>;
  /** The sequencer refused it permanently. */
  onRefused(item: string, code: string): void;
}

export class WorkQueue {
  readonly #waiting = new Set<string>();
  readonly #inFlight = new Set<string>();
  #isStopped = false;
  /** Items to be retried; one timer for all. */
  readonly #later = new Set<string>();
  #cancelRetry: (() => void) | undefined;

  constructor(private readonly options: WorkQueueOptions) {}

  add(item: string): void {
    if (!this.#isStopped) this.#waiting.add(item);
  }

  /** Starts as many items as there is room for. */
  pump(): void {
    while (!this.#isStopped && this.#inFlight.size < this.options.maxInFlight) {
      const item = this.#next();
      if (item === undefined) return;
      this.#waiting.delete(item);
      void this.#run(item);
    }
  }

  #next(): string | undefined {
    const { rank } = this.options;
    let next: string | undefined;
    let highest = Number.NEGATIVE_INFINITY;
    for (const item of this.#waiting) {
      if (this.#inFlight.has(item)) continue;
      if (!rank) return item;
      const own = rank(item);
      if (own > highest) [next, highest] = [item, own];
    }
    return next;
  }

  /** Pumps soon, but not during the batch that brought the work. */
  pumpSoon(): void {
    if (this.#waiting.size > 0) void Promise.resolve().then(() => this.pump());
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelRetry?.();
    this.#waiting.clear();
    this.#later.clear();
  }

  async #run(item: string): Promise<void> {
    this.#inFlight.add(item);
    try {
      await this.options.run(item);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (TEMPORARY.has(error.code)) this.#retryLater(item);
      else this.options.onRefused(item, error.code);
    } finally {
      this.#inFlight.delete(item);
      this.pump();
    }
  }

  #retryLater(item: string): void {
    if (this.#isStopped) return;
    this.#later.add(item);
    this.#cancelRetry ??= this.options.clock.setTimer(() => {
      this.#cancelRetry = undefined;
      for (const one of this.#later) this.#waiting.add(one);
      this.#later.clear();
      this.pump();
    }, RETRY_MS);
  }
}
