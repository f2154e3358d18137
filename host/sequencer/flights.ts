// Transactions under way on this node: who waits for which, which TxID a repeat would duplicate, how many one agent has.
// Keeps: memory follows what is under way; a flight is counted from its start to its answer.

import type { TxOutcome } from '../core/outcomes.ts';
import type { EntryInput } from '../ordering/block.ts';
import type { Packed } from '../ordering/packed.ts';
import { toHex } from '../wire/bytes.ts';

export interface Submission {
  input: EntryInput;
  /** The entry as it goes into the vertex. */
  bytes: Uint8Array;
  /** Acting agent as the queue counts it: index, or the hex key of a registrant. */
  owner: string;
}

/** What became of a transaction that was executed. */
export interface Settled {
  outcome: TxOutcome;
  timeSecs: number;
}

export interface Waiter {
  resolve(result: Settled): void;
  reject(error: unknown): void;
  cancelTimer(): void;
}

/** A transaction under way; the ordering gives it back when it was executed. */
export interface Flight extends Packed {
  submission: Submission;
  waiters: Waiter[];
  enqueuedMs: number;
}

export class Flights {
  readonly #all = new Set<Flight>();
  readonly #byTxId = new Map<string, Flight>();
  readonly #countByOwner = new Map<string, number>();

  /** The flight that a submission of this kind and TxID would repeat; registrations repeat nothing (protocol 1.8). */
  repeatedBy({ input }: Submission): Flight | undefined {
    return input.parsed!.name === 'register' ? undefined : this.#byTxId.get(toHex(input.id));
  }

  /** How many of an owner are under way. */
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

  /** The flight that this transaction is, no longer under way; undefined for one that nobody here waits for. */
  end(packed: Packed): Flight | undefined {
    const flight = packed as Flight;
    if (!this.#all.delete(flight)) return undefined;
    const { input, owner } = flight.submission;
    const txId = toHex(input.id);
    if (this.#byTxId.get(txId) === flight) this.#byTxId.delete(txId);
    const held = this.countOf(owner) - 1;
    if (held > 0) this.#countByOwner.set(owner, held);
    else this.#countByOwner.delete(owner);
    return flight;
  }

  /** Nobody will be answered any more: all who wait get this error. */
  failAll(error: unknown): void {
    for (const flight of this.#all) {
      for (const waiter of flight.waiters) {
        waiter.cancelTimer();
        waiter.reject(error);
      }
    }
  }
}
