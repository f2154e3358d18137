// The replay reserves: which one a category uses, what may be drawn from it, the circuit breaker, and the refill.
// Keeps: a reserve at half of its target or below has a pending refill, so that it does not block for ever; agents
// without fees behind them cannot trip the breaker, however many they are (protocol 6.3, 6.4).

import {
  POOL_REPLAY_ANALYSIS,
  POOL_REPLAY_CODE,
  POOL_REPLAY_CONTENT,
  POOL_REPLAY_DATA,
  POOL_REPLAY_GENERAL,
  POOL_TREASURY,
} from '../abi';
import { markWorker, Worker, workerOf } from '../credit/workers';
import { Account, move, poolBalance, poolOf } from '../ledger/money';
import { TOKEN } from '../ledger/rates';
import { categoryNameIs } from '../reputation/categories';
import { daySecs, Header, header } from '../state/header';
import { RESERVE_COUNT, startTimer, stopTimer, TIMER_RESERVE, timerOf } from '../state/timers';

/** protocol 6.3: ten replays of five tokens; below a fifth of that, the breaker trips. */
const TARGET: u64 = 50 * TOKEN;
export const MIN_RESERVE: u64 = 10 * TOKEN;
/** protocol 6.4: reserved for posters whose tasks brought the treasury PROVEN_FEES. */
const LOWER_HALF: u64 = TARGET / 2;
const PROVEN_FEES: u64 = 10 * TOKEN;
/** What replays of a poster's tasks may draw in a day: the reward of one. */
const POSTER_DRAW: u64 = 5 * TOKEN;

/** Pool of a category's replay reserve: each structured category has its own, all others share one. */
export function reserveOfCategory(form: usize): u32 {
  if (categoryNameIs(form, 'code')) return POOL_REPLAY_CODE;
  if (categoryNameIs(form, 'data')) return POOL_REPLAY_DATA;
  if (categoryNameIs(form, 'analysis')) return POOL_REPLAY_ANALYSIS;
  return categoryNameIs(form, 'content') ? POOL_REPLAY_CONTENT : POOL_REPLAY_GENERAL;
}

/** True for the categories in which lanes above standard exist (protocol 2.4). */
export function isStructured(reserve: u32): bool {
  return reserve != POOL_REPLAY_GENERAL;
}

/** True while the breaker blocks new assured tasks of the reserve that do not pay for their replay. */
export function isReserveBlocked(reserve: u32): bool {
  return poolBalance(reserve) < MIN_RESERVE;
}

// Address of the second of the refill; it holds 0 when none is pending.
function refillAt(position: u32): usize {
  return changetype<usize>(header()) + offsetof<Header>('refill0') + ((<usize>position) << 3);
}

// Schedules a refill from the treasury in a day, when the upper half is used up and no refill is pending.
function watch(position: u32, nowSecs: u64): void {
  if (poolBalance(POOL_REPLAY_CODE + position) > LOWER_HALF || load<u64>(refillAt(position)) != 0) return;
  store<u64>(refillAt(position), nowSecs + daySecs());
  startTimer(timerOf(TIMER_RESERVE, position), nowSecs + daySecs());
}

// What a poster's tasks may still draw today. A row of another day starts anew.
function leftToday(worker: Worker, nowSecs: u64): u64 {
  const day = <u32>(nowSecs / daySecs());
  if (worker.drawDay != day) {
    worker.drawDay = day;
    worker.drawn = 0;
  }
  return POSTER_DRAW - worker.drawn;
}

// What a reserve holds for a poster.
function openTo(worker: Worker, reserve: u32): u64 {
  const held = poolBalance(reserve);
  const shut: u64 = worker.fees < PROVEN_FEES ? LOWER_HALF : 0;
  return held > shut ? held - shut : 0;
}

/** Moves up to `amount` out of a reserve to an account, for a poster's task; returns what was moved. */
export function drawFromReserve(reserve: u32, poster: u32, to: Account, amount: u64, nowSecs: u64): u64 {
  const worker = workerOf(poster);
  const taken = min<u64>(amount, min<u64>(leftToday(worker, nowSecs), openTo(worker, reserve)));
  worker.drawn += <u32>taken;
  markWorker(worker);
  move(poolOf(reserve), to, taken);
  watch(reserve - POOL_REPLAY_CODE, nowSecs);
  return taken;
}

/** Fires a refill: up to the target, as far as the treasury can pay; at half or below, it is scheduled again. */
export function refillReserve(position: u32, nowSecs: u64): void {
  const reserve = POOL_REPLAY_CODE + position;
  stopTimer(timerOf(TIMER_RESERVE, position));
  store<u64>(refillAt(position), 0);
  const held = poolBalance(reserve);
  if (held < TARGET) {
    move(poolOf(POOL_TREASURY), poolOf(reserve), min<u64>(TARGET - held, poolBalance(POOL_TREASURY)));
  }
  watch(position, nowSecs);
}

/** Shifts pending refills, when the clock of the chain starts. The caller rebuilds the timers. */
export function shiftRefills(shiftSecs: u64): void {
  for (let position: u32 = 0; position < RESERVE_COUNT; position++) {
    const secs = load<u64>(refillAt(position));
    if (secs != 0) store<u64>(refillAt(position), secs + shiftSecs);
  }
}

/** Timers from the header, after an import. */
export function rebuildRefills(): void {
  for (let position: u32 = 0; position < RESERVE_COUNT; position++) {
    const secs = load<u64>(refillAt(position));
    if (secs != 0) startTimer(timerOf(TIMER_RESERVE, position), secs);
  }
}
