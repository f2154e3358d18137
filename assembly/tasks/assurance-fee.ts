// The assurance fee of a completed task, shared with and without a replay (protocol 6.4).
// Keeps: exactly the fee moves; remainders, and shares without a recipient, go to the treasury. The replay, if any,
// has begun before.

import { POOL_CANARY, POOL_DISPUTE, POOL_TREASURY } from '../abi';
import { Account, beginSplit, endSplit, payPart, poolOf } from '../ledger/money';
import { BP } from '../ledger/rates';
import { addCapped, mulDiv } from '../lib/u128';
import { header } from '../state/header';
import { fundReplay } from './replays';
import { Task } from './rows';
import { BY_BOTH, shareAmong } from './shares';

const VERIFIERS_BP: u64 = 6000;
const VERIFIERS_REPLAY_BP: u64 = 4000;
const RESERVE_BP: u64 = 2500;
const PROTOCOL_BP: u64 = 1500;
const DISPUTE_BP: u64 = 2000;
const CANARY_BP: u64 = 1300;

// The replay share: for this task's executor, or for the reserve.
function payReplay(task: Task, fee: u64, nowSecs: u64): void {
  if (task.job != 0) fundReplay(task, fee, nowSecs);
  else payPart(poolOf(task.reserve), mulDiv(fee, RESERVE_BP, BP));
}

/** Pays the fee out of an account; returns the treasury's part. */
export function payAssuranceFee(task: Task, from: Account, fee: u64, nowSecs: u64): u64 {
  header().assuranceFees = addCapped(header().assuranceFees, fee);
  const shareBp = task.job != 0 ? VERIFIERS_REPLAY_BP : VERIFIERS_BP;
  const protocol = mulDiv(fee, PROTOCOL_BP, BP);
  beginSplit(from, fee);
  shareAmong(task, mulDiv(fee, shareBp, BP), BY_BOTH, nowSecs);
  payReplay(task, fee, nowSecs);
  payPart(poolOf(POOL_DISPUTE), mulDiv(protocol, DISPUTE_BP, BP));
  payPart(poolOf(POOL_CANARY), mulDiv(protocol, CANARY_BP, BP));
  return endSplit(poolOf(POOL_TREASURY));
}
