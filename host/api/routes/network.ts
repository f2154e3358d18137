// Routes of events, the network, this node, and pages (protocol 4.10).

import { EVENT_TYPES } from '../../store/event-types.ts';
import type { ReadContext } from '../context.ts';
import * as events from '../handlers/events.ts';
import * as network from '../handlers/network.ts';
import * as pages from '../handlers/pages.ts';
import type { ReadRoute } from '../route.ts';
import { get, MEMBERS, PAGE } from './get.ts';

export const NETWORK_READS: ReadRoute<ReadContext>[] = [
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
  get('/health', 'network', 'Health of this node', 'Health', network.health, {
    exempt: true,
    isFree: true,
  }),
  get('/metrics', 'network', 'Prometheus metrics', 'text', pages.metrics, { exempt: true }),
  get('/v1/dag/tips', 'network', 'Vertices without a known child', 'DagTips', network.dagTips),
  get('/v1/dag/stats', 'network', 'Statistics of the DAG', 'DagStats', network.dagStats),
  get('/v1/dag/vertices', 'network', 'Ordered vertices, ascending', 'Vertex[]', network.vertices, {
    query: [
      { kind: 'int', name: 'after', min: 0, max: Number.MAX_SAFE_INTEGER, default: 0, doc: 'order' },
      PAGE,
    ],
  }),
  get('/v1/dag/vertices/{hash}', 'network', 'One vertex', 'Vertex', network.vertex, {
    query: [MEMBERS],
    errors: ['vertex_not_found'],
  }),
  get(
    '/v1/checkpoints/latest',
    'network',
    'Newest checkpoint signed by a quorum',
    'Checkpoint',
    network.latestCheckpoint,
    {
      errors: ['checkpoint_not_found'],
    },
  ),
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
  get('/openapi.json', 'pages', 'This API description', 'json', pages.openapi, { exempt: true }),
  get('/docs', 'pages', 'This API description as a page', 'html', pages.docs, { exempt: true }),
  get('/', 'pages', 'Explorer page', 'html', pages.home, { exempt: true }),
];
