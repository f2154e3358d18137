// Stakes: what happens to their amount and their age when tokens are added or taken.
// Keeps: staked_since is set exactly while something is staked, and adding moves it by weight.
// Sources: DECISIONS 6.5, 6.8.

import { POOL_TREASURY } from '../abi';
import { Agent } from '../ledger/agents';
import { creditPool, creditStake, debitStake } from '../ledger/money';
import { mulDiv } from '../lib/u128';

/**
 * (since * old + now * added) / (old + added), floored, in seconds. Written as since plus the weighted
 * gap, which is the same number and cannot wrap. DECISIONS 6.8.
 */
export function weightedSince(sinceSecs: u64, old: u64, nowSecs: u64, added: u64): u64 {
  return sinceSecs + mulDiv(nowSecs - sinceSecs, added, old + added);
}

/** Adds a positive amount, which the caller took from somewhere, to the stake. */
export function addStake(agent: Agent, amount: u64, nowSecs: u64): void {
  agent.stakedSinceSecs =
    agent.staked == 0 ? nowSecs : weightedSince(agent.stakedSinceSecs, agent.staked, nowSecs, amount);
  creditStake(agent, amount);
}

/** Takes an amount off the stake; the caller credits it elsewhere. Zero stake clears the clock. */
export function takeStake(agent: Agent, amount: u64): void {
  debitStake(agent, amount);
  if (agent.staked == 0) agent.stakedSinceSecs = 0;
}

/** Moves up to `amount` of the stake to the treasury; returns what was moved (DECISIONS 6.5). */
export function slashToTreasury(agent: Agent, amount: u64): u64 {
  const taken = min<u64>(amount, agent.staked);
  if (taken == 0) return 0;
  takeStake(agent, taken);
  creditPool(POOL_TREASURY, taken);
  return taken;
}
