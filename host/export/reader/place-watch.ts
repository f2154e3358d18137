// Where the database is in the order, looked at again and again: for reads that wait for an order, and for probes.

import type { OrderWaits } from '../../api/order-waits.ts';
import type { Clock } from '../../world/clock.ts';
import { pause } from '../../world/clock.ts';
import type { Tables } from './snapshot.ts';

const LOOK_MS = 50;
/** The database must have answered within this time for the reader to be ready. */
const FRESH_MS = 5000;

export class PlaceWatch {
  #isStopped = false;
  #seenMs = Number.NEGATIVE_INFINITY;
  order = 0;
  /** Consensus time of the newest block, ms. */
  timeMs = 0;
  /** Why it was not reached, as last told. */
  #told = '';

  constructor(
    private readonly tables: Pick<Tables, 'read'>,
    private readonly orders: Pick<OrderWaits, 'onExecuted'>,
    private readonly clock: Pick<Clock, 'setTimer' | 'monotonicMs'>,
    /** Gets why the database is not reached, once for each reason. */
    private readonly warn: (reason: string) => void,
  ) {}

  /** Has the database answered lately. */
  get isReady(): boolean {
    return this.clock.monotonicMs() - this.#seenMs < FRESH_MS;
  }

  /** Looks once. */
  async look(): Promise<void> {
    try {
      const { order, timeMs } = await this.tables.read(async (snapshot) => snapshot);
      this.#seenMs = this.clock.monotonicMs();
      this.order = order;
      this.timeMs = timeMs;
      this.orders.onExecuted(order);
      this.#told = '';
    } catch (error) {
      // `isReady` tells probes; a wrong role or name is for whoever started this.
      const { cause, message } = error as Error;
      const reason = cause instanceof Error ? cause.message : message;
      if (reason !== this.#told) this.warn(reason);
      this.#told = reason;
    }
  }

  /** Looks until it is stopped. */
  async run(): Promise<void> {
    while (!this.#isStopped) {
      await this.look();
      await pause(this.clock, LOOK_MS);
    }
  }

  stop(): void {
    this.#isStopped = true;
  }
}
