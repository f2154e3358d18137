// The one route table: method, path, who may call, what it takes and gives, its limits, its handler.
// The server dispatches by it, the API description is made from it, rate limits are looked up through it.

import { SORTS } from '../pipeline/leaderboards.ts';
import { EVENT_TYPES, VERIFIABLE_TYPES } from '../store/event-types.ts';
import type { ReadContext } from './context.ts';
import * as agents from './handlers/agents.ts';
import * as events from './handlers/events.ts';
import * as network from './handlers/network.ts';
import * as pages from './handlers/pages.ts';
import * as validators from './handlers/validators.ts';
import type { QueryParam, ReadRoute, Route, WriteRoute } from './route.ts';

const PAGE: QueryParam = { kind: 'page' };
const STATUSES = ['probation', 'active', 'suspended', 'excluded'] as const;

const get = (
  path: string,
  tag: string,
  summary: string,
  reply: string,
  handle: ReadRoute<ReadContext>['handle'],
  more: Partial<ReadRoute<ReadContext>> = {},
): ReadRoute<ReadContext> => ({ method: 'GET', path, tag, summary, reply, handle, ...more });

const READS: ReadRoute<ReadContext>[] = [
  get('/v1/agents', 'agents', 'Agents by registration order', 'AgentRow[]', agents.list, { query: [PAGE] }),
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
      errors: ['agent_not_found'],
    },
  ),
  get('/v1/address/{address}', 'agents', 'Agent behind a deposit address', 'Address', agents.byAddress, {
    errors: ['address_not_found'],
  }),
  get('/v1/reputation/rankings', 'agents', 'Ranking of a category', 'RankingRow[]', agents.rankings, {
    query: [{ kind: 'text', name: 'category', required: true }, PAGE],
  }),
  get('/v1/pending', 'verification', 'Events that wait for a verdict', 'PendingEvent[]', validators.pending, {
    query: [
      { kind: 'enum', name: 'event_type', values: VERIFIABLE_TYPES },
      { kind: 'text', name: 'agent_id' },
      { kind: 'text', name: 'assigned_to' },
      PAGE,
    ],
  }),
  get('/v1/validators', 'verification', 'Validators', 'Validator[]', validators.validators, {
    query: [{ kind: 'enum', name: 'status', values: STATUSES }, { kind: 'text', name: 'category' }, PAGE],
  }),
  get('/v1/validators/{id}', 'verification', 'One validator', 'Validator', validators.validator, {
    errors: ['validator_not_found'],
  }),
  get('/v1/platform/keys/{key}', 'platform', 'An API key by its id', 'ApiKey', validators.apiKey, {
    errors: ['key_not_found'],
  }),
  get('/v1/events/recent', 'events', 'Recent events, newest first', 'EventRow[]', events.recent, {
    query: [
      { kind: 'enum', name: 'event_type', values: EVENT_TYPES },
      { kind: 'text', name: 'agent_id' },
      PAGE,
    ],
  }),
  get('/v1/events/{id}', 'events', 'One event with its settlement state', 'Event', events.event, {
    errors: ['event_not_found'],
  }),
  get('/v1/status', 'network', 'This node', 'Status', network.status),
  get('/health', 'network', 'Is this node healthy', 'Health', network.health, { exempt: true }),
  get('/metrics', 'network', 'Prometheus metrics', 'text', pages.metrics, { exempt: true }),
  get('/v1/dag/tips', 'network', 'Vertices without a known child', 'DagTips', network.dagTips),
  get('/v1/dag/stats', 'network', 'Numbers of the event DAG', 'DagStats', network.dagStats),
  get('/v1/dag/vertices', 'network', 'Ordered vertices, ascending', 'Vertex[]', network.vertices, {
    query: [
      { kind: 'int', name: 'after', min: 0, max: Number.MAX_SAFE_INTEGER, default: 0, doc: 'order' },
      PAGE,
    ],
  }),
  get('/v1/dag/vertices/{hash}', 'network', 'One vertex', 'Vertex', network.vertex, {
    errors: ['vertex_not_found'],
  }),
  get('/v1/checkpoints/latest', 'network', 'Newest checkpoint', 'Checkpoint', network.latestCheckpoint, {
    errors: ['checkpoint_not_found'],
  }),
  get('/v1/economics', 'network', 'Supply, fees, reserves', 'Economics', network.economics),
  get('/v1/network/activity', 'network', 'Volume by hour', 'Activity', events.activity, {
    query: [{ kind: 'int', name: 'hours', min: 1, max: 168, default: 24 }],
  }),
  get(
    '/v1/network/state',
    'network',
    'Validators, categories, parameters',
    'NetworkState',
    network.networkState,
  ),
  get('/openapi.json', 'pages', 'This description', 'json', pages.openapi, { exempt: true }),
  get('/docs', 'pages', 'This description as a page', 'html', pages.docs, { exempt: true }),
  get('/', 'pages', 'Explorer page', 'html', pages.home, { exempt: true }),
];

const WRITES: WriteRoute[] = [
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
    summary: 'Take stake back',
    operation: 'unstake',
    reply: 'StakeResult',
    errors: ['insufficient_stake', 'stake_locked'],
    limit: 'unstake',
  },
  {
    method: 'POST',
    path: '/v1/verify',
    tag: 'verification',
    summary: 'Verdict of a validator',
    operation: 'verify',
    reply: 'VerifyResult',
    errors: ['event_not_found', 'not_pending', 'self_dealing', 'not_a_validator', 'already_voted'],
    limit: 'verify',
  },
  {
    method: 'POST',
    path: '/v1/platform/keys',
    tag: 'platform',
    summary: 'Create an API key',
    operation: 'keyCreate',
    reply: 'KeyCreated',
    errors: ['not_found', 'invalid_state'],
    testnetOnly: true,
  },
  {
    method: 'DELETE',
    path: '/v1/platform/keys/{key}',
    tag: 'platform',
    summary: 'Revoke an API key',
    operation: 'keyRevoke',
    reply: 'KeyRevoked',
    errors: ['not_found', 'key_not_found', 'forbidden_actor'],
    testnetOnly: true,
  },
];

export const ROUTES: readonly Route<ReadContext>[] = [...READS, ...WRITES];
