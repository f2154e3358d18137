// Routes of agents, transfers and stake (protocol 4.1, 4.2).

import { SORTS } from '../../views/leaderboards.ts';
import type { ReadContext } from '../context.ts';
import * as agents from '../handlers/agents.ts';
import type { ReadRoute, WriteRoute } from '../route.ts';
import { get, MEMBERS, PAGE } from './get.ts';

export const AGENT_READS: ReadRoute<ReadContext>[] = [
  get('/v1/agents', 'agents', 'Agents in order of registration', 'AgentRow[]', agents.list, {
    query: [PAGE],
  }),
  get('/v1/agents/leaderboard', 'agents', 'Top agents', 'LeaderboardRow[]', agents.leaderboard, {
    query: [{ kind: 'enum', name: 'sort', values: SORTS, default: 'reputation' }, PAGE],
  }),
  get('/v1/agents/{id}', 'agents', 'Profile of an agent', 'Agent', agents.profile, {
    errors: ['agent_not_found'],
  }),
  get('/v1/agents/{id}/balance', 'agents', 'Balance of an agent', 'Balance', agents.balance, {
    errors: ['agent_not_found'],
  }),
  get('/v1/agents/{id}/address', 'agents', 'Deposit address of an agent', 'Address', agents.address, {
    errors: ['agent_not_found', 'address_not_found'],
  }),
  get('/v1/agents/{id}/stake', 'agents', 'Stake and trust limit of an agent', 'StakeInfo', agents.stakeInfo, {
    errors: ['agent_not_found'],
  }),
  get(
    '/v1/agents/{id}/reputation',
    'agents',
    'Reputation by category',
    'ReputationSummary',
    agents.reputation,
    {
      query: [MEMBERS],
      errors: ['agent_not_found'],
    },
  ),
  get('/v1/address/{address}', 'agents', 'Agent of a deposit address', 'Address', agents.byAddress, {
    errors: ['address_not_found'],
  }),
  get('/v1/reputation/rankings', 'agents', 'Ranking of a category', 'RankingRow[]', agents.rankings, {
    query: [{ kind: 'text', name: 'category', required: true }, PAGE],
  }),
];

export const AGENT_WRITES: WriteRoute[] = [
  {
    method: 'POST',
    path: '/v1/agents',
    tag: 'agents',
    summary: 'Register an agent',
    operation: 'register',
    reply: 'RegistrationResult',
    errors: ['already_registered'],
    limit: 'agents',
  },
  {
    method: 'POST',
    path: '/v1/faucet',
    tag: 'agents',
    summary: 'Testnet tokens, once a day',
    operation: 'faucet',
    reply: 'FaucetResult',
    errors: ['not_found', 'faucet_cooldown', 'faucet_empty'],
    limit: 'faucet',
    testnetOnly: true,
  },
  {
    method: 'POST',
    path: '/v1/transfer',
    tag: 'transactions',
    summary: 'Pay another agent',
    operation: 'transfer',
    reply: 'TransferResult',
    errors: ['agent_not_found', 'trust_limit_exceeded', 'insufficient_balance'],
    limit: 'transfer',
  },
  {
    method: 'POST',
    path: '/v1/generation',
    tag: 'transactions',
    summary: 'Claim generated value',
    operation: 'generation',
    reply: 'GenerationResult',
    errors: ['agent_not_found'],
    limit: 'generation',
  },
  {
    method: 'POST',
    path: '/v1/stake',
    tag: 'transactions',
    summary: 'Stake tokens',
    operation: 'stake',
    reply: 'StakeResult',
    errors: ['insufficient_balance'],
    limit: 'stake',
  },
  {
    method: 'POST',
    path: '/v1/unstake',
    tag: 'transactions',
    summary: 'Withdraw stake',
    operation: 'unstake',
    reply: 'StakeResult',
    errors: ['insufficient_stake', 'stake_locked'],
    limit: 'unstake',
  },
];
