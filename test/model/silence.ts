// Ordering weight that silent seats lose (consensus 5.11), from the whole history: every epoch with the seats that were
// to be heard in it and those that were.
// Keeps: who is without weight follows from that history and the weights at a seal; nothing is counted on the way.

import * as abi from '../../assembly/abi.ts';
import { emit } from './events.ts';
import * as figures from './figures.ts';
import * as rules from './rules.ts';
import type { ModelState } from './state.ts';
import type { ModelSeat } from './validator-state.ts';

export interface ModelEpoch {
  openedMs: number;
  /** Sum of the steps of consensus time before it, each counted as a minute at most. */
  openedAwakeMs: number;
  expected: Set<number>;
  heard: Set<number>;
}

const MAX_STEP_MS = 60_000;
const MAX_REMOVED_PERCENT = 45n;
const MIN_SEATS_LEFT = 4;

export function newEpoch(openedMs: number, openedAwakeMs: number): ModelEpoch {
  return { openedMs, openedAwakeMs, expected: new Set(), heard: new Set() };
}

export function passTime(s: ModelState, timeMs: number): void {
  s.awakeMs += Math.min(MAX_STEP_MS, timeMs - s.timeMs);
  s.epochs.at(-1)!.openedMs ||= timeMs;
}

/** Ordering weight of a seat if it were not removed. */
export function fullWeight(s: ModelState, { validator: v, operator }: ModelSeat): bigint {
  const weighs = v?.status === abi.VALIDATOR_ACTIVE || v?.status === abi.VALIDATOR_SUSPENDED;
  return v && weighs ? rules.weight(figures.validatorReputation(s, v, s.now), operator.staked) : 0n;
}

/** First of the sealed epochs, up to the newest, in which the seat was to be heard and was not; undefined: none. */
export function silentFrom(s: ModelState, seat: number): number | undefined {
  const running = s.epochs.length - 1;
  if (s.epochs[running]!.heard.has(seat) || !s.epochs[running]!.expected.has(seat)) return undefined;
  let first: number | undefined;
  for (let n = running - 1; n >= 0 && s.epochs[n]!.expected.has(seat) && !s.epochs[n]!.heard.has(seat); n--)
    first = n;
  return first;
}

export const silentSince = (s: ModelState, epoch: number): number =>
  Math.floor(s.epochs[epoch]!.openedMs / 1000);

/** A vertex of the seat is ordered. */
export function hear(s: ModelState, seat: number): void {
  if (!s.seats.has(seat)) return;
  s.epochs.at(-1)!.heard.add(seat);
  if (s.removed.delete(seat)) s.untold.set(seat, { change: abi.SEAT_WEIGHT_HEARD, from: undefined });
}

/** Who has to be heard in the running epoch. */
export function expectSeats(s: ModelState): void {
  const expected = [...s.seats].filter(([n, seat]) => s.removed.has(n) || fullWeight(s, seat) > 0n);
  s.epochs.at(-1)!.expected = new Set(expected.map(([n]) => n));
}

export function sealEpoch(s: ModelState): void {
  const sealed = s.epochs.length - 1;
  s.epochs.push(newEpoch(s.timeMs, s.awakeMs));
  // As if all of them were still to be heard, to see since when they are silent.
  s.epochs.at(-1)!.expected = new Set(s.seats.keys());
  const seats = [...s.seats].map(([seat, row]) => ({
    seat,
    weight: fullWeight(s, row),
    from: silentFrom(s, seat),
  }));
  const isLong = (from: number): boolean =>
    sealed - from + 1 >= s.param(abi.PARAM_SILENCE_EPOCHS) &&
    s.awakeMs - s.epochs[from]!.openedAwakeMs >= s.param(abi.PARAM_SILENCE_SECS) * 1000;
  const due = seats
    .filter(({ weight, from }) => weight > 0n && from !== undefined && isLong(from))
    .sort((a, b) => a.from! - b.from! || a.seat - b.seat);
  const all = seats.reduce((sum, { weight }) => sum + weight, 0n);
  const minLeft = Math.max(MIN_SEATS_LEFT, s.param(abi.PARAM_MIN_PARTICIPANTS));
  let left = seats.filter(({ weight }) => weight > 0n).length;
  let gone = 0n;
  for (const { seat, weight, from } of due) {
    const fits = 100n * (gone + weight) <= MAX_REMOVED_PERCENT * all && left - 1 >= minLeft;
    if (fits) {
      gone += weight;
      left -= 1;
    }
    if (fits === s.removed.has(seat)) continue;
    if (fits) s.removed.add(seat);
    else s.removed.delete(seat);
    s.untold.set(seat, { change: fits ? abi.SEAT_WEIGHT_REMOVED : abi.SEAT_WEIGHT_BOUND, from });
  }
  expectSeats(s);
}

export function tellSeatWeights(s: ModelState): void {
  for (const [seat, { change, from }] of [...s.untold].sort(([a], [b]) => a - b)) {
    const event = emit(s, abi.EVENT_SEAT_WEIGHT, 'seat_weight', s.seats.get(seat)!.id);
    event.weight = {
      seat,
      change,
      epoch: s.epochs.length - 1,
      silentFrom: from === undefined ? 0 : from + 1,
      since: from === undefined ? 0 : silentSince(s, from),
    };
  }
  s.untold.clear();
}
