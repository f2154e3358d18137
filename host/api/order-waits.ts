// Reads that name the least order they want (X-Service-Min-Order) wait here until this node has executed it.
// Keeps: a read waits at most 2 s; at most 1,000 wait, of them 100 of one address, and of one network a third of what is
// left; an order that cannot come within that time is refused at once. Source: protocol 1.8, 8.2.

import { invalid, overloaded, ServiceError } from '../errors.ts';
import { networkKey } from '../wire/ip-key.ts';
import type { Clock } from '../world/clock.ts';
import { FairPlaces } from './fair-places.ts';

const MAX_WAIT_MS = 2000;
const MAX_WAITING = 1000;
const MAX_WAITING_PER_ADDRESS = 100;
/** More orders than a network makes in the time that a read waits; clients know this number too. */
const MAX_AHEAD = 10_000;

/** The value of X-Service-Min-Order. Errors: 400 invalid_request for anything but a number of 1 to 15 digits. */
export function readMinOrder(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw invalid('X-Service-Min-Order must be a number of 1 to 15 digits');
  return Number(text);
}

interface Waiting {
  minOrder: number;
  wake(): void;
}

export class OrderWaits {
  readonly #waiting = new Set<Waiting>();
  readonly #places = new FairPlaces(MAX_WAITING, MAX_WAITING_PER_ADDRESS);
  #order: number;

  /** `lostWrites`: what a refusal shows besides the order, so that clients notice a history that was cut. */
  constructor(
    private readonly clock: Clock,
    order: number,
    private readonly lostWrites: () => object,
  ) {
    this.#order = order;
  }

  /** Everything up to it is executed. */
  get order(): number {
    return this.#order;
  }

  /** Undefined when the order is executed already. Errors of the promise, or thrown: `behind`, `overloaded`. */
  reach(minOrder: number, address: string): Promise<void> | undefined {
    if (this.#order >= minOrder) return undefined;
    if (minOrder > this.#order + MAX_AHEAD) throw this.#behind();
    const reader = { address, network: networkKey(address) };
    if (!this.#places.isFreeFor(reader)) {
      throw overloaded();
    }
    return new Promise((resolve, reject) => {
      const end = (): void => {
        cancel();
        this.#waiting.delete(waiting);
        this.#places.release(reader);
      };
      const cancel = this.clock.setTimer(() => {
        end();
        reject(this.#behind());
      }, MAX_WAIT_MS);
      const waiting: Waiting = {
        minOrder,
        wake() {
          end();
          resolve();
        },
      };
      this.#waiting.add(waiting);
      this.#places.take(reader);
    });
  }

  #behind(): ServiceError {
    const details = { order: this.#order, ...this.lostWrites() };
    return new ServiceError('behind', { details, headers: { 'Retry-After': '1' } });
  }

  /** Everything up to this order is executed. */
  onExecuted(order: number): void {
    this.#order = order;
    for (const waiting of [...this.#waiting]) if (waiting.minOrder <= order) waiting.wake();
  }
}
