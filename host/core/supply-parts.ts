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
/** What is held in escrow, by why; `held` is the rest. */
type EscrowPart =
  | 'task_escrows'
  | 'subtask_escrows'
  | 'claim_bonds'
  | 'pending_transfers'
  | 'held'
  | 'replay_rewards';
export type SupplyPart = 'balances' | 'stakes' | EscrowPart | PoolPart;
/** Micro-units by part. */
export type SupplyParts = Record<SupplyPart, number>;

type Accounts = Pick<HeaderState, 'pools' | 'replayEscrow' | 'supply' | 'totalEscrowed' | 'totalStaked'>;

/** What lists and indexes add up of the escrows, at the same order number. Micro-units. */
export interface EscrowSums {
  /** Escrows of all tasks, and of the subtasks among them. */
  tasks: number;
  subtasks: number;
  /** Held of workers from the claim to the end of a task. */
  claimBonds: number;
  /** Transfers that wait for verdicts. */
  transfers: number;
}

/** The core counts stakes, escrows and the sum of all accounts; the balances of agents are what is left of that sum. */
export function supplyParts(accounts: Accounts, sums: EscrowSums): SupplyParts {
  const { tasks, subtasks, claimBonds, transfers } = sums;
  const { pools, replayEscrow, supply, totalEscrowed, totalStaked } = accounts;
  const inPools = Object.entries<readonly number[]>(POOL_PARTS).map(([part, numbers]) => [
    part,
    numbers.reduce((sum, pool) => sum + pools[pool]!, 0),
  ]);
  return {
    balances: supply - totalStaked - totalEscrowed - pools.reduce((sum, amount) => sum + amount, 0),
    stakes: totalStaked,
    task_escrows: tasks - subtasks,
    subtask_escrows: subtasks,
    claim_bonds: claimBonds,
    pending_transfers: transfers,
    held: totalEscrowed - replayEscrow - tasks - claimBonds - transfers,
    replay_rewards: replayEscrow,
    ...(Object.fromEntries(inPools) as Record<PoolPart, number>),
  };
}
