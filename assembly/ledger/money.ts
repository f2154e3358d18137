// Every movement of tokens: balances, stakes, escrows and pools, in micro-units.
// Keeps: one call owns both sides of a movement, so what leaves an account enters another one and the sum over all
// accounts stays 10^15 (protocol 6; asserted by each movement and at the end of each block).
// Nothing can overflow: no account is negative and all of them sum to 10^15 < 2^63, so no account, no total and no
// sum of two accounts exceeds that; an amount of a command is compared with its source before anything is added.
// Amounts are checked by assertions only: refusals are the business of the operations.

import { MOVED_BALANCE, MOVED_ESCROW, MOVED_POOL, MOVED_REPLAY_ESCROW, MOVED_STAKE } from '../abi';
import { mulDiv } from '../lib/u128';
import { Header, header, poolAddress } from '../state/header';
import { Agent, agentIndex, touchAgent } from './agents';
import { noteMovement } from './movements';
import { BASE_FEE_BP, BP } from './rates';

/** Total supply in micro-units (protocol 6.1). */
export const SUPPLY: u64 = 1000000000000000;

/** An account: the address of its amount, a u64 in the state, with its kind in the low three bits. */
export type Account = usize;
const KIND_BITS: usize = 7;
const POOL: usize = MOVED_POOL;
const BALANCE: usize = MOVED_BALANCE;
const STAKE: usize = MOVED_STAKE;
const ESCROW: usize = MOVED_ESCROW;
const REPLAY_ESCROW: usize = MOVED_REPLAY_ESCROW;

/** An amount that was taken from one account and is paid out in parts. */
@unmanaged
class Split {
  /** Not yet paid out. */
  left: u64;
  /** Sum over all accounts before the split: that of its end. */
  supply: u64;
  isOpen: u32;
}
const SPLIT: usize = memory.data(24, 8);

/** An account that only rules debit, POOL_*. */
export function poolOf(pool: u32): Account {
  return poolAddress(pool) | POOL;
}

/** The free balance of an agent. */
export function balanceOf(agent: Agent): Account {
  return (changetype<usize>(agent) + offsetof<Agent>('balance')) | BALANCE;
}

/** The stake of an agent; use credit/stake to add to it, which keeps its age. */
export function stakeOf(agent: Agent): Account {
  return (changetype<usize>(agent) + offsetof<Agent>('staked')) | STAKE;
}

/** What an agent's pending transfers, tasks and bonds hold, shown as `reserved`. */
export function escrowOf(agent: Agent): Account {
  return (changetype<usize>(agent) + offsetof<Agent>('reserved')) | ESCROW;
}

/** The rewards of pending replay jobs. */
export function replayEscrow(): Account {
  return (changetype<usize>(header()) + offsetof<Header>('replayEscrow')) | REPLAY_ESCROW;
}

export function poolBalance(pool: u32): u64 {
  return load<u64>(poolAddress(pool));
}

function held(account: Account): u64 {
  return load<u64>(account & ~KIND_BITS);
}

// What follows from every change of one of an agent's accounts.
function noteAgent(kind: usize, agent: Agent, delta: i64): void {
  noteMovement(<u32>kind, agentIndex(agent), delta);
  touchAgent(agent);
}

// One side of a movement, with the totals and marks that follow from it.
function change(account: Account, delta: i64): void {
  const at = account & ~KIND_BITS;
  store<i64>(at, load<i64>(at) + delta);
  const kind = account & KIND_BITS;
  if (kind == POOL) {
    noteMovement(MOVED_POOL, <u32>((at - poolAddress(0)) >> 3), delta);
    return;
  }
  const h = header();
  if (kind == BALANCE) {
    noteAgent(kind, changetype<Agent>(at - offsetof<Agent>('balance')), delta);
  } else if (kind == STAKE) {
    h.totalStaked += <u64>delta;
    const agent = changetype<Agent>(at - offsetof<Agent>('staked'));
    if (agent.staked == 0) agent.stakedSinceSecs = 0;
    // The stake of a validator's operator is compared with the required one at the end of the block (validators/stake-watch).
    if (agent.validator != 0) h.stakesMoved = 1;
    noteAgent(kind, agent, delta);
  } else {
    h.totalEscrowed += <u64>delta;
    if (kind == ESCROW) noteAgent(kind, changetype<Agent>(at - offsetof<Agent>('reserved')), delta);
    else noteMovement(MOVED_REPLAY_ESCROW, 0, delta);
  }
}

function debit(account: Account, amount: u64): void {
  assert(held(account) >= amount, 'an account does not hold the amount');
  change(account, -(<i64>amount));
  header().supply -= amount;
}

function credit(account: Account, amount: u64): void {
  change(account, <i64>amount);
  header().supply += amount;
}

/** Moves an amount, 0 included, from one account to another. */
export function move(from: Account, to: Account, amount: u64): void {
  const sum = held(from) + held(to);
  assert(held(from) >= amount, 'an account does not hold the amount');
  change(from, -(<i64>amount));
  change(to, <i64>amount);
  assert(held(from) + held(to) == sum, 'a movement changed the sum of its accounts');
}

/**
 * Begins to pay an amount out of an account in parts: it is debited here, `payPart` credits each part and `endSplit`
 * what is left. One split at a time; other movements may happen meanwhile.
 */
export function beginSplit(from: Account, amount: u64): void {
  const split = changetype<Split>(SPLIT);
  assert(split.isOpen == 0, 'a split began before the last one ended');
  split.supply = header().supply;
  split.left = amount;
  split.isOpen = 1;
  debit(from, amount);
}

export function payPart(to: Account, amount: u64): void {
  const split = changetype<Split>(SPLIT);
  assert(split.left >= amount, 'the parts of a split exceed its amount');
  split.left -= amount;
  credit(to, amount);
}

/** Credits what the parts left of the amount, and returns it: afterwards the whole amount is paid out. */
export function endSplit(to: Account): u64 {
  const split = changetype<Split>(SPLIT);
  const rest = split.left;
  payPart(to, rest);
  split.isOpen = 0;
  assert(header().supply == split.supply, 'the parts of a split are not its amount');
  return rest;
}

/** Creates tokens in a pool: at genesis only, until the supply is complete. */
export function issue(pool: u32, amount: u64): void {
  assert(header().supply + amount <= SUPPLY, 'more is issued than the supply');
  credit(poolOf(pool), amount);
}

/** Base fee of a settled amount, floored (protocol 6.2). */
export function baseFee(amount: u64): u64 {
  return mulDiv(amount, BASE_FEE_BP, BP);
}
