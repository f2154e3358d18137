import { expect, it } from 'vitest';
import type { Route } from '../../../host/api/route.ts';
import { Router } from '../../../host/api/router.ts';

const get = (path: string): Route<unknown> => ({
  method: 'GET',
  path,
  id: 'pages_home',
  summary: 's',
  reply: 'json',
  handle: () => ({ body: {} }),
});
const router = new Router([
  get('/'),
  get('/v1/agents'),
  get('/v1/agents/leaderboard'),
  get('/v1/agents/{id}'),
  get('/v1/agents/{id}/stake'),
  { method: 'POST', path: '/v1/stake', id: 'pages_home', summary: 's', reply: 'json', operation: 'stake' },
]);
const found = (method: string, path: string): unknown => {
  const f = router.find(method, path);
  return 'route' in f ? [f.route.path, f.path] : f.kind === 'method' ? f.allow : 'none';
};

it('finds fixed words before templates, and decodes a segment after splitting', () => {
  expect(found('GET', '/v1/agents/leaderboard')).toEqual(['/v1/agents/leaderboard', {}]);
  expect(found('GET', '/v1/agents/team%2Fone/stake')).toEqual(['/v1/agents/{id}/stake', { id: 'team/one' }]);
  expect(found('GET', '/')).toEqual(['/', {}]);
});

it('has no aliases: trailing slash, doubled slash, other case', () => {
  for (const path of ['/v1/agents/', '/v1//agents', '/V1/agents', '/v1', '/v1/agents/x/', '']) {
    expect(found('GET', path)).toBe('none');
  }
});

it('names the methods of a known path', () => {
  expect(found('GET', '/v1/stake')).toBe('POST, OPTIONS');
  expect(found('DELETE', '/v1/agents/x')).toBe('GET, HEAD, OPTIONS');
  expect(found('HEAD', '/v1/agents')).toEqual(['/v1/agents', {}]);
});

it('refuses a segment that is not percent-encoded UTF-8', () => {
  for (const path of ['/v1/agents/%', '/v1/agents/%zz', '/v1/agents/%ff']) {
    const found = router.find('GET', path);
    expect([path, found.kind === 'malformed' && found.error.code]).toEqual([path, 'invalid_request']);
  }
});
