// Stakes: what happens to their amount and their age when tokens are added or taken.
// Keeps: staked_since is set exactly while something is staked, and adding moves it by weight.
// Sources: DECISIONS 6.5, 6.8.

import { POOL_TREASURY } from '../abi';
import { Agent } from '../ledger/agents';
import { Account, move, poolOf, stakeOf } from '../ledger/money';
import { mulDiv } from '../lib/u128';

/**
 * (since * old + now * added) / (old + added), floored, in seconds. Written as since plus the weighted
 * gap, which is the same number and cannot wrap. DECISIONS 6.8.
 */
export function weightedSince(sinceSecs: u64, old: u64, nowSecs: u64, added: u64): u64 {
  return sinceSecs + mulDiv(nowSecs - sinceSecs, added, old + added);
}

/** Moves a positive amount from an account to the stake. */
export function addStake(agent: Agent, from: Account, amount: u64, nowSecs: u64): void {
  agent.stakedSinceSecs =
    agent.staked == 0 ? nowSecs : weightedSince(agent.stakedSinceSecs, agent.staked, nowSecs, amount);
  move(from, stakeOf(agent), amount);
}

/** Moves up to `amount` of the stake to the treasury; returns what was moved (DECISIONS 6.5). */
export function slashToTreasury(agent: Agent, amount: u64): u64 {
  const taken = min<u64>(amount, agent.staked);
  if (taken == 0) return 0;
  move(stakeOf(agent), poolOf(POOL_TREASURY), taken);
  return taken;
}
