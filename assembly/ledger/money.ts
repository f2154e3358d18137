// Every movement of tokens: balances, stakes, escrows and pools, in micro-units.
// Keeps: what leaves one account enters another in the same operation, so that the sum over all
// accounts, counted along here, stays 10^15 (DECISIONS 6; asserted at each block's end).
// Checks amounts as assertions only: refusals are the operations' business.

import { mulDiv } from '../lib/u128';
import { header, poolAddress } from '../state/header';
import { Agent, touchAgent } from './agents';
import { BASE_FEE_BP, BP } from './rates';

/** Total supply in micro-units (DECISIONS 6.1). */
export const SUPPLY: u64 = 1000000000000000;

export function poolBalance(pool: u32): u64 {
  return load<u64>(poolAddress(pool));
}

export function creditPool(pool: u32, amount: u64): void {
  const at = poolAddress(pool);
  store<u64>(at, load<u64>(at) + amount);
  header().supply += amount;
}

export function debitPool(pool: u32, amount: u64): void {
  const at = poolAddress(pool);
  const held = load<u64>(at);
  assert(held >= amount, 'a pool does not hold the amount');
  store<u64>(at, held - amount);
  header().supply -= amount;
}

export function creditBalance(agent: Agent, amount: u64): void {
  agent.balance += amount;
  header().supply += amount;
  touchAgent(agent);
}

export function debitBalance(agent: Agent, amount: u64): void {
  assert(agent.balance >= amount, 'a balance does not hold the amount');
  agent.balance -= amount;
  header().supply -= amount;
  touchAgent(agent);
}

// The stake of a validator's operator is compared with the required one at the block's end (validators/stake-watch).
function noteStake(agent: Agent): void {
  if (agent.validator != 0) header().stakesMoved = 1;
  touchAgent(agent);
}

/** Adds to a stake; when it was staked is credit's business. */
export function creditStake(agent: Agent, amount: u64): void {
  agent.staked += amount;
  header().totalStaked += amount;
  header().supply += amount;
  noteStake(agent);
}

export function debitStake(agent: Agent, amount: u64): void {
  assert(agent.staked >= amount, 'a stake does not hold the amount');
  agent.staked -= amount;
  header().totalStaked -= amount;
  header().supply -= amount;
  noteStake(agent);
}

/** Locks part of a balance in escrow, shown as the owner's `reserved`. */
export function lockEscrow(owner: Agent, amount: u64): void {
  debitBalance(owner, amount);
  owner.reserved += amount;
  header().totalEscrowed += amount;
  header().supply += amount;
}

/** Takes an amount out of escrow; the caller credits it elsewhere at once. */
export function releaseEscrow(owner: Agent, amount: u64): void {
  assert(owner.reserved >= amount, 'an escrow does not hold the amount');
  owner.reserved -= amount;
  header().totalEscrowed -= amount;
  header().supply -= amount;
  touchAgent(owner);
}

/** Holds the reward of a replay, which the caller took from elsewhere at once. */
export function lockReplay(amount: u64): void {
  const h = header();
  h.replayEscrow += amount;
  h.totalEscrowed += amount;
  h.supply += amount;
}

/** Takes the reward of a replay out of escrow; the caller credits it elsewhere at once. */
export function releaseReplay(amount: u64): void {
  const h = header();
  assert(h.replayEscrow >= amount, 'the escrow of replays does not hold the amount');
  h.replayEscrow -= amount;
  h.totalEscrowed -= amount;
  h.supply -= amount;
}

/** Base fee of a settled amount, floored (DECISIONS 6.2). */
export function baseFee(amount: u64): u64 {
  return mulDiv(amount, BASE_FEE_BP, BP);
}
