// The Grafana dashboards, made from the table of metrics: a counter is shown by its rate, a histogram by its median and 99th
// percentile, a gauge as it is.
// Keeps: every metric of the table is on one of them.

import { METRICS, type MetricRow } from '../../host/metric-table.ts';

export type MetricName = keyof typeof METRICS;

interface Panel {
  title: string;
  /** As Grafana names it. */
  unit: string;
  metrics: readonly MetricName[];
}

export interface Dashboard {
  uid: string;
  title: string;
  /** A metric that every one of its instances has; without it that of nodes. */
  instances?: MetricName;
  panels: readonly Panel[];
}

export const DASHBOARDS: readonly Dashboard[] = [
  {
    uid: 'vws-node',
    title: 'vws: node',
    panels: [
      { title: 'Ready', unit: 'short', metrics: ['vws_ready', 'vws_supply_check', 'vws_build_info'] },
      { title: 'Up since', unit: 's', metrics: ['vws_uptime_seconds'] },
      {
        title: 'Writes: from acceptance to disk',
        unit: 's',
        metrics: ['vws_consensus_order_latency_seconds'],
      },
      { title: 'Synced write of a batch', unit: 's', metrics: ['vws_commit_latency_seconds'] },
      { title: 'Transactions in a batch', unit: 'short', metrics: ['vws_batch_transactions'] },
      { title: 'Queues', unit: 'short', metrics: ['vws_queued_writes', 'vws_queued_signatures'] },
      { title: 'Requests', unit: 'reqps', metrics: ['vws_api_requests_total'] },
      {
        title: 'Refusals',
        unit: 'reqps',
        metrics: ['vws_api_errors_total', 'vws_rate_limit_rejects_total', 'vws_api_cost_refused_total'],
      },
      { title: 'Latency of the API', unit: 'ms', metrics: ['vws_api_latency_ms'] },
      {
        title: 'Cost of requests: ms of the main thread in a second',
        unit: 'short',
        metrics: ['vws_api_cost_ms_total'],
      },
      { title: 'CPU', unit: 'short', metrics: ['vws_cpu_seconds_total'] },
      { title: 'Delay of the main thread', unit: 's', metrics: ['vws_event_loop_delay_seconds'] },
      {
        title: 'Memory',
        unit: 'bytes',
        metrics: [
          'vws_resident_bytes',
          'vws_heap_bytes',
          'vws_heap_used_bytes',
          'vws_buffers_bytes',
          'vws_core_memory_bytes',
          'vws_dag_memory_bytes',
        ],
      },
      {
        title: 'Memory of threads',
        unit: 'bytes',
        metrics: ['vws_thread_heap_bytes', 'vws_thread_heap_used_bytes', 'vws_thread_external_bytes'],
      },
      {
        title: 'Memory of the store',
        unit: 'bytes',
        metrics: ['vws_store_memtables_bytes', 'vws_store_cache_bytes', 'vws_store_index_bytes'],
      },
      { title: 'Disk', unit: 'bytes', metrics: ['vws_disk_free_bytes', 'vws_disk_size_bytes'] },
      {
        title: 'Files of the store',
        unit: 'bytes',
        metrics: ['vws_store_files_bytes', 'vws_store_wal_bytes'],
      },
      {
        title: 'Event streams',
        unit: 'short',
        metrics: ['vws_ws_connections', 'vws_ws_messages_total', 'vws_ws_slow_consumers_total'],
      },
      { title: 'Webhooks', unit: 'short', metrics: ['vws_webhook_deliveries_total'] },
      { title: "Answers of the node's judge", unit: 'short', metrics: ['vws_judge_answers_total'] },
    ],
  },
  {
    uid: 'vws-network',
    title: 'vws: network',
    panels: [
      { title: 'Seats', unit: 'short', metrics: ['vws_seats', 'vws_silent_seats', 'vws_removed_seats'] },
      { title: 'Weight in reach', unit: 'percentunit', metrics: ['vws_reachable_weight_ratio'] },
      { title: 'Peers', unit: 'short', metrics: ['vws_peer_count'] },
      {
        title: 'Order',
        unit: 'short',
        metrics: ['vws_last_order', 'vws_checkpoint_height', 'vws_dag_size', 'vws_seq'],
      },
      { title: 'Behind', unit: 'short', metrics: ['vws_catch_up_orders', 'vws_sync_requests_total'] },
      { title: 'Epoch', unit: 'short', metrics: ['vws_epoch', 'vws_dag_tips'] },
      { title: 'Round trip to each seat', unit: 's', metrics: ['vws_peer_latency_seconds'] },
      { title: 'Clock of each seat', unit: 's', metrics: ['vws_peer_clock_offset_seconds'] },
      {
        title: 'Own clock',
        unit: 's',
        metrics: ['vws_clock_offset_seconds', 'vws_clock_peers_offset_seconds'],
      },
      { title: 'Consensus time', unit: 'dateTimeAsIso', metrics: ['vws_consensus_time_seconds'] },
      {
        title: 'Traffic',
        unit: 'Bps',
        metrics: ['vws_peer_sent_bytes_total', 'vws_peer_received_bytes_total'],
      },
      { title: 'Vertices received', unit: 'short', metrics: ['vws_peer_vertices_total'] },
      {
        title: 'Misbehaviour',
        unit: 'short',
        metrics: [
          'vws_junk_bytes_total',
          'vws_held_vertices_total',
          'vws_dropped_vertices_total',
          'vws_equivocations_total',
        ],
      },
      { title: 'Writes without a quorum', unit: 'short', metrics: ['vws_no_quorum_total'] },
    ],
  },
  {
    uid: 'vws-money',
    title: 'vws: money',
    panels: [
      { title: 'Transactions', unit: 'short', metrics: ['vws_transactions_total'] },
      {
        title: 'Settled and adjusted',
        unit: 'short',
        metrics: ['vws_transactions_settled_total', 'vws_transactions_adjusted_total'],
      },
      {
        title: 'Volume: micro-units in a second',
        unit: 'short',
        metrics: ['vws_transaction_volume_microunits_total'],
      },
      {
        title: 'Fees: micro-units in a second',
        unit: 'short',
        metrics: ['vws_fees_collected_microunits_total', 'vws_fees_treasury_microunits_total'],
      },
      {
        title: 'Stake, escrow, treasury: micro-units',
        unit: 'short',
        metrics: ['vws_total_staked_microunits', 'vws_total_escrowed_microunits', 'vws_treasury_microunits'],
      },
      {
        title: 'Slashes',
        unit: 'short',
        metrics: ['vws_slash_events_total', 'vws_slashed_microunits_total'],
      },
      { title: 'Agents', unit: 'short', metrics: ['vws_agents_registered', 'vws_agents_active_24h'] },
      { title: 'Tasks', unit: 'short', metrics: ['vws_tasks'] },
      { title: 'Waiting for verdicts', unit: 'short', metrics: ['vws_ocs_pending'] },
    ],
  },
  {
    uid: 'vws-export',
    title: 'vws: export',
    instances: 'vws_export_seq',
    panels: [
      { title: 'Behind the node', unit: 's', metrics: ['vws_export_lag_seconds'] },
      { title: 'Behind the node: order numbers', unit: 'short', metrics: ['vws_export_lag_orders'] },
      {
        title: 'Place',
        unit: 'short',
        metrics: ['vws_export_seq', 'vws_export_published_seq', 'vws_export_order'],
      },
      { title: 'Rows', unit: 'wps', metrics: ['vws_export_rows_total'] },
      { title: 'Events in a batch', unit: 'short', metrics: ['vws_export_batch_events'] },
      { title: 'Transaction of a batch', unit: 's', metrics: ['vws_export_batch_seconds'] },
      { title: 'Tried again', unit: 'short', metrics: ['vws_export_retries_total'] },
    ],
  },
];

const AT = '{instance=~"$instance"}';
const WINDOW = '$__rate_interval';

interface Target {
  expr: string;
  legendFormat: string;
}

function targetsOf(name: MetricName): Target[] {
  const { kind, labels = [] } = METRICS[name] as MetricRow;
  const by = ['instance', ...labels];
  const legend = by.map((label) => `{{${label}}}`).join(' ');
  const short = name.replace(/^vws_/, '');
  if (kind === 'gauge') return [{ expr: `${name}${AT}`, legendFormat: `${short} ${legend}` }];
  if (kind === 'counter') {
    const expr = `sum by (${by.join(', ')}) (rate(${name}${AT}[${WINDOW}]))`;
    return [{ expr, legendFormat: `${short} ${legend}` }];
  }
  // All label values of a histogram together: one line for each node.
  return [0.5, 0.99].map((share) => ({
    expr: `histogram_quantile(${share}, sum by (le, instance) (rate(${name}_bucket${AT}[${WINDOW}])))`,
    legendFormat: `p${share * 100} {{instance}}`,
  }));
}

const SOURCE = { type: 'prometheus', uid: '$' + '{datasource}' };

function panelJson({ title, unit, metrics }: Panel, index: number): object {
  return {
    id: index + 1,
    type: 'timeseries',
    title,
    description: metrics.map((name) => `${name}: ${METRICS[name].help}`).join('\n'),
    datasource: SOURCE,
    gridPos: { x: (index % 3) * 8, y: Math.floor(index / 3) * 8, w: 8, h: 8 },
    fieldConfig: { defaults: { unit }, overrides: [] },
    targets: metrics.flatMap(targetsOf).map((target, i) => ({
      refId: String.fromCharCode(65 + i),
      datasource: SOURCE,
      ...target,
    })),
  };
}

/** The JSON model of a dashboard, as Grafana provisions it. */
export function dashboardFile({ uid, title, instances = 'vws_build_info', panels }: Dashboard): string {
  const model = {
    uid,
    title,
    tags: ['vws'],
    schemaVersion: 39,
    editable: true,
    refresh: '10s',
    time: { from: 'now-1h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Source' },
        {
          name: 'instance',
          type: 'query',
          label: 'Node',
          datasource: SOURCE,
          query: `label_values(${instances}, instance)`,
          refresh: 2,
          multi: true,
          includeAll: true,
        },
      ],
    },
    panels: panels.map(panelJson),
  };
  return `${JSON.stringify(model, null, 2)}\n`;
}
