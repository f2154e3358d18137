// Transactions in flight on this node: who waits for which, which TxID a repeated request would duplicate, how many and how
// many KiB of them each agent has.
// Keeps: memory follows what is in flight; a flight counts from its start until it was executed.

import { kibOf } from '../core/commands.ts';
import type { TxOutcome } from '../core/outcomes.ts';
import type { EntryInput } from '../ordering/block.ts';
import type { Packed } from '../ordering/packed.ts';

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
  readonly flight: Flight;
  resolve(result: Settled): void;
  reject(error: unknown): void;
}

/** A transaction in flight; the ordering returns it when it was executed. */
export interface Flight extends Packed {
  submission: Submission;
  /** TxID in hex. */
  txId: string;
  waiters: Waiter[];
  enqueuedMs: number;
}

interface Load {
  count: number;
  kib: number;
}
const NOTHING: Readonly<Load> = { count: 0, kib: 0 };

/** KiB that the order will count for the agent (protocol 6.18): the first of a verdict is free, a registration has its own. */
function countedKib({ command, parsed }: EntryInput): number {
  if (parsed!.name === 'register') return 0;
  return parsed!.name === 'verify' ? Math.max(0, kibOf(command) - 1) : kibOf(command);
}

export class Flights {
  readonly #all = new Set<Flight>();
  readonly #byTxId = new Map<string, Flight>();
  readonly #byOwner = new Map<string, Load>();

  /** The flight that a submission of this kind and TxID (in hex) would repeat; a registration never repeats one (protocol 1.8). */
  repeatedBy({ input }: Submission, txId: string): Flight | undefined {
    return input.parsed!.name === 'register' ? undefined : this.#byTxId.get(txId);
  }

  /** What an owner has in flight. */
  loadOf(owner: string): Readonly<Load> {
    return this.#byOwner.get(owner) ?? NOTHING;
  }

  start(submission: Submission, txId: string, enqueuedMs: number): Flight {
    const { bytes, input, owner } = submission;
    const flight: Flight = { bytes, input, submission, txId, waiters: [], enqueuedMs };
    this.#all.add(flight);
    if (input.parsed!.name !== 'register') this.#byTxId.set(txId, flight);
    const load = this.#byOwner.get(owner);
    if (load) {
      load.count += 1;
      load.kib += countedKib(input);
    } else this.#byOwner.set(owner, { count: 1, kib: countedKib(input) });
    return flight;
  }

  /** Ends the flight of this transaction and returns it; undefined for one that was not submitted here. */
  end(packed: Packed): Flight | undefined {
    const flight = packed as Flight;
    if (!this.#all.delete(flight)) return undefined;
    const { input, owner } = flight.submission;
    if (this.#byTxId.get(flight.txId) === flight) this.#byTxId.delete(flight.txId);
    const load = this.#byOwner.get(owner)!;
    load.count -= 1;
    load.kib -= countedKib(input);
    if (load.count === 0) this.#byOwner.delete(owner);
    return flight;
  }

  /** The node fails: all who wait for a flight get its error. */
  failAll(errorFor: (flight: Flight) => unknown): void {
    for (const flight of this.#all) {
      if (flight.waiters.length === 0) continue;
      const error = errorFor(flight);
      for (const waiter of flight.waiters) waiter.reject(error);
    }
  }
}
