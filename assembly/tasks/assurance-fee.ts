// The assurance fee of a completed task, shared with and without a replay (DECISIONS 6.4).
// Keeps: exactly the fee is credited, remainders and what nobody can be given to the treasury; the replay, if there
// is one, has begun.

import { POOL_CANARY, POOL_DISPUTE, POOL_TREASURY } from '../abi';
import { creditPool } from '../ledger/money';
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

// What is held back for replays: this one's executor, or the reserve.
function payReplay(task: Task, fee: u64, nowSecs: u64): u64 {
  if (task.job != 0) return fundReplay(task, fee, nowSecs);
  const part = mulDiv(fee, RESERVE_BP, BP);
  creditPool(task.reserve, part);
  return part;
}

/** Shares a fee, which the caller took from the escrow; returns the treasury's part. */
export function payAssuranceFee(task: Task, fee: u64, nowSecs: u64): u64 {
  header().assuranceFees = addCapped(header().assuranceFees, fee);
  const shareBp = task.job != 0 ? VERIFIERS_REPLAY_BP : VERIFIERS_BP;
  const verifiers = shareAmong(task, mulDiv(fee, shareBp, BP), BY_BOTH, nowSecs);
  const replay = payReplay(task, fee, nowSecs);
  const protocol = mulDiv(fee, PROTOCOL_BP, BP);
  const dispute = mulDiv(protocol, DISPUTE_BP, BP);
  const canary = mulDiv(protocol, CANARY_BP, BP);
  creditPool(POOL_DISPUTE, dispute);
  creditPool(POOL_CANARY, canary);
  const rest = fee - verifiers - replay - dispute - canary;
  creditPool(POOL_TREASURY, rest);
  return rest;
}
