// The movements of money of one call to the core: every change of an account, beside the records that it made.
// Keeps: the list is complete or refused; movements after one record and before the next belong together and sum to zero.

import * as abi from '../../assembly/abi.ts';
import type { OutView } from './core.ts';

/** Kinds of accounts, in the order of MOVED_*. */
export const ACCOUNT_KINDS = ['pool', 'balance', 'stake', 'escrow', 'replay_escrow'] as const;
export type AccountKind = (typeof ACCOUNT_KINDS)[number];

/** Names of the pools, in the order of POOL_*. */
export const POOL_NAMES = [
  'founders',
  'investors',
  'ecosystem',
  'rewards',
  'treasury',
  'public',
  'faucet',
  'dispute',
  'canary',
  'replay_code',
  'replay_data',
  'replay_analysis',
  'replay_content',
  'replay_general',
] as const;

export interface Movement {
  /** Bytes of the records that came before it. */
  after: number;
  kind: AccountKind;
  /** Index of the pool or the agent. */
  account: number;
  /** Micro-units, negative for what leaves the account. */
  amount: number;
}

/** Where each record of an out buffer starts. */
export function recordStarts({ bytes, view }: OutView): number[] {
  const starts: number[] = [];
  for (let at = 0; at < bytes.length; at += view.getUint32(at + abi.OUT_LENGTH, true)) starts.push(at);
  return starts;
}

/** `answer`: that of QUERY_MOVEMENTS; `whole`: the out buffer. Errors: a list that had no room. */
export function readMovements(answer: OutView, whole: DataView): Movement[] {
  if (answer.view.getUint32(abi.MOVEMENTS_ARE_CUT, true) !== 0)
    throw new Error('one step of the core moved more money than its buffer can list');
  const bytes = answer.view.getUint32(abi.MOVEMENTS_BYTES, true);
  const movements: Movement[] = [];
  for (let from = abi.MOVEMENT_BYTES; from <= bytes; from += abi.MOVEMENT_BYTES) {
    const at = abi.OUT_BUFFER_BYTES - from;
    movements.push({
      after: whole.getUint32(at, true),
      kind: ACCOUNT_KINDS[whole.getUint32(at + abi.MOVEMENT_KIND, true)]!,
      account: whole.getUint32(at + abi.MOVEMENT_ACCOUNT, true),
      amount: Number(whole.getBigInt64(at + abi.MOVEMENT_AMOUNT, true)),
    });
  }
  return movements;
}
