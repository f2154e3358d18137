// What an agent may have claimed at a time (protocol 4.4).

import * as abi from '../../assembly/abi.ts';
import { type Refusal, refuse } from './refusal.ts';
import * as rules from './rules.ts';
import type { ModelAgent, ModelState } from './state.ts';

const MAX_CLAIMS = 20n;

interface Held {
  count: bigint;
  budgets: bigint;
}

export function claimsOf(s: ModelState, agent: ModelAgent): Held {
  const held = s.tasks.filter((t) => t.status === abi.TASK_CLAIMED && t.claimer === agent);
  return { count: BigInt(held.length), budgets: held.reduce((sum, t) => sum + t.budget, 0n) };
}

/** A refusal when stake and fees do not back one more claim with this budget. */
export function refuseUnbacked(s: ModelState, agent: ModelAgent, budget: bigint): Refusal | undefined {
  const backing = agent.staked + 100n * agent.fees;
  const each = BigInt(s.param(abi.PARAM_CLAIM_STAKE));
  const { count, budgets } = claimsOf(s, agent);
  const limit = rules.min(MAX_CLAIMS, 1n + backing / each);
  if (count >= limit) {
    const missing = count >= MAX_CLAIMS ? 0n : count * each - backing;
    return refuse(abi.CLAIM_LIMIT, 0n, count, limit, missing);
  }
  const most = BigInt(s.param(abi.PARAM_CLAIM_BUDGET)) + backing;
  if (budgets + budget <= most) return undefined;
  return refuse(abi.CLAIM_LIMIT, 1n, budgets, most, budgets + budget - most);
}

/** The part of a stake that is free of claims. */
export function unclaimedStake(s: ModelState, agent: ModelAgent): bigint {
  const { count, budgets } = claimsOf(s, agent);
  const byCount = (count - 1n) * BigInt(s.param(abi.PARAM_CLAIM_STAKE));
  const byBudgets = budgets - BigInt(s.param(abi.PARAM_CLAIM_BUDGET));
  const needed = rules.max(byCount, byBudgets) - 100n * agent.fees;
  return rules.max(0n, agent.staked - rules.max(0n, needed));
}
