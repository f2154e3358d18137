// Stake and unstake: moving an agent's tokens between its free balance and its stake.
// Keeps: a stake that is liable (for a validator's work, for pending transfers) is never lowered
// below what it must cover (protocol 4.2, 6.7).

import {
  IN_STAKE_AMOUNT,
  INSUFFICIENT_BALANCE,
  INSUFFICIENT_STAKE,
  OK,
  RESULT_AGENT,
  RESULT_STAKE_AMOUNT,
  RESULT_STAKE_BALANCE,
  RESULT_STAKE_STAKED,
  RESULT_STAKE_TRUST_LIMIT,
  STAKE_LOCKED,
} from '../abi';
import { addStake } from '../credit/stake';
import { trustLimit, trustMultiplier } from '../credit/trust';
import { actor, commits, field64, frame, refuse, setResult } from '../io/frame';
import { Agent } from '../ledger/agents';
import { balanceOf, move, stakeOf } from '../ledger/money';
import { isStakeLocked } from '../validators/lock';

const LOCKED_BY_EXPOSURE: u64 = 0;
const LOCKED_BY_DUTY: u64 = 1;

function setResults(agent: Agent, amount: u64): void {
  setResult(RESULT_AGENT, frame().actor);
  setResult(RESULT_STAKE_AMOUNT, amount);
  setResult(RESULT_STAKE_STAKED, agent.staked);
  setResult(RESULT_STAKE_TRUST_LIMIT, trustLimit(agent, frame().nowSecs));
  setResult(RESULT_STAKE_BALANCE, agent.balance);
}

/** OP_STAKE. Error: balance below the amount. */
export function stake(): i32 {
  const agent = actor();
  const amount = field64(IN_STAKE_AMOUNT);
  if (agent.balance < amount) return refuse(INSUFFICIENT_BALANCE, agent.balance, amount);
  if (!commits()) return OK;

  addStake(agent, balanceOf(agent), amount, frame().nowSecs);
  setResults(agent, amount);
  return OK;
}

/** The part of a stake that pending transfers do not need, micro-units. */
export function releasableStake(staked: u64, exposure: u64, multiplier: u64): u64 {
  const needed = (exposure + multiplier - 1) / multiplier;
  return staked > needed ? staked - needed : 0;
}

/** OP_UNSTAKE. Errors: above the stake; locked by validator duty (nothing releasable) or by exposure. */
export function unstake(): i32 {
  const agent = actor();
  const amount = field64(IN_STAKE_AMOUNT);
  const nowSecs = frame().nowSecs;
  if (amount > agent.staked) return refuse(INSUFFICIENT_STAKE, agent.staked, amount);
  if (isStakeLocked(agent, nowSecs)) return refuse(STAKE_LOCKED, LOCKED_BY_DUTY, 0);
  const releasable = releasableStake(agent.staked, agent.exposure, trustMultiplier(agent, nowSecs));
  if (amount > releasable) return refuse(STAKE_LOCKED, LOCKED_BY_EXPOSURE, releasable);
  if (!commits()) return OK;

  move(stakeOf(agent), balanceOf(agent), amount);
  setResults(agent, amount);
  return OK;
}
