// The API contract of the files by which programs find a node and its agents.

import type { Story } from './story.ts';

const UNKNOWN = 'f'.repeat(64);

/** Alice lists an offer in the story, Bob does not. */
export const DISCOVERY_READS: Record<string, (s: Story) => string[]> = {
  '/llms.txt': () => ['/llms.txt'],
  '/.well-known/agent-card.json': () => ['/.well-known/agent-card.json'],
  '/v1/agents/{id}/agent-card.json': (s) =>
    [s.alice.id, s.alice.id.toUpperCase()].map((id) => `/v1/agents/${id}/agent-card.json`),
  '/v1/agents/{id}/registration.json': (s) =>
    [s.alice.id, 'bob', s.operator.id].map((id) => `/v1/agents/${id}/registration.json`),
};

export const DISCOVERY_READ_REFUSALS: [string, string][] = [
  [`/v1/agents/${UNKNOWN}/agent-card.json`, 'agent_not_found'],
  [`/v1/agents/${UNKNOWN}/registration.json`, 'agent_not_found'],
  ['/v1/agents/bob/agent-card.json', 'listing_not_found'],
];

/** Need a Host header that is not the node's own, which fetch does not send: discovery.test.ts. */
export const DISCOVERY_UNREACHED = [
  ...Object.keys(DISCOVERY_READS).map((path) => `GET ${path} origin_not_allowed`),
  // Need a start with many agents or listings: test/host/views.
  'GET /v1/agents/leaderboard not_ready',
  'GET /v1/reputation/rankings not_ready',
  'GET /v1/registry/search not_ready',
  'GET /v1/registry/categories not_ready',
  'GET /v1/router/agents not_ready',
  'GET /v1/discover not_ready',
];
