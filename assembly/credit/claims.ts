// How many tasks an agent may have claimed at a time, and with which budgets (protocol 4.4).
// Keeps: pure functions of rows and parameters; nothing is written here. Whoever has nothing holds one claim up to
// claim_budget. Identities are free, so a further claim is backed by what is not: stake, which stays locked meanwhile,
// and fees that the treasury got and nobody gets back.

import { PARAM_CLAIM_BUDGET, PARAM_CLAIM_STAKE } from '../abi';
import { Agent, agentIndex } from '../ledger/agents';
import { param } from '../state/header';
import { workerOf } from './workers';

/** Maximum of tasks claimed at a time, whatever backs them. */
export const MAX_CLAIMS: u64 = 20;
/** A token of fees backs as much as this many tokens of stake. */
const FEES_FACTOR: u64 = 100;

function backingOfFees(agent: Agent): u64 {
  return FEES_FACTOR * workerOf(agentIndex(agent)).fees;
}

/** What backs the agent's claims, micro-units: at most 10^15 + 100 * 10^15. */
export function claimBacking(agent: Agent): u64 {
  return agent.staked + backingOfFees(agent);
}

/** Backing that `count` claims with these budgets in sum need. 1 claim up to claim_budget: 0. */
export function backingNeeded(count: u64, budgets: u64): u64 {
  const free = param(PARAM_CLAIM_BUDGET);
  const byCount = count > 1 ? (count - 1) * param(PARAM_CLAIM_STAKE) : 0;
  return max<u64>(byCount, budgets > free ? budgets - free : 0);
}

/** Number of claims that a backing allows: 1 without any. */
export function maxClaims(backing: u64): u64 {
  return min<u64>(MAX_CLAIMS, 1 + backing / param(PARAM_CLAIM_STAKE));
}

/** Sum of the budgets of claims that a backing allows. */
export function maxClaimedBudget(backing: u64): u64 {
  return param(PARAM_CLAIM_BUDGET) + backing;
}

/** The part of a stake that the agent's open claims need, micro-units; may exceed what is left after a slash. */
export function claimedStake(agent: Agent): u64 {
  const worker = workerOf(agentIndex(agent));
  const needed = backingNeeded(worker.claimed, worker.claimedBudget);
  const byFees = backingOfFees(agent);
  return needed > byFees ? needed - byFees : 0;
}
