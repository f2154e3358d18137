// Stake and unstake: moving an agent's tokens between its free balance and its stake.
// Keeps: a stake that is liable (for a validator's work, for pending transfers, for open claims) is never lowered
// below what it must cover (protocol 4.2, 4.4, 6.7).

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
import { claimedStake } from '../credit/claims';
import { addStake } from '../credit/stake';
import { standingPower } from '../credit/standing';
import { trustLimit, trustMultiplier } from '../credit/trust';
import { actor, commits, field64, frame, refuse, setResult } from '../io/frame';
import { Agent } from '../ledger/agents';
import { balanceOf, move, stakeOf } from '../ledger/money';
import { isStakeLocked } from '../validators/lock';

const LOCKED_BY_EXPOSURE: u64 = 0;
const LOCKED_BY_DUTY: u64 = 1;
const LOCKED_BY_CLAIMS: u64 = 2;

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

/**
 * The part of a stake that pending transfers do not need, micro-units: with what remains, the trust limit still covers
 * them. `carried`: what standing adds to it at most.
 */
export function releasableStake(staked: u64, exposure: u64, multiplier: u64, carried: u64): u64 {
  const byMultiplier = (exposure + multiplier - 1) / multiplier;
  const needed = max<u64>(byMultiplier, exposure - min<u64>(exposure, carried));
  return staked > needed ? staked - needed : 0;
}

/** OP_UNSTAKE. Errors: above the stake; locked by validator duty (nothing releasable), by exposure or by open claims. */
export function unstake(): i32 {
  const agent = actor();
  const amount = field64(IN_STAKE_AMOUNT);
  const nowSecs = frame().nowSecs;
  if (amount > agent.staked) return refuse(INSUFFICIENT_STAKE, agent.staked, amount);
  if (isStakeLocked(agent, nowSecs)) return refuse(STAKE_LOCKED, LOCKED_BY_DUTY, 0);
  const multiplier = trustMultiplier(agent, nowSecs);
  const carried = standingPower(agent, nowSecs);
  const releasable = releasableStake(agent.staked, agent.exposure, multiplier, carried);
  if (amount > releasable) return refuse(STAKE_LOCKED, LOCKED_BY_EXPOSURE, releasable);
  const claimed = min<u64>(claimedStake(agent), agent.staked);
  if (amount > agent.staked - claimed) return refuse(STAKE_LOCKED, LOCKED_BY_CLAIMS, agent.staked - claimed);
  if (!commits()) return OK;

  move(stakeOf(agent), balanceOf(agent), amount);
  setResults(agent, amount);
  return OK;
}
