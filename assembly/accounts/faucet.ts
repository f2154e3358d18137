// The faucet: a fixed amount for each agent, once per cooldown, from its own pool, within the daily budget of grants.
// Keeps: no grant while the pool or the budget is below the amount; on the mainnet the pool is empty.

import {
  FAUCET_COOLDOWN,
  FAUCET_EMPTY,
  OK,
  PARAM_FAUCET_AMOUNT,
  PARAM_FAUCET_COOLDOWN_SECS,
  POOL_FAUCET,
  RESULT_AGENT,
  RESULT_FAUCET_AMOUNT,
  RESULT_FAUCET_BALANCE,
  RESULT_FAUCET_NEXT_AT,
} from '../abi';
import { actor, commits, frame, refuse, setResult } from '../io/frame';
import { balanceOf, move, poolBalance, poolOf } from '../ledger/money';
import { param } from '../state/header';
import { grantsLeft, nextGrantsSecs, spendGrant } from './grants';

/**
 * OP_FAUCET. Errors: cooldown (details: seconds to wait), pool below the amount, the seat's part of the daily budget below
 * it (details: seconds to wait). protocol 4.1, 6.11.
 */
export function claimFaucet(): i32 {
  const nowSecs = frame().nowSecs;
  const agent = actor();
  const amount = param(PARAM_FAUCET_AMOUNT);
  const cooldownSecs = param(PARAM_FAUCET_COOLDOWN_SECS);
  const nextSecs = agent.faucetAtSecs + cooldownSecs;
  if (agent.faucetAtSecs != 0 && nowSecs < nextSecs) return refuse(FAUCET_COOLDOWN, nextSecs - nowSecs);
  if (poolBalance(POOL_FAUCET) < amount) return refuse(FAUCET_EMPTY);
  if (grantsLeft(nowSecs) < amount) return refuse(FAUCET_EMPTY, nextGrantsSecs(nowSecs));
  if (!commits()) return OK;

  move(poolOf(POOL_FAUCET), balanceOf(agent), amount);
  spendGrant(amount, nowSecs);
  agent.faucetAtSecs = nowSecs;
  setResult(RESULT_AGENT, frame().actor);
  setResult(RESULT_FAUCET_AMOUNT, amount);
  setResult(RESULT_FAUCET_BALANCE, agent.balance);
  setResult(RESULT_FAUCET_NEXT_AT, nowSecs + cooldownSecs);
  return OK;
}
