// Routes of agents, transfers and stake (protocol 4.1, 4.2).

import { SORTS } from '../../views/leaderboards.ts';
import type { ReadContext } from '../context.ts';
import * as agents from '../handlers/agents.ts';
import * as discovery from '../handlers/discovery.ts';
import type { ReadRoute, WriteRoute } from '../route.ts';
import { get, MEMBERS, PAGE } from './get.ts';

export const AGENT_READS: ReadRoute<ReadContext>[] = [
  get(
    '/v1/agents/{id}/agent-card.json',
    'agents_card',
    'A2A agent card of an agent that has an offer',
    'json',
    discovery.agentCard,
    { errors: ['agent_not_found', 'listing_not_found', 'origin_not_allowed'] },
  ),
  get(
    '/v1/agents/{id}/registration.json',
    'agents_registration',
    'ERC-8004 registration file of an agent',
    'json',
    discovery.agentRegistration,
    { errors: ['agent_not_found', 'origin_not_allowed'] },
  ),
  get('/v1/agents', 'agents_list', 'Agents in order of registration', 'AgentRow[]', agents.list, {
    query: [PAGE],
  }),
  get('/v1/agents/leaderboard', 'agents_leaderboard', 'Top agents', 'LeaderboardRow[]', agents.leaderboard, {
    query: [{ kind: 'enum', name: 'sort', values: SORTS, default: 'standing' }, PAGE],
    errors: ['not_ready'],
  }),
  get('/v1/agents/{id}', 'agents_get', 'Profile of an agent', 'Agent', agents.profile, {
    errors: ['agent_not_found'],
  }),
  get('/v1/agents/{id}/balance', 'agents_balance', 'Balance of an agent', 'Balance', agents.balance, {
    errors: ['agent_not_found'],
  }),
  get('/v1/agents/{id}/address', 'agents_address', 'Deposit address of an agent', 'Address', agents.address, {
    errors: ['agent_not_found', 'address_not_found'],
  }),
  get(
    '/v1/agents/{id}/stake',
    'agents_stake',
    'Stake and trust limit of an agent',
    'StakeInfo',
    agents.stakeInfo,
    {
      errors: ['agent_not_found'],
    },
  ),
  get(
    '/v1/agents/{id}/reputation',
    'agents_reputation',
    'Reputation by category',
    'ReputationSummary',
    agents.reputation,
    {
      query: [MEMBERS],
      errors: ['agent_not_found'],
    },
  ),
  get(
    '/v1/address/{address}',
    'agents_by_address',
    'Agent of a deposit address',
    'Address',
    agents.byAddress,
    {
      errors: ['address_not_found'],
    },
  ),
  get(
    '/v1/reputation/rankings',
    'agents_rankings',
    'Ranking of a category',
    'RankingRow[]',
    agents.rankings,
    {
      query: [{ kind: 'text', name: 'category', required: true }, PAGE],
      errors: ['not_ready'],
    },
  ),
];

export const AGENT_WRITES: WriteRoute[] = [
  {
    method: 'POST',
    path: '/v1/agents',
    id: 'agents_register',
    summary: 'Register an agent',
    operation: 'register',
    reply: 'RegistrationResult',
    errors: ['already_registered'],
    limit: 'agents',
  },
  {
    method: 'POST',
    path: '/v1/faucet',
    id: 'agents_faucet',
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
    id: 'transactions_transfer',
    summary: 'Pay another agent',
    operation: 'transfer',
    reply: 'TransferResult',
    errors: ['agent_not_found', 'trust_limit_exceeded', 'insufficient_balance'],
    limit: 'transfer',
  },
  {
    method: 'POST',
    path: '/v1/generation',
    id: 'transactions_generation',
    summary: 'Claim generated value',
    operation: 'generation',
    reply: 'GenerationResult',
    errors: ['agent_not_found'],
    limit: 'generation',
  },
  {
    method: 'POST',
    path: '/v1/stake',
    id: 'transactions_stake',
    summary: 'Stake tokens',
    operation: 'stake',
    reply: 'StakeResult',
    errors: ['insufficient_balance'],
    limit: 'stake',
  },
  {
    method: 'POST',
    path: '/v1/unstake',
    id: 'transactions_unstake',
    summary: 'Withdraw stake',
    operation: 'unstake',
    reply: 'StakeResult',
    errors: ['insufficient_stake', 'stake_locked'],
    limit: 'unstake',
  },
];
