// The books of a core: every account as the movements that the core lists add up, from its first on.
// Keeps: the movements after one record and before the next sum to zero, but those of core_init, which issue the supply.

import { expect } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import type { Core } from './driver.ts';

export interface Movement {
  /** Bytes of the records before it. */
  after: number;
  kind: number;
  account: number;
  amount: bigint;
}

/** The list of the last call, oldest first. `buffer`: the whole out buffer; `answer`: that of QUERY_MOVEMENTS. */
export function readMovements(buffer: DataView, answer: DataView): Movement[] {
  if (answer.getUint32(abi.MOVEMENTS_ARE_CUT, true) !== 0) throw new Error('the list of movements is cut');
  const count = answer.getUint32(abi.MOVEMENTS_BYTES, true) / abi.MOVEMENT_BYTES;
  return Array.from({ length: count }, (_, i) => {
    const at = abi.OUT_BUFFER_BYTES - (i + 1) * abi.MOVEMENT_BYTES;
    return {
      after: buffer.getUint32(at, true),
      kind: buffer.getUint32(at + abi.MOVEMENT_KIND, true),
      account: buffer.getUint32(at + abi.MOVEMENT_ACCOUNT, true),
      amount: buffer.getBigInt64(at + abi.MOVEMENT_AMOUNT, true),
    };
  });
}

export class Books {
  readonly accounts = new Map<string, bigint>();
  /** False for a core that was imported: what it held before is not known here. */
  isWhole = true;

  take(movements: readonly Movement[], isIssue = false): void {
    const sums = new Map<number, bigint>();
    for (const { after, kind, account, amount } of movements) {
      const name = `${kind}:${account}`;
      const held = (this.accounts.get(name) ?? 0n) + amount;
      if (held < 0n && this.isWhole) throw new Error(`account ${name} falls to ${held}`);
      this.accounts.set(name, held);
      sums.set(after, (sums.get(after) ?? 0n) + amount);
    }
    const off = [...sums].find(([, sum]) => sum !== 0n);
    if (off && !isIssue) throw new Error(`the movements after ${off[0]} bytes of records sum to ${off[1]}`);
  }

  /** Every account as the core shows it, and all of them as the supply. */
  compare(core: Core): void {
    const held = (kind: number, account: number): bigint => this.accounts.get(`${kind}:${account}`) ?? 0n;
    const agents = Number(core.header(abi.HEADER_AGENTS));
    for (let i = 0; i < agents; i++) {
      const row = core.queryIndex(abi.QUERY_AGENT, i)!;
      const shown = [abi.AGENT_BALANCE, abi.AGENT_STAKED, abi.AGENT_RESERVED].map((at) =>
        row.getBigUint64(at, true),
      );
      expect([abi.MOVED_BALANCE, abi.MOVED_STAKE, abi.MOVED_ESCROW].map((kind) => held(kind, i))).toEqual(
        shown,
      );
    }
    for (let pool = 0; pool < abi.POOL_COUNT; pool++)
      expect(held(abi.MOVED_POOL, pool)).toBe(core.header(abi.HEADER_POOLS + pool));
    expect([...this.accounts.values()].reduce((sum, one) => sum + one, 0n)).toBe(10n ** 15n);
  }
}
