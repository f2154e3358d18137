// The replay reserves: which one a category uses, the circuit breaker, and the refill a day after it tripped.
// Keeps: a reserve below its limit has a refill under way, so that it cannot block for ever (DECISIONS 6.3).

import {
  POOL_REPLAY_ANALYSIS,
  POOL_REPLAY_CODE,
  POOL_REPLAY_CONTENT,
  POOL_REPLAY_DATA,
  POOL_REPLAY_GENERAL,
  POOL_TREASURY,
} from '../abi';
import { Account, move, poolBalance, poolOf } from '../ledger/money';
import { TOKEN } from '../ledger/rates';
import { categoryNameIs } from '../reputation/categories';
import { daySecs, Header, header } from '../state/header';
import { RESERVE_COUNT, startTimer, stopTimer, TIMER_RESERVE, timerOf } from '../state/timers';

/** 6.3: ten replays of five tokens, and a fifth of that. */
const TARGET: u64 = 50 * TOKEN;
export const RESERVE_LIMIT: u64 = 10 * TOKEN;

/** Pool of a category's replay reserve: the structured categories have their own, all others share one. */
export function reserveOfCategory(form: usize): u32 {
  if (categoryNameIs(form, 'code')) return POOL_REPLAY_CODE;
  if (categoryNameIs(form, 'data')) return POOL_REPLAY_DATA;
  if (categoryNameIs(form, 'analysis')) return POOL_REPLAY_ANALYSIS;
  return categoryNameIs(form, 'content') ? POOL_REPLAY_CONTENT : POOL_REPLAY_GENERAL;
}

/** True for the categories in which lanes above standard exist (DECISIONS 2, structured). */
export function isStructured(reserve: u32): bool {
  return reserve != POOL_REPLAY_GENERAL;
}

/** True while the breaker keeps new assured tasks of the reserve out. */
export function isReserveBlocked(reserve: u32): bool {
  return poolBalance(reserve) < RESERVE_LIMIT;
}

// Address of the second of the refill, 0 in it = none under way.
function refillAt(place: u32): usize {
  return changetype<usize>(header()) + offsetof<Header>('refill0') + ((<usize>place) << 3);
}

// Has the treasury fill a reserve up in a day, when the breaker has tripped and no refill is under way.
function watch(place: u32, nowSecs: u64): void {
  if (!isReserveBlocked(POOL_REPLAY_CODE + place) || load<u64>(refillAt(place)) != 0) return;
  store<u64>(refillAt(place), nowSecs + daySecs());
  startTimer(timerOf(TIMER_RESERVE, place), nowSecs + daySecs());
}

/** Moves up to `amount` out of a reserve to an account; returns what was moved. */
export function drawFromReserve(reserve: u32, to: Account, amount: u64, nowSecs: u64): u64 {
  const taken = min<u64>(amount, poolBalance(reserve));
  move(poolOf(reserve), to, taken);
  watch(reserve - POOL_REPLAY_CODE, nowSecs);
  return taken;
}

/** The timer of a refill: up to the target, as far as the treasury holds it; still below the limit, it tries again. */
export function refillReserve(place: u32, nowSecs: u64): void {
  const reserve = POOL_REPLAY_CODE + place;
  stopTimer(timerOf(TIMER_RESERVE, place));
  store<u64>(refillAt(place), 0);
  const held = poolBalance(reserve);
  if (held < TARGET) {
    move(poolOf(POOL_TREASURY), poolOf(reserve), min<u64>(TARGET - held, poolBalance(POOL_TREASURY)));
  }
  watch(place, nowSecs);
}

/** Moves the refills under way by a span, as when the clock of the chain starts. The caller rebuilds the timers. */
export function shiftRefills(shiftSecs: u64): void {
  for (let place: u32 = 0; place < RESERVE_COUNT; place++) {
    const secs = load<u64>(refillAt(place));
    if (secs != 0) store<u64>(refillAt(place), secs + shiftSecs);
  }
}

/** Timers from the header, after an import. */
export function rebuildRefills(): void {
  for (let place: u32 = 0; place < RESERVE_COUNT; place++) {
    const secs = load<u64>(refillAt(place));
    if (secs != 0) startTimer(timerOf(TIMER_RESERVE, place), secs);
  }
}
