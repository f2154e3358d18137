// The part of the API contract about registry, discovery and router.

import { type Agent, type Answer, get } from './agent.ts';
import type { Story } from './story.ts';

/** Something to find for each read. */
export async function tellMarket(alice: Agent): Promise<void> {
  await alice.do('/v1/registry', {
    name: 'Invoice parser',
    category: 'Code',
    description: 'Reads receipts.',
    price_tok: 4,
    tags: ['PDF'],
    endpoint: 'https://svc.example/x',
  });
  await alice.do('/v1/router/register', {
    categories: ['code', 'data'],
    tags: ['pdf'],
    price_per_task: 5,
    webhook_url: 'https://hook.example/',
    webhook_secret: 'whsec',
  });
}

export const MARKET_READS: Record<string, (s: Story) => string[]> = {
  '/v1/registry/search': () =>
    ['', '?q=VOICE', '?q=pdf&category=CODE&limit=1', '?q=nothing'].map((q) => `/v1/registry/search${q}`),
  '/v1/registry/categories': () => ['/v1/registry/categories'],
  '/v1/registry/{agent_id}': (s) => [s.alice.id, s.alice.id.toUpperCase()].map((id) => `/v1/registry/${id}`),
  '/v1/discover': () =>
    ['', '?q=invoice%20reads', '?category=code&max_budget=10000000&min_reputation=0', '?max_budget=1'].map(
      (q) => `/v1/discover${q}`,
    ),
  '/v1/router/agents': () =>
    ['', '?category=data&available=true', '?available=false'].map((q) => `/v1/router/agents${q}`),
  '/v1/router/routes': () => ['/v1/router/routes', '/v1/router/routes?limit=2&page=3'],
  '/v1/router/stats': () => ['/v1/router/stats'],
};

export const MARKET_READ_REFUSALS: [string, string][] = [
  ['/v1/registry/bob', 'listing_not_found'],
  ['/v1/registry/nobody', 'listing_not_found'],
  ['/v1/discover?max_budget=-1', 'invalid_request'],
  ['/v1/discover?max_budget=x', 'invalid_request'],
  ['/v1/discover?min_reputation=10001', 'invalid_request'],
  ['/v1/router/agents?available=maybe', 'invalid_request'],
  ['/v1/router/routes?limit=0', 'invalid_request'],
];

/** Writes that succeed one after the other. */
export const marketSteps = (who: Agent): [Agent, string, string, object][] => [
  [who, 'POST', '/v1/registry', { name: 'A', category: 'b', endpoint: 'http://svc.example' }],
  [who, 'POST', '/v1/registry', { name: 'A', category: 'b', active: false }],
  [who, 'DELETE', `/v1/registry/${who.id}`, {}],
  [who, 'POST', '/v1/router/register', { categories: ['b'], webhook_url: 'https://hook.example/' }],
  [who, 'PUT', `/v1/router/availability/${who.id}`, { available: false }],
  [who, 'DELETE', `/v1/router/register/${who.id}`, {}],
];

/** Writes that are refused: method, path, body, code. */
export const marketRefusals = (bob: Agent, alice: Agent): [string, string, object, string][] => [
  ['DELETE', `/v1/registry/${bob.id}`, {}, 'listing_not_found'],
  ['DELETE', `/v1/registry/${alice.id}`, {}, 'forbidden_actor'],
  ['DELETE', `/v1/router/register/${bob.id}`, {}, 'capability_not_found'],
  ['DELETE', `/v1/router/register/${alice.id}`, {}, 'forbidden_actor'],
  ['PUT', `/v1/router/availability/${bob.id}`, { available: true }, 'capability_not_found'],
  ['PUT', `/v1/router/availability/${alice.id}`, { available: true }, 'forbidden_actor'],
  ['PUT', `/v1/router/availability/${bob.id}`, {}, 'invalid_request'],
  ['POST', '/v1/router/register', { categories: [] }, 'invalid_request'],
  ['POST', '/v1/router/register', { categories: ['c'], webhook_secret: 's' }, 'invalid_request'],
  ...['http://10.0.0.1/', 'ftp://hook.example/', 'http://u@hook.example/', 'http://h.example:22/', 'x'].map(
    (webhook_url): [string, string, object, string] => [
      'POST',
      '/v1/router/register',
      { categories: ['c'], webhook_url },
      'invalid_webhook_url',
    ],
  ),
  ['POST', '/v1/registry', { name: 'n', category: 'c', agent_id: alice.id }, 'forbidden_actor'],
  ['POST', '/v1/registry', { name: 'n', category: 'c', endpoint: 'nonsense' }, 'invalid_request'],
];

/**
 * All that a node makes of writes and shows without credentials: where a secret would be seen. Not the log as bytes,
 * which is the writes themselves.
 */
export async function everythingShown(port: number): Promise<string> {
  const texts: string[] = [];
  const read = async (path: string): Promise<Answer> => {
    const answer = await get(port, path);
    texts.push(JSON.stringify(answer.body), JSON.stringify([...answer.headers]));
    return answer;
  };
  for (const path of [
    '/v1/registry/search',
    '/v1/discover',
    '/v1/router/agents',
    '/v1/router/routes',
    '/metrics',
  ]) {
    await read(path);
  }
  for (const { event_id } of (await read('/v1/events/recent?per_page=200')).body) {
    await read(`/v1/events/${event_id}`);
  }
  for (const { hash } of (await read('/v1/dag/vertices?per_page=200')).body)
    await read(`/v1/dag/vertices/${hash}`);
  return texts.join('\n');
}
