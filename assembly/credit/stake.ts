// Stakes: how their amount and their age change when tokens are added or slashed (protocol 6.5, 6.8).
// Keeps: staked_since is set exactly while something is staked (ledger/money clears it); adding tokens moves it
// forward in proportion to the amount.

import {
  EVENT_SLASH,
  OUT_SLASH_AGENT,
  OUT_SLASH_AMOUNT,
  OUT_SLASH_BYTES,
  OUT_SLASH_CAUSE,
  OUT_SLASH_REMAINING,
  POOL_TREASURY,
} from '../abi';
import { beginAgentEvent } from '../io/system-event';
import { Agent, agentIndex } from '../ledger/agents';
import { Account, move, poolOf, stakeOf } from '../ledger/money';
import { mulDiv } from '../lib/u128';

/**
 * (since * old + now * added) / (old + added), floored, in seconds. Written as since plus the weighted
 * difference, which is the same number and cannot overflow. protocol 6.8.
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

/** Emits that a stake was slashed by an amount for SLASH_*. Returns the record; a challenge adds its id. */
export function emitSlash(agent: Agent, cause: u32, amount: u64): usize {
  const record = beginAgentEvent(EVENT_SLASH, 'slash', agent, OUT_SLASH_BYTES);
  store<u32>(record, agentIndex(agent), OUT_SLASH_AGENT);
  store<u32>(record, cause, OUT_SLASH_CAUSE);
  store<u64>(record, amount, OUT_SLASH_AMOUNT);
  store<u64>(record, agent.staked, OUT_SLASH_REMAINING);
  return record;
}

/** Moves up to `amount` of the stake to the treasury; returns what was moved (protocol 6.5). */
export function slashToTreasury(agent: Agent, amount: u64): u64 {
  const taken = min<u64>(amount, agent.staked);
  if (taken == 0) return 0;
  move(stakeOf(agent), poolOf(POOL_TREASURY), taken);
  return taken;
}
