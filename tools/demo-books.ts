// The books of a running node, read from outside: every account its API shows, added up.
// Keeps: all figures belong to one order number, because the reads are repeated until it no longer changes; pools that
// the API does not list (untouched since genesis) are taken from protocol 6.1.

import type { AgentRow, Economics, VwsClient } from '../host/client/index.ts';
import { SINGLE_SEAT_STAKE_MICRO } from '../host/wire/manifest.ts';

const TOKEN_MICRO = 1_000_000;
export const TOTAL_SUPPLY_MICRO = 1_000_000_000_000_000;
const PAGE_SIZE = 200;
const ATTEMPTS = 10;

/** Pools of a testnet with one seat that only bootstrap rewards could move, and one seat earns none. */
const FOUNDERS_MICRO = 150_000_000 * TOKEN_MICRO;
const INVESTORS_MICRO = 150_000_000 * TOKEN_MICRO;
const PUBLIC_MICRO = 90_000_000 * TOKEN_MICRO;
const REWARDS_MICRO = 200_000_000 * TOKEN_MICRO - SINGLE_SEAT_STAKE_MICRO - 25_000 * TOKEN_MICRO;

export interface Books {
  economics: Economics;
  /** Account or group of accounts -> micro-units, in print order. */
  circulating: ReadonlyMap<string, number>;
  pools: ReadonlyMap<string, number>;
}

/** Reads everything at one order number. Errors: VwsError; Error if the node never pauses. */
export async function readBooks(client: VwsClient): Promise<Books> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await client.read<Economics>('/v1/economics');
    const agents = await readAllAgents(client);
    const after = await client.read<Economics>('/v1/economics');
    if (before.order === after.order) return booksOf(after.body, agents);
  }
  throw new Error('the node is too busy to read its books at one order number');
}

export function sumMicro(accounts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const micro of accounts.values()) sum += micro;
  return sum;
}

async function readAllAgents(client: VwsClient): Promise<AgentRow[]> {
  const agents: AgentRow[] = [];
  for (let page = 1; ; page++) {
    const rows = await client.agents({ page, per_page: PAGE_SIZE });
    agents.push(...rows);
    if (rows.length < PAGE_SIZE) return agents;
  }
}

function booksOf(economics: Economics, agents: readonly AgentRow[]): Books {
  const { reserves } = economics;
  const free = agents.reduce((sum, agent) => sum + agent.balance, 0);
  const staked = agents.reduce((sum, agent) => sum + agent.staked_amount, 0);
  const replay = Object.values(reserves.replay).reduce((sum, micro) => sum + micro, 0);
  return {
    economics,
    circulating: new Map([
      [`free balances of ${agents.length} agents`, free],
      ['stakes', staked],
      ['reserved for transfers and tasks', economics.total_escrowed],
    ]),
    pools: new Map([
      ['genesis:founders', FOUNDERS_MICRO],
      ['genesis:investors', INVESTORS_MICRO],
      ['genesis:ecosystem', economics.onboarding_remaining],
      ['genesis:rewards', REWARDS_MICRO],
      ['genesis:treasury', economics.treasury_balance],
      ['genesis:public', PUBLIC_MICRO],
      ['genesis:faucet', economics.faucet_balance],
      ['dispute and canary reserves', reserves.dispute + reserves.canary],
      ['replay reserves', replay],
    ]),
  };
}
