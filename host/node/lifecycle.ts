// How a node ends: by its first failure, or by stopping its parts in reverse order.

import type { Logger } from '../log.ts';

/** The first failure ends the node; later ones are ignored, and nothing is written after it. */
export class Failure {
  isFailed = false;
  readonly failed: Promise<Error>;
  #resolve: (error: Error) => void = () => {};

  constructor(private readonly log: Logger) {
    this.failed = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  fail(error: unknown): void {
    if (this.isFailed) return;
    this.isFailed = true;
    this.log.error({ err: error }, 'the node stops');
    this.#resolve(error instanceof Error ? error : new Error(String(error)));
  }
}

/** What to stop, the last one added first. */
export class Stops {
  readonly #stops: (() => Promise<void> | void)[] = [];

  add(stop: () => Promise<void> | void): void {
    this.#stops.push(stop);
  }

  async all(): Promise<void> {
    for (const stop of this.#stops.splice(0).reverse()) await stop();
  }
}
