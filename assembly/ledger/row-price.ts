// What a row of a table, and bytes of the log, cost whoever has them made (protocol 6.18).
// Keeps: a deposit is in the maker's escrow until the row goes, and is given back in full; a row that can never go costs a
// fee, which is the treasury's. The price rises as the table fills, so that nobody can afford the last rows.

import { PARAM_ROW_DEPOSIT, POOL_TREASURY } from '../abi';
import { mulDiv } from '../lib/u128';
import { capacity, param } from '../state/header';
import { Agent } from './agents';
import { balanceOf, escrowOf, move, poolOf } from './money';

/** Price of the next row, micro-units: the parameter times all rows by free rows. Only while a row is free. */
export function rowPrice(table: u32, live: u32): u64 {
  const rows = capacity(table);
  assert(live < rows, 'a full table has no price');
  return mulDiv(param(PARAM_ROW_DEPOSIT), rows, rows - live);
}

/** Locks the deposit of a row; the maker's balance was compared with it. */
export function lockDeposit(maker: Agent, amount: u64): void {
  move(balanceOf(maker), escrowOf(maker), amount);
}

export function returnDeposit(maker: Agent, amount: u64): void {
  move(escrowOf(maker), balanceOf(maker), amount);
}

const KIB_PER_ROW: u64 = 1024;

/** Fee of that many KiB of the log, which every node keeps for ever: a mebibyte costs as much as a row. */
export function kibPrice(kib: u32): u64 {
  return mulDiv(param(PARAM_ROW_DEPOSIT), kib, KIB_PER_ROW);
}

/** Pays for what never goes; the maker's balance was compared with it. */
export function payFee(maker: Agent, amount: u64): void {
  move(balanceOf(maker), poolOf(POOL_TREASURY), amount);
}
