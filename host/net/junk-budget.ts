// How much of what a seat signs may be of no use to anybody, by this node's own clock (consensus 5.12).
// Keeps: each seat has its own account; what counts as junk is what no honest node packs, whatever its clients send it;
// requests that were refused or repeated count apart, against what the network executed well. Decides nothing by itself.

import type { EntryProof } from '../ordering/entry-proof.ts';
import { entryCost, MIN_ENTRY_BYTES, type PayloadUse } from '../ordering/payload-use.ts';
import type { Vertex } from '../wire/vertex.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

interface Rate {
  perSec: number;
  /** What is saved up at most, and there at the start. */
  burst: number;
}

/** Junk in vertices of a seat: one vertex of 3 MiB, then as much every 48 s. */
const JUNK: Rate = { perSec: 64 * KIB, burst: 2 * MIB };
/** Refused and repeated requests, beside the bytes of all that the network executes well. */
const WASTE: Rate = { perSec: 512 * KIB, burst: 32 * MIB };
/**
 * Empty vertices that bring nothing new. An honest seat makes some in a second for causes, and wakes up in one of three rounds while its
 * clock is seconds ahead (consensus 5.13).
 */
const IDLE: Rate = { perSec: 64 * KIB, burst: 2 * MIB };
/** What of others' vertices, held back here, a seat may bring in by building on them. */
const VOUCHED: Rate = { perSec: 128 * KIB, burst: 16 * MIB };
/** No account is further in debt, so that a seat is heard again after minutes. */
const MAX_DEBT = 16 * MIB;
/** Junk in an epoch beyond which nothing more of a seat is taken in until the next one. */
const MAX_JUNK_PER_EPOCH = 32 * MIB;

/** An amount that grows with time up to its burst. */
class Account {
  #amount: number;
  #sinceMs: number;

  constructor(
    private readonly rate: Rate,
    nowMs: number,
  ) {
    this.#amount = rate.burst;
    this.#sinceMs = nowMs;
  }

  at(nowMs: number): number {
    const earned = (this.rate.perSec * (nowMs - this.#sinceMs)) / 1000;
    this.#sinceMs = nowMs;
    this.add(earned);
    return this.#amount;
  }

  add(bytes: number): void {
    this.#amount = Math.max(-MAX_DEBT, Math.min(this.rate.burst, this.#amount + bytes));
  }
}

interface Seat {
  junk: Account;
  waste: Account;
  vouched: Account;
  idle: Account;
  /** Junk in the running epoch, and since the start. */
  inEpoch: number;
  total: number;
  /** Of what the network executed well: how much is added to `waste` already. */
  credited: number;
}

export class JunkBudget {
  readonly #seats = new Map<number, Seat>();
  /** Bytes that the network executed well since the start. */
  #useful = 0;

  constructor(private readonly monotonicMs: () => number) {}

  /** Has the seat used up what it may: its payload waits. */
  isSpent(seat: number): boolean {
    const known = this.#seats.get(seat);
    if (!known) return false;
    this.#credit(known);
    const nowMs = this.monotonicMs();
    return known.junk.at(nowMs) <= 0 || known.waste.at(nowMs) <= 0;
  }

  /** Did the seat make so many empty vertices that brought nothing: all of it waits. */
  isIdling(seat: number): boolean {
    const known = this.#seats.get(seat);
    return known !== undefined && known.idle.at(this.monotonicMs()) <= 0;
  }

  /** Was there so much junk that nothing more of the seat is taken in during this epoch. */
  isBarred(seat: number): boolean {
    return (this.#seats.get(seat)?.inEpoch ?? 0) > MAX_JUNK_PER_EPOCH;
  }

  /** Junk of a seat since the start, bytes. */
  totals(): ReadonlyMap<number, number> {
    return new Map(
      [...this.#seats].filter(([, { total }]) => total > 0).map(([seat, { total }]) => [seat, total]),
    );
  }

  /** May what is held back here come in since this seat built on it. */
  canVouch(seat: number): boolean {
    const known = this.#seats.get(seat);
    return !known || known.vouched.at(this.monotonicMs()) > 0;
  }

  vouched(seat: number, bytes: number): void {
    this.#seat(seat).vouched.add(-bytes);
  }

  /** A vertex comes in that has so much junk, and so much that may be junk. */
  charge(seat: number, { sure, suspected }: Junk): void {
    if (sure + suspected === 0) return;
    const known = this.#seat(seat);
    known.junk.at(this.monotonicMs());
    known.junk.add(-sure - suspected);
    this.#count(known, sure);
  }

  /** Vertices were executed. What was suspected is paid for. `countsIdle`: they were made lately. */
  executed(uses: ReadonlyMap<number, PayloadUse>, countsIdle: boolean): void {
    for (const { usefulBytes } of uses.values()) this.#useful += usefulBytes;
    for (const [seat, { junkBytes, wasteBytes, clearedBytes, idleBytes }] of uses) {
      if (junkBytes + wasteBytes + clearedBytes + idleBytes === 0) continue;
      const known = this.#seat(seat);
      this.#credit(known);
      known.junk.add(clearedBytes);
      known.waste.at(this.monotonicMs());
      known.waste.add(-wasteBytes);
      known.idle.at(this.monotonicMs());
      if (countsIdle) known.idle.add(-idleBytes);
      this.#count(known, junkBytes);
    }
  }

  #count(seat: Seat, junkBytes: number): void {
    seat.inEpoch += junkBytes;
    seat.total += junkBytes;
  }

  onEpoch(): void {
    for (const seat of this.#seats.values()) seat.inEpoch = 0;
  }

  // Who packs each request once has no more repeated ones than others had good ones.
  #credit(seat: Seat): void {
    seat.waste.add(this.#useful - seat.credited);
    seat.credited = this.#useful;
  }

  #seat(seat: number): Seat {
    const known = this.#seats.get(seat);
    if (known) return known;
    const nowMs = this.monotonicMs();
    const made = {
      junk: new Account(JUNK, nowMs),
      waste: new Account(WASTE, nowMs),
      vouched: new Account(VOUCHED, nowMs),
      idle: new Account(IDLE, nowMs),
      inEpoch: 0,
      total: 0,
      credited: this.#useful,
    };
    this.#seats.set(seat, made);
    return made;
  }
}

/** Bytes in a vertex by what is known on arrival. */
export interface Junk {
  /** No requests, or badly signed; all of a fork, since at most one branch counts. */
  sure: number;
  /** Requests of agents that are not known here. */
  suspected: number;
}

export function junkIn(
  { header, entries, payload }: Vertex,
  proofs: readonly EntryProof[],
  isFork: boolean,
): Junk {
  if (isFork) return { sure: MIN_ENTRY_BYTES + payload.length, suspected: 0 };
  const junk = { sure: 0, suspected: 0 };
  for (let i = 0; i < header.entryCount; i++) {
    const verdict = proofs[i]?.verdict;
    if (verdict === 'bad') junk.sure += entryCost(entries[i]!);
    else if (verdict === 'unknown') junk.suspected += entryCost(entries[i]!);
  }
  return junk;
}
