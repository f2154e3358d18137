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

  constructor(
    private readonly tables: Pick<Tables, 'read'>,
    private readonly orders: Pick<OrderWaits, 'onExecuted'>,
    private readonly clock: Pick<Clock, 'setTimer' | 'monotonicMs'>,
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
    } catch {
      // `isReady` tells it.
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
