// The replay reserves: which one a category uses, what is drawn from them, and their refill (protocol 6.3, 6.4).

import * as abi from '../../assembly/abi.ts';
import * as rules from './rules.ts';
import type { ModelAgent, ModelState } from './state.ts';

const TARGET = 50n * rules.TOKEN;
export const MIN_RESERVE = 10n * rules.TOKEN;
/** Posters that brought the treasury less than ten tokens do not draw on it. */
const LOWER_HALF = TARGET / 2n;
const OF_A_POSTER = 5n * rules.TOKEN;

const RESERVES: Record<string, number> = {
  code: abi.POOL_REPLAY_CODE,
  data: abi.POOL_REPLAY_DATA,
  analysis: abi.POOL_REPLAY_ANALYSIS,
  content: abi.POOL_REPLAY_CONTENT,
};
export const reserveOf = (category: string): number => RESERVES[category] ?? abi.POOL_REPLAY_GENERAL;

// At half of its target or below, the treasury fills it up, a day later.
function watch(s: ModelState, place: number): void {
  const held = s.pools[abi.POOL_REPLAY_CODE + place]!;
  if (held <= LOWER_HALF && s.refills[place] === 0) {
    s.refills[place] = s.now + s.param(abi.PARAM_DAY_SECS);
  }
}

/** Takes up to an amount for a poster's task; what was taken is the caller's. */
export function drawFromReserve(s: ModelState, pool: number, poster: ModelAgent, amount: bigint): bigint {
  const day = Math.floor(s.now / s.param(abi.PARAM_DAY_SECS));
  const drawn = s.draws.filter((d) => d.day === day && d.poster === poster);
  const own = OF_A_POSTER - drawn.reduce((sum, d) => sum + d.amount, 0n);
  const shut = poster.fees < 10n * rules.TOKEN ? LOWER_HALF : 0n;
  const open = rules.max(0n, s.pools[pool]! - shut);
  const taken = rules.min(amount, rules.min(own, open));
  s.draws.push({ day, poster, amount: taken });
  s.pools[pool]! -= taken;
  watch(s, pool - abi.POOL_REPLAY_CODE);
  return taken;
}

export function refill(s: ModelState, place: number): void {
  const pool = abi.POOL_REPLAY_CODE + place;
  s.refills[place] = 0;
  const missing = rules.max(0n, TARGET - s.pools[pool]!);
  const amount = rules.min(missing, s.pools[abi.POOL_TREASURY]!);
  s.pools[abi.POOL_TREASURY]! -= amount;
  s.pools[pool]! += amount;
  watch(s, place);
}
