// Routes of events, the network, this node, and pages (protocol 4.10).

import { EVENT_TYPES } from '../../store/event-types.ts';
import { TREND_SPANS, type TrendSpan } from '../../store/trend-rows.ts';
import type { ReadContext } from '../context.ts';
import * as discovery from '../handlers/discovery.ts';
import * as events from '../handlers/events.ts';
import * as network from '../handlers/network.ts';
import * as pages from '../handlers/pages.ts';
import { trend } from '../handlers/trend.ts';
import type { ReadRoute } from '../route.ts';
import { get, MEMBERS, PAGE } from './get.ts';

export const NETWORK_READS: ReadRoute<ReadContext>[] = [
  get('/v1/events/recent', 'events_recent', 'Recent events, newest first', 'EventRow[]', events.recent, {
    query: [
      { kind: 'enum', name: 'event_type', values: EVENT_TYPES },
      { kind: 'text', name: 'agent_id' },
      PAGE,
    ],
  }),
  get('/v1/events/{id}', 'events_get', 'One event with its settlement state', 'Event', events.event, {
    errors: ['event_not_found'],
  }),
  get('/v1/status', 'network_status', 'This node', 'Status', network.status),
  get('/health', 'network_health', 'Health of this node', 'Health', network.health, {
    exempt: true,
    isFree: true,
  }),
  get('/health/live', 'network_live', 'Whether the process answers', 'Liveness', network.live, {
    exempt: true,
    isFree: true,
  }),
  get(
    '/health/ready',
    'network_ready',
    'Whether requests should be sent to this node',
    'Readiness',
    network.ready,
    { exempt: true, isFree: true },
  ),
  get('/metrics', 'network_metrics', 'Prometheus metrics', 'text', pages.metrics, { exempt: true }),
  get('/v1/dag/tips', 'network_dag_tips', 'Vertices without a known child', 'DagTips', network.dagTips),
  get('/v1/dag/stats', 'network_dag_stats', 'Statistics of the DAG', 'DagStats', network.dagStats),
  get('/v1/dag/vertices', 'network_vertices', 'Ordered vertices, ascending', 'Vertex[]', network.vertices, {
    query: [
      { kind: 'int', name: 'after', min: 0, max: Number.MAX_SAFE_INTEGER, default: 0, doc: 'order' },
      PAGE,
    ],
  }),
  get('/v1/dag/vertices/{hash}', 'network_vertex', 'One vertex', 'Vertex', network.vertex, {
    query: [MEMBERS],
    errors: ['vertex_not_found'],
  }),
  get(
    '/v1/checkpoints/latest',
    'network_latest_checkpoint',
    'Newest checkpoint signed by a quorum',
    'Checkpoint',
    network.latestCheckpoint,
    {
      errors: ['checkpoint_not_found'],
    },
  ),
  get('/v1/economics', 'network_economics', 'Supply, fees, reserves', 'Economics', network.economics),
  get('/v1/economics/supply', 'network_supply', 'Where the whole supply is', 'Supply', network.supply),
  get('/v1/network/activity', 'network_activity', 'Volume by hour', 'Activity', events.activity, {
    query: [{ kind: 'int', name: 'hours', min: 1, max: 168, default: 24 }],
  }),
  get(
    '/v1/network/trend',
    'network_trend',
    'What this node executed, and how fast, over a span',
    'Trend',
    trend,
    {
      query: [
        { kind: 'enum', name: 'span', values: Object.keys(TREND_SPANS) as TrendSpan[], default: 'hour' },
      ],
    },
  ),
  get(
    '/v1/network/state',
    'network_state',
    'Validators, categories, parameters',
    'NetworkState',
    network.networkState,
    { query: [{ kind: 'text', name: 'category', doc: 'what this name would cost the poster of a task' }] },
  ),
  get('/openapi.json', 'pages_openapi', 'This API description', 'json', pages.openapi, { exempt: true }),
  get('/docs', 'pages_docs', 'This API description as a page', 'html', pages.docs, { exempt: true }),
  get('/llms.txt', 'pages_llms', 'What a model should read first', 'text', discovery.llmsText, {
    exempt: true,
    errors: ['origin_not_allowed'],
  }),
  get(
    '/.well-known/agent-card.json',
    'pages_agent_card',
    'A2A agent card of this node',
    'json',
    discovery.nodeCard,
    { exempt: true, errors: ['origin_not_allowed'] },
  ),
  get('/', 'pages_home', 'Explorer page', 'html', pages.home, { exempt: true }),
];
