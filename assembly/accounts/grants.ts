// What the network gives away in a day: onboarding grants and faucet, out of one budget (protocol 6.11).
// Keeps: each seat has an equal part of the budget for the requests in its own vertices. No seat can use another's part,
// and what a day leaves over is not added to the next. Identities cost nothing, so only this bounds what they are given.

import { PARAM_ONBOARDING_DAILY_BUDGET } from '../abi';
import { isDryRun } from '../io/frame';
import { daySecs, header, param } from '../state/header';
import { isSeat, markSeat, seatAt } from '../validators/seats';

function dayOf(nowSecs: u64): u64 {
  return nowSecs / daySecs();
}

/** Left today of a seat's part, micro-units; 0 for what is not a seat. */
export function grantsLeftOf(seat: u32, nowSecs: u64): u64 {
  if (!isSeat(seat)) return 0;
  const part = param(PARAM_ONBOARDING_DAILY_BUDGET) / header().seatCount;
  const row = seatAt(seat);
  return row.grantsDay == dayOf(nowSecs) ? part - row.grantsSpent : part;
}

/** Left for the command being executed. A dry run has no seat, so nothing is refused there for lack of budget. */
export function grantsLeft(nowSecs: u64): u64 {
  return isDryRun() ? u64.MAX_VALUE : grantsLeftOf(header().vertexSeat, nowSecs);
}

/** Takes an amount, at most what is left, from the part of the seat whose vertex carries the command. */
export function spendGrant(amount: u64, nowSecs: u64): void {
  if (amount == 0) return;
  const row = seatAt(header().vertexSeat);
  row.grantsSpent = row.grantsDay == dayOf(nowSecs) ? row.grantsSpent + amount : amount;
  row.grantsDay = dayOf(nowSecs);
  markSeat(row);
}

/** Seconds until the seats have new parts. */
export function nextGrantsSecs(nowSecs: u64): u64 {
  return daySecs() - (nowSecs % daySecs());
}
