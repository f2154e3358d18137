// Routes of registry, discovery and router (protocol 4.5, 4.6).

import type { ReadContext } from '../context.ts';
import * as market from '../handlers/market.ts';
import type { QueryParam, ReadRoute, WriteRoute } from '../route.ts';
import { get, MEMBERS, PAGE } from './get.ts';

const CATEGORY: QueryParam = { kind: 'text', name: 'category' };
const MAX_AMOUNT = Number.MAX_SAFE_INTEGER;

export const MARKET_READS: ReadRoute<ReadContext>[] = [
  get(
    '/v1/registry/search',
    'market_search',
    'Active listings that contain a text',
    'Listing[]',
    market.search,
    {
      query: [{ kind: 'text', name: 'q', doc: 'substring of name, description or a tag' }, CATEGORY, PAGE],
      errors: ['not_ready'],
    },
  ),
  get(
    '/v1/registry/categories',
    'market_categories',
    'Active listings by category',
    'map<int>',
    market.categories,
    {
      query: [MEMBERS],
      errors: ['not_ready'],
    },
  ),
  get('/v1/registry/{agent_id}', 'market_listing', 'Listing of an agent', 'Listing', market.listing, {
    errors: ['listing_not_found'],
  }),
  get(
    '/v1/discover',
    'market_discover',
    'Active listings by composite score',
    'DiscoverRow[]',
    market.discover,
    {
      query: [
        { kind: 'text', name: 'q', doc: 'words to find' },
        CATEGORY,
        { kind: 'int', name: 'max_budget', min: 0, max: MAX_AMOUNT, strict: true, doc: 'micro-units' },
        { kind: 'int', name: 'min_reputation', min: 0, max: 10_000, strict: true, doc: 'basis points' },
        {
          kind: 'enum',
          name: 'sort',
          values: ['standing', 'reputation'],
          default: 'standing',
          doc: 'reputation: the record counts in full, backed or not',
        },
        PAGE,
      ],
      errors: ['not_ready'],
    },
  ),
  get(
    '/v1/router/agents',
    'market_capabilities',
    'Capabilities by registration',
    'Capability[]',
    market.capabilities,
    {
      query: [CATEGORY, { kind: 'enum', name: 'available', values: ['true', 'false'] }, PAGE],
      errors: ['not_ready'],
    },
  ),
  get('/v1/router/routes', 'market_routes', 'Last 1,000 routes, newest first', 'Route[]', market.routes, {
    query: [PAGE],
  }),
  get(
    '/v1/router/stats',
    'market_router_stats',
    'Statistics of the router',
    'RouterStats',
    market.routerStats,
  ),
];

export const MARKET_WRITES: WriteRoute[] = [
  {
    method: 'POST',
    path: '/v1/registry',
    id: 'market_offer',
    summary: 'Offer a service',
    operation: 'serviceList',
    reply: 'Listing',
  },
  {
    method: 'DELETE',
    path: '/v1/registry/{agent_id}',
    id: 'market_withdraw',
    summary: "Remove the caller's listing",
    operation: 'serviceUnlist',
    reply: 'ServiceUnlisted',
    errors: ['listing_not_found'],
  },
  {
    method: 'POST',
    path: '/v1/router/register',
    id: 'market_join_router',
    summary: 'Join the router to receive tasks',
    operation: 'routerRegister',
    reply: 'RouterRegistered',
    errors: ['invalid_webhook_url', 'insufficient_balance'],
  },
  {
    method: 'DELETE',
    path: '/v1/router/register/{agent_id}',
    id: 'market_leave_router',
    summary: 'Leave the router',
    operation: 'routerRemove',
    reply: 'RouterUnregistered',
    errors: ['capability_not_found'],
  },
  {
    method: 'PUT',
    path: '/v1/router/availability/{agent_id}',
    id: 'market_set_available',
    summary: 'Pause or resume routing',
    operation: 'routerAvailable',
    reply: 'RouterAvailability',
    errors: ['capability_not_found'],
  },
];
