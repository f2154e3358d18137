// Tells the log when the node stops being ready and when it is again: what /health/ready would have said in the night.
// Keeps: a line when other conditions fail than at the last look, not when a figure in a reason moves; none while the node stops,
// which has lines of its own.

import type { Logger } from '../log.ts';
import { type Conditions, readinessOf } from './conditions.ts';

export class ReadinessLog {
  /** Names of the conditions that failed at the last look. */
  #failing = '';

  constructor(private readonly log: Logger) {}

  /** A look at the conditions: do all of them hold. */
  look(conditions: Conditions): boolean {
    const { isReady, reasons } = readinessOf(conditions);
    if (conditions.running !== undefined) return isReady;
    const failing = Object.entries(conditions)
      .flatMap(([name, reason]) => (reason === undefined ? [] : [name]))
      .join();
    if (failing !== this.#failing) {
      this.#failing = failing;
      if (isReady) this.log.info({}, 'ready again');
      else this.log.warn({ reasons }, 'not ready');
    }
    return isReady;
  }
}
