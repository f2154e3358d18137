// The reads of the API contract: which paths must find something and which must be refused, after a scenario of writes.

import { CASE_READ_REFUSALS, CASE_READS } from './case-cases.ts';
import { DISCOVERY_READ_REFUSALS, DISCOVERY_READS } from './discovery-cases.ts';
import { MARKET_READ_REFUSALS, MARKET_READS } from './market-cases.ts';
import { PROGRAM_READ_REFUSALS, PROGRAM_READS } from './program-cases.ts';
import { PROOF_READ_REFUSALS, PROOF_READS } from './proof-cases.ts';
import type { Story } from './story.ts';
import { TASK_READ_REFUSALS, TASK_READS } from './task-cases.ts';

export const UNKNOWN = 'f'.repeat(64);

/** Every read of the route table with paths that must answer 200. */
export const READS: Record<string, (s: Story) => string[]> = {
  '/v1/agents': () => ['/v1/agents', '/v1/agents?page=2&per_page=3', '/v1/agents?page=99'],
  '/v1/agents/leaderboard': () =>
    ['', '?sort=balance&limit=2', '?sort=tasks'].map((q) => `/v1/agents/leaderboard${q}`),
  '/v1/agents/{id}': (s) =>
    [s.alice.id, s.alice.id.toUpperCase(), 'bob', s.operator.id].map((id) => `/v1/agents/${id}`),
  '/v1/agents/{id}/balance': (s) => [`/v1/agents/${s.alice.id}/balance`],
  '/v1/agents/{id}/address': (s) => [`/v1/agents/${s.alice.id}/address`],
  '/v1/agents/{id}/stake': (s) => [`/v1/agents/${s.alice.id}/stake`, '/v1/agents/bob/stake'],
  '/v1/agents/{id}/reputation': (s) => [`/v1/agents/${s.alice.id}/reputation`, '/v1/agents/bob/reputation'],
  '/v1/address/{address}': (s) => [`/v1/address/${s.address}`, `/v1/address/${s.address.toUpperCase()}`],
  '/v1/reputation/rankings': () =>
    ['generation', 'transfer', 'none'].map((c) => `/v1/reputation/rankings?category=${c}`),
  '/v1/pending': (s) =>
    ['', '?event_type=transfer', `?agent_id=${s.alice.id}&limit=1`, '?assigned_to=seat-1'].map(
      (q) => `/v1/pending${q}`,
    ),
  '/v1/validators': () =>
    ['', '?status=active', '?status=probation&category=code', '?status=excluded', '?category=none'].map(
      (q) => `/v1/validators${q}`,
    ),
  '/v1/validators/{id}': (s) => ['/v1/validators/seat-1', `/v1/validators/${s.operator.id}`],
  '/v1/platform/keys/{key}': (s) => [`/v1/platform/keys/${s.keyId}`],
  '/v1/events/recent': (s) =>
    ['', '?event_type=slash', `?agent_id=${s.alice.id}&limit=3`, '?agent_id=system:node'].map(
      (q) => `/v1/events/recent${q}`,
    ),
  '/v1/events/{id}': (s) =>
    [s.pendingTransfer, s.settledTransfer, s.stakeEvent].map((id) => `/v1/events/${id}`),
  ...TASK_READS,
  ...MARKET_READS,
  ...CASE_READS,
  ...PROGRAM_READS,
  ...DISCOVERY_READS,
  ...PROOF_READS,
  '/v1/status': () => ['/v1/status'],
  '/health': () => ['/health'],
  '/health/live': () => ['/health/live'],
  '/health/ready': () => ['/health/ready'],
  '/metrics': () => ['/metrics'],
  '/v1/dag/tips': () => ['/v1/dag/tips'],
  '/v1/dag/stats': () => ['/v1/dag/stats'],
  '/v1/dag/vertices': () => ['/v1/dag/vertices', '/v1/dag/vertices?after=3&limit=2'],
  '/v1/dag/vertices/{hash}': (s) => [`/v1/dag/vertices/${s.vertex}`],
  '/v1/genesis': () => ['/v1/genesis'],
  '/v1/checkpoints': () => [
    '/v1/checkpoints',
    '/v1/checkpoints?after=1&limit=1',
    '/v1/checkpoints?after=999',
  ],
  '/v1/log/vertices': () => ['/v1/log/vertices', '/v1/log/vertices?epoch=0&from=20'],
  '/v1/log/seals': () => ['/v1/log/seals', '/v1/log/seals?from=3'],
  '/v1/log/state': () => ['/v1/log/state?epoch=7&after=73', '/v1/log/state?epoch=1&after=61'],
  '/v1/checkpoints/latest': () => ['/v1/checkpoints/latest'],
  '/v1/economics': () => ['/v1/economics'],
  '/v1/economics/supply': () => ['/v1/economics/supply'],
  '/v1/network/activity': () => ['/v1/network/activity', '/v1/network/activity?hours=168'],
  '/v1/network/state': () => ['/v1/network/state', '/v1/network/state?category=Ships'],
  '/v1/network/trend': () => ['/v1/network/trend', '/v1/network/trend?span=week'],
  '/openapi.json': () => ['/openapi.json'],
  '/docs': () => ['/docs'],
  '/': () => ['/'],
};

/** Reads that must be refused: path, code. */
export const READ_REFUSALS: [string, string][] = [
  ...['', '/balance', '/address', '/stake', '/reputation'].map((p): [string, string] => [
    `/v1/agents/${UNKNOWN}${p}`,
    'agent_not_found',
  ]),
  ['/v1/address/tvws1wrong', 'address_not_found'],
  [`/v1/validators/${UNKNOWN}`, 'validator_not_found'],
  [`/v1/events/${UNKNOWN}`, 'event_not_found'],
  ['/v1/events/x', 'event_not_found'],
  [`/v1/dag/vertices/${UNKNOWN}`, 'vertex_not_found'],
  ['/v1/platform/keys/0123456789abcdef', 'key_not_found'],
  ['/v1/ws', 'upgrade_required'],
  ['/v1/ws?since=x', 'invalid_request'],
  ...MARKET_READ_REFUSALS,
  ['/v1/agents?page=0', 'invalid_request'],
  ['/v1/agents/leaderboard?sort=height', 'invalid_request'],
  ['/v1/reputation/rankings', 'invalid_request'],
  ['/v1/pending?event_type=stake', 'invalid_request'],
  ['/v1/validators?status=asleep', 'invalid_request'],
  ['/v1/network/activity?hours=0', 'invalid_request'],
  ['/v1/network/trend?span=year', 'invalid_request'],
  ['/v1/agents/%zz', 'invalid_request'],
  ...TASK_READ_REFUSALS,
  ...CASE_READ_REFUSALS,
  ...PROGRAM_READ_REFUSALS,
  ...DISCOVERY_READ_REFUSALS,
  ...PROOF_READ_REFUSALS,
  ['/v1/log/vertices?epoch=7', 'not_found'],
  ['/v1/log/vertices?from=-1', 'invalid_request'],
  ['/v1/log/state?after=xyz', 'invalid_request'],
  ['/v1/log/state', 'invalid_request'],
  ['/v1/nothing', 'not_found'],
  ['/v1/agents/', 'not_found'],
];
