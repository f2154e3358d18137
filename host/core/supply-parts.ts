// Where the whole supply is, by part, from one answer of the core about its accounts (protocol 6.1).
// Keeps: every account is in exactly one part, so the parts of any order number sum to what the core counts, 10^15.

import * as abi from '../../assembly/abi.ts';
import type { HeaderState } from './header-state.ts';

/** The parts that are pools; each pool is in one. */
const POOL_PARTS = {
  founders: [abi.POOL_FOUNDERS],
  investors: [abi.POOL_INVESTORS],
  onboarding: [abi.POOL_ECOSYSTEM],
  rewards: [abi.POOL_REWARDS],
  public: [abi.POOL_PUBLIC],
  faucet: [abi.POOL_FAUCET],
  treasury: [abi.POOL_TREASURY],
  dispute_reserve: [abi.POOL_DISPUTE],
  canary_reserve: [abi.POOL_CANARY],
  replay_reserves: [
    abi.POOL_REPLAY_CODE,
    abi.POOL_REPLAY_DATA,
    abi.POOL_REPLAY_ANALYSIS,
    abi.POOL_REPLAY_CONTENT,
    abi.POOL_REPLAY_GENERAL,
  ],
} as const satisfies Record<string, readonly number[]>;

type PoolPart = keyof typeof POOL_PARTS;
export type SupplyPart = 'balances' | 'stakes' | 'task_escrows' | 'held' | 'replay_rewards' | PoolPart;
/** Micro-units by part. */
export type SupplyParts = Record<SupplyPart, number>;

type Accounts = Pick<HeaderState, 'pools' | 'replayEscrow' | 'supply' | 'totalEscrowed' | 'totalStaked'>;

/**
 * The core counts stakes, escrows and the sum of all accounts; the balances of agents are what is left of that sum.
 * `taskEscrows`: the escrows of all tasks at the same order number.
 */
export function supplyParts(accounts: Accounts, taskEscrows: number): SupplyParts {
  const { pools, replayEscrow, supply, totalEscrowed, totalStaked } = accounts;
  const inPools = Object.entries<readonly number[]>(POOL_PARTS).map(([part, numbers]) => [
    part,
    numbers.reduce((sum, pool) => sum + pools[pool]!, 0),
  ]);
  return {
    balances: supply - totalStaked - totalEscrowed - pools.reduce((sum, amount) => sum + amount, 0),
    stakes: totalStaked,
    task_escrows: taskEscrows,
    held: totalEscrowed - replayEscrow - taskEscrows,
    replay_rewards: replayEscrow,
    ...(Object.fromEntries(inPools) as Record<PoolPart, number>),
  };
}
