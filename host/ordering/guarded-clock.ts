// The time that a node uses for vertices, deadlines and admission: its wall clock as long as that can be trusted, else the
// last good time carried on by the monotonic clock (consensus 5.8).
// Keeps: a jump of the wall clock moves nothing until clocks of other seats confirm it, or a quorum of wall clocks (alone:
// the own one) has held for a minute; a start takes no time that neither a quorum of wall clocks nor seats of a third of
// the weight agree with. Timers and intervals use the monotonic clock and are not touched.
//
// Each clock is kept as its offset from this node's monotonic clock:
//   wall     of the wall clock of this node
//   #used    of the time in use
//   reports  of the wall clock and of the time in use of each connected seat, measured with each ping

import type { Logger } from '../log.ts';
import type { Clock } from '../world/clock.ts';
import { type Epoch, includesHonest, isQuorumOf, weightOf } from './epoch.ts';
import { OBSERVER } from './ordering.ts';
import type { Gate } from './vertex-gate.ts';

/** Clocks that differ by at most this agree. */
export const CLOCK_TOLERANCE_MS = 10_000;
/** The wall clock may move by this at once, as time servers do; it is followed at SLEW_MS a check. */
const MAX_STEP_MS = 1000;
const CHECK_MS = 1000;
const SLEW_MS = 100;
/** How long a quorum of wall clocks must hold a new time that no other seat uses yet. */
const HOLD_MS = 60_000;
/** A clock that was longer on its way is not known well enough. */
const MAX_ROUND_TRIP_MS = 5000;

/** What a node says of its clocks, Unix milliseconds; `usedMs`: the time in use, 0 = none is trusted yet. */
export interface ClockReading {
  wallMs: number;
  usedMs: number;
}

/** What the network uses of the clock. */
export interface ClockExchange {
  reading(): ClockReading;
  /** A seat's reading arrived, `roundTripMs` after it was asked for. */
  onReading(seat: number, reading: ClockReading, roundTripMs: number): void;
  /** The seat is connected no more. */
  forget(seat: number): void;
}

interface Report {
  wall: number;
  used: number | undefined;
}

export interface GuardedClockOptions {
  clock: Clock;
  log: Logger;
  seat: number;
  epoch(): Epoch;
  /** Asks every peer for its clocks. */
  probe(): void;
  /** The time can be trusted from now on. */
  onTrusted(): void;
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= CLOCK_TOLERANCE_MS;
const inSecs = (ms: number): number => Math.round(ms / 1000);

export class GuardedClock implements Clock, ClockExchange {
  readonly #reports = new Map<number, Report>();
  #used: number;
  #isTrusted: boolean;
  /** A wall clock away from the time in use, and since when it and a quorum of others have held. */
  #hold: { wall: number; sinceMs: number } | undefined;
  #loggedFault: string | undefined;
  #cancel: () => void = () => {};

  constructor(private readonly options: GuardedClockOptions) {
    this.#used = this.#wall;
    this.#isTrusted = this.#isBacked(this.#used);
  }

  start(): void {
    this.#cancel = this.options.clock.setTimer(() => {
      this.#check();
      this.start();
    }, CHECK_MS);
  }

  stop(): void {
    this.#cancel();
  }

  nowMs(): number {
    return Math.round(this.monotonicMs() + this.#used);
  }

  monotonicMs(): number {
    return this.options.clock.monotonicMs();
  }

  setTimer(fn: () => void, ms: number): () => void {
    return this.options.clock.setTimer(fn, ms);
  }

  soon(fn: () => void): void {
    this.options.clock.soon(fn);
  }

  /** May vertices be stamped with this time. */
  get isTrusted(): boolean {
    return this.#isTrusted;
  }

  /** May requests be judged by this time. An observer takes no writes, and says so itself. */
  get isUsable(): boolean {
    return this.options.seat === OBSERVER || this.#isTrusted;
  }

  /** How far the wall clock is ahead of the time in use. */
  get offsetMs(): number {
    return this.#wall - this.#used;
  }

  /** How far the wall clock is ahead of the time that other seats use; undefined when too few are known. */
  get peersOffsetMs(): number | undefined {
    const agreed = this.#agreed();
    return agreed && this.#wall - agreed.used;
  }

  /** How far the wall clock of a connected seat is ahead of this one; undefined while it is not known. */
  seatOffsetMs(seat: number): number | undefined {
    const report = this.#reports.get(seat);
    return report && report.wall - this.#wall;
  }

  /** No quorum of clocks agrees with the own one although a quorum is known: the node must not stamp anything. */
  get refusal(): string | undefined {
    if (this.#isTrusted) return undefined;
    const isKnown = isQuorumOf(this.options.epoch(), [this.options.seat, ...this.#reports.keys()]);
    return isKnown ? "the clocks of the seats differ: no quorum of them agrees with this node's" : undefined;
  }

  /** What is wrong with the clock; undefined: nothing. */
  get fault(): string | undefined {
    const offMs = this.#isTrusted ? this.offsetMs : 0;
    if (Math.abs(offMs) <= MAX_STEP_MS) return this.refusal;
    const direction = offMs > 0 ? 'ahead of' : 'behind';
    return `the clock of this machine is ${Math.abs(inSecs(offMs))} s ${direction} the time in use and is not followed`;
  }

  reading(): ClockReading {
    return { wallMs: this.options.clock.nowMs(), usedMs: this.#isTrusted ? this.nowMs() : 0 };
  }

  onReading(seat: number, { wallMs, usedMs }: ClockReading, roundTripMs: number): void {
    if (seat === this.options.seat || roundTripMs > MAX_ROUND_TRIP_MS) return;
    const readMs = this.monotonicMs() - roundTripMs / 2;
    this.#reports.set(seat, { wall: wallMs - readMs, used: usedMs === 0 ? undefined : usedMs - readMs });
    if (!this.#isTrusted) this.#check();
  }

  forget(seat: number): void {
    this.#reports.delete(seat);
  }

  get #wall(): number {
    return this.options.clock.nowMs() - this.monotonicMs();
  }

  #check(): void {
    const wall = this.#wall;
    if (this.#isTrusted) this.#follow(wall);
    else this.#begin(wall);
    if (!this.#isTrusted || this.#hold) this.options.probe();
    const { fault } = this;
    if (fault !== this.#loggedFault) this.#logFault(fault);
  }

  /** Nothing was stamped yet: any time that can be trusted will do. */
  #begin(wall: number): void {
    const agreed = this.#agreed();
    this.#used = !agreed || isNear(agreed.used, wall) ? wall : agreed.used;
    if (!agreed && !this.#isBacked(wall)) return;
    this.#isTrusted = true;
    this.options.onTrusted();
  }

  #follow(wall: number): void {
    const offMs = wall - this.#used;
    if (Math.abs(offMs) <= MAX_STEP_MS) {
      this.#hold = undefined;
      this.#used += Math.max(-SLEW_MS, Math.min(SLEW_MS, offMs));
    } else if (!this.#hold || Math.abs(wall - this.#hold.wall) > MAX_STEP_MS) {
      // The machine may have slept: what was measured against its monotonic clock is worth nothing then.
      this.#reports.clear();
      this.#hold = { wall, sinceMs: this.monotonicMs() };
    } else this.#judge(wall, this.#hold);
    const isGood = isNear(wall, this.#used) && this.#isBacked(wall);
    const agreed = isGood ? undefined : this.#agreed();
    if (agreed && !isNear(agreed.used, this.#used) && agreed.weight > this.#weightWith(this.#used))
      this.#stepTo(agreed.used, 'other seats use this time');
  }

  #judge(wall: number, hold: { sinceMs: number }): void {
    const agreed = this.#agreed();
    if (!this.#isBacked(wall)) hold.sinceMs = this.monotonicMs();
    if (agreed && isNear(agreed.used, wall)) this.#stepTo(wall, 'other seats confirm the clock');
    else if (this.monotonicMs() - hold.sinceMs >= HOLD_MS) this.#stepTo(wall, 'a quorum of clocks has held');
  }

  #stepTo(offset: number, because: string): void {
    const secs = inSecs(offset - this.#used);
    this.options.log.warn({ secs, because }, 'the time in use was set');
    this.#used = offset;
    if (Math.abs(this.#wall - offset) <= MAX_STEP_MS) this.#hold = undefined;
  }

  /** Do wall clocks of a quorum, this node's included, agree with this one. */
  #isBacked(wall: number): boolean {
    const near = [...this.#reports].flatMap(([seat, report]) => (isNear(report.wall, wall) ? [seat] : []));
    return isQuorumOf(this.options.epoch(), [this.options.seat, ...near]);
  }

  /**
   * The time that other seats use: of the sets that agree with each other and hold a third of the weight or more the
   * heaviest, of those the nearest to the time in use here. One honest clock is in it, so liars cannot make it up.
   */
  #agreed(): { used: number; weight: bigint } | undefined {
    const epoch = this.options.epoch();
    const known = [...this.#reports]
      .flatMap(([seat, { used }]) => (used === undefined ? [] : [{ seat, used }]))
      .sort((a, b) => a.used - b.used || a.seat - b.seat);
    let best: { used: number; weight: bigint } | undefined;
    for (const first of known) {
      const set = known.filter(({ used }) => used >= first.used && isNear(used, first.used));
      const seats = set.map(({ seat }) => seat);
      if (!includesHonest(epoch, seats)) continue;
      const found = { used: set[(set.length - 1) >> 1]!.used, weight: weightOf(epoch, seats) };
      const isNearer = best && Math.abs(found.used - this.#used) < Math.abs(best.used - this.#used);
      if (!best || found.weight > best.weight || (found.weight === best.weight && isNearer)) best = found;
    }
    return best;
  }

  /** Weight of this seat and of those that use a time near this one. */
  #weightWith(offset: number): bigint {
    const seats = [...this.#reports].flatMap(([seat, { used }]) =>
      used !== undefined && isNear(used, offset) ? [seat] : [],
    );
    return weightOf(this.options.epoch(), [this.options.seat, ...seats]);
  }

  #logFault(fault: string | undefined): void {
    this.#loggedFault = fault;
    const secs = inSecs(this.offsetMs);
    const seats = Object.fromEntries(
      [...this.#reports].map(([seat, { wall }]) => [seat, inSecs(wall - this.#wall)]),
    );
    if (fault === undefined) this.options.log.info({ secs, seats }, 'the clock is right again');
    else this.options.log.error({ secs, seats }, fault);
  }
}

/** The gate of a node whose clock is guarded: closed too while its time cannot be trusted. */
export const clockedGate = (gate: Gate, clock: Pick<GuardedClock, 'isTrusted' | 'refusal'>): Gate => ({
  get isOpen() {
    return gate.isOpen && clock.isTrusted;
  },
  get closedReason() {
    return gate.closedReason ?? clock.refusal;
  },
  onUnknownOwnVertex: (seq) => gate.onUnknownOwnVertex(seq),
  onSigned: (vertex) => gate.onSigned(vertex),
  recheck: () => gate.recheck(),
});
