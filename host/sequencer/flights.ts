// Transactions in flight on this node: who waits for which, which TxID a repeated request would duplicate, how many each
// agent has.
// Keeps: memory follows what is in flight; a flight counts from its start until it was executed.

import type { TxOutcome } from '../core/outcomes.ts';
import type { EntryInput } from '../ordering/block.ts';
import type { Packed } from '../ordering/packed.ts';
import { toHex } from '../wire/bytes.ts';

export interface Submission {
  input: EntryInput;
  /** The entry as it goes into the vertex. */
  bytes: Uint8Array;
  /** Who the queue counts it for: the acting agent's index, or the hex key of a registrant. */
  owner: string;
}

/** The result of an executed transaction. */
export interface Settled {
  outcome: TxOutcome;
  timeSecs: number;
}

export interface Waiter {
  resolve(result: Settled): void;
  reject(error: unknown): void;
  cancelTimer(): void;
}

/** A transaction in flight; the ordering returns it when it was executed. */
export interface Flight extends Packed {
  submission: Submission;
  waiters: Waiter[];
  enqueuedMs: number;
}

export class Flights {
  readonly #all = new Set<Flight>();
  readonly #byTxId = new Map<string, Flight>();
  readonly #countByOwner = new Map<string, number>();

  /** The flight that a submission of this kind and TxID would repeat; a registration never repeats one (protocol 1.8). */
  repeatedBy({ input }: Submission): Flight | undefined {
    return input.parsed!.name === 'register' ? undefined : this.#byTxId.get(toHex(input.id));
  }

  /** How many an owner has in flight. */
  countOf(owner: string): number {
    return this.#countByOwner.get(owner) ?? 0;
  }

  start(submission: Submission, enqueuedMs: number): Flight {
    const { bytes, input, owner } = submission;
    const flight: Flight = { bytes, input, submission, waiters: [], enqueuedMs };
    this.#all.add(flight);
    if (input.parsed!.name !== 'register') this.#byTxId.set(toHex(input.id), flight);
    this.#countByOwner.set(owner, this.countOf(owner) + 1);
    return flight;
  }

  /** Ends the flight of this transaction and returns it; undefined for one that was not submitted here. */
  end(packed: Packed): Flight | undefined {
    const flight = packed as Flight;
    if (!this.#all.delete(flight)) return undefined;
    const { input, owner } = flight.submission;
    const txId = toHex(input.id);
    if (this.#byTxId.get(txId) === flight) this.#byTxId.delete(txId);
    const left = this.countOf(owner) - 1;
    if (left > 0) this.#countByOwner.set(owner, left);
    else this.#countByOwner.delete(owner);
    return flight;
  }

  /** The node fails: all who wait get this error. */
  failAll(error: unknown): void {
    for (const flight of this.#all) {
      for (const waiter of flight.waiters) {
        waiter.cancelTimer();
        waiter.reject(error);
      }
    }
  }
}
