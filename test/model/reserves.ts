// The replay reserves: which one a category uses, what is drawn from them, and their refill (protocol 6.3, 6.4).

import * as abi from '../../assembly/abi.ts';
import * as rules from './rules.ts';
import type { ModelState } from './state.ts';

const TARGET = 50n * rules.TOKEN;
export const MAX_RESERVE = 10n * rules.TOKEN;

const RESERVES: Record<string, number> = {
  code: abi.POOL_REPLAY_CODE,
  data: abi.POOL_REPLAY_DATA,
  analysis: abi.POOL_REPLAY_ANALYSIS,
  content: abi.POOL_REPLAY_CONTENT,
};
export const reserveOf = (category: string): number => RESERVES[category] ?? abi.POOL_REPLAY_GENERAL;

// Below the limit the treasury fills it up, a day later.
function watch(s: ModelState, place: number): void {
  const held = s.pools[abi.POOL_REPLAY_CODE + place]!;
  if (held < MAX_RESERVE && s.refills[place] === 0) {
    s.refills[place] = s.now + s.param(abi.PARAM_DAY_SECS);
  }
}

/** Takes up to an amount; what was taken is the caller's. */
export function drawFromReserve(s: ModelState, pool: number, amount: bigint): bigint {
  const taken = rules.min(amount, s.pools[pool]!);
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
