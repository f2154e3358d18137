// What the one-time agents of a canary give back when they have served: grants are for newcomers (protocol 6.11, 7.7).
// Keeps: only the free balance moves, to the pool of grants. The schedule and the day's budget do not go back: otherwise
// one grant, taken and given back all day, would end onboarding for everybody.

import { INSUFFICIENT_BALANCE, OK, POOL_ECOSYSTEM, RESULT_AGENT, RESULT_RETURNED_AMOUNT } from '../abi';
import { actor, commits, frame, refuse, setResult } from '../io/frame';
import { balanceOf, move, poolOf } from '../ledger/money';

/** OP_CANARY_RETURN: the actor's whole free balance goes to genesis:ecosystem. Error: there is none. */
export function giveBack(): i32 {
  const agent = actor();
  const amount = agent.balance;
  if (amount == 0) return refuse(INSUFFICIENT_BALANCE, 0, 1);
  if (!commits()) return OK;

  move(balanceOf(agent), poolOf(POOL_ECOSYSTEM), amount);
  setResult(RESULT_AGENT, frame().actor);
  setResult(RESULT_RETURNED_AMOUNT, amount);
  return OK;
}
