// The alert rules for a network of nodes: one table, from which the rules of Prometheus, their tests and the operators'
// chapter about alerts are made.
// Keeps: every alert says what it means and what to do, and has series under which it fires and under which it does not.

export interface Alert {
  name: string;
  expr: string;
  /** How long it must hold. */
  for: string;
  severity: 'critical' | 'warning';
  summary: string;
  /** What to do, for somebody who was woken. */
  runbook: string;
  /** Series of one instance in promtool's notation, a value a minute; `until`: when to look. */
  fires: { series: Readonly<Record<string, string>>; until: string };
  quiet: { series: Readonly<Record<string, string>>; until: string };
}

const p99 = (metric: string): string =>
  `histogram_quantile(0.99, sum by (le, instance, job) (rate(${metric}_bucket[5m])))`;

/** Buckets of a histogram of which all observations lie between two bounds. */
const buckets = (metric: string, low: string, high: string): Record<string, string> => ({
  [`${metric}_bucket{le="${low}"}`]: '0+0x30',
  [`${metric}_bucket{le="${high}"}`]: '0+60x30',
  [`${metric}_bucket{le="+Inf"}`]: '0+60x30',
});

export const ALERTS: readonly Alert[] = [
  {
    name: 'VwsNodeDown',
    expr: 'up{job="vws"} == 0',
    for: '1m',
    severity: 'critical',
    summary: 'A node does not answer',
    runbook:
      'Look at the process and at the last lines of its log; the exit codes are in protocol 12.1. Start it again with its own data directory. Never start a second node with the same key meanwhile.',
    fires: { series: { 'up{job="vws"}': '0x10' }, until: '5m' },
    quiet: { series: { 'up{job="vws"}': '1x10' }, until: '5m' },
  },
  {
    name: 'VwsSupplyBroken',
    expr: 'vws_supply_check != 1',
    for: '0m',
    severity: 'critical',
    summary: 'The accounts of a node do not add up to the supply',
    runbook:
      'The node has stopped or will stop by itself. Keep its data directory as it is and start nothing on it. Compare the state with another node by vws audit before anything else.',
    fires: { series: { vws_supply_check: '1 1 0 0' }, until: '3m' },
    quiet: { series: { vws_supply_check: '1x5' }, until: '3m' },
  },
  {
    name: 'VwsNoQuorum',
    expr: 'vws_reachable_weight_ratio < 0.667',
    for: '1m',
    severity: 'critical',
    summary: 'A node is connected to less than a quorum of the seats',
    runbook:
      'If one node says so, its links are cut: look at its network. If all say so, too many seats are down: vws network lists them. Bring back as many as a quorum needs; nothing that was acknowledged is lost meanwhile.',
    fires: { series: { vws_reachable_weight_ratio: '1 0.5x9' }, until: '5m' },
    quiet: { series: { vws_reachable_weight_ratio: '0.75x10' }, until: '5m' },
  },
  {
    name: 'VwsWritesNotOrdered',
    expr: 'increase(vws_no_quorum_total[5m]) > 0',
    for: '0m',
    severity: 'critical',
    summary: 'Writes were not ordered within 10 seconds',
    runbook:
      'Clients got 503 no_quorum; their writes may still be executed. As for VwsNoQuorum; if a quorum is connected, look for a seat whose clock or disk is at fault.',
    fires: { series: { vws_no_quorum_total: '0 0 3x8' }, until: '4m' },
    quiet: { series: { vws_no_quorum_total: '3x10' }, until: '8m' },
  },
  {
    name: 'VwsOrderStalled',
    expr: 'changes(vws_last_order[5m]) == 0 and vws_uptime_seconds > 300',
    for: '1m',
    severity: 'critical',
    summary: 'A node has ordered nothing for five minutes',
    runbook:
      'Ask /health/ready why. If every node stands still, the network is halted: docs/operate, a halted network. If one does, restart it and watch whether it catches up.',
    fires: { series: { vws_last_order: '700x15', vws_uptime_seconds: '600+60x15' }, until: '12m' },
    quiet: { series: { vws_last_order: '700+60x15', vws_uptime_seconds: '600+60x15' }, until: '12m' },
  },
  {
    name: 'VwsBehind',
    expr: 'vws_catch_up_orders > 1000',
    for: '5m',
    severity: 'warning',
    summary: 'A node does not catch up with its peers',
    runbook:
      'After a restart this is normal for some minutes. If it stays, the machine is too slow, its disk is, or its links are: compare vws_commit_latency_seconds and vws_peer_latency_seconds with the other nodes.',
    fires: { series: { vws_catch_up_orders: '5000x10' }, until: '8m' },
    quiet: { series: { vws_catch_up_orders: '5000 2500 1200 500 0x6' }, until: '8m' },
  },
  {
    name: 'VwsNotReady',
    expr: 'vws_ready == 0',
    for: '5m',
    severity: 'warning',
    summary: 'A node is up and not ready',
    runbook: 'GET /health/ready names every reason. Each has its own alert or chapter in docs/operate.',
    fires: { series: { vws_ready: '0x10' }, until: '8m' },
    quiet: { series: { vws_ready: '0 0 0 1x7' }, until: '8m' },
  },
  {
    name: 'VwsEquivocation',
    expr: 'increase(vws_equivocations_total[1h]) > 0',
    for: '0m',
    severity: 'critical',
    summary: 'A seat signed two vertices with one number',
    runbook:
      'The order has the proof, and the seat is excluded. Two processes use one key, or the key is stolen: stop every node with that key, then docs/operate, a lost key.',
    fires: { series: { vws_equivocations_total: '0 0 1x8' }, until: '5m' },
    quiet: { series: { vws_equivocations_total: '1x10' }, until: '5m' },
  },
  {
    name: 'VwsSilentSeats',
    expr: 'vws_silent_seats > 0',
    for: '10m',
    severity: 'warning',
    summary: 'A seat takes no part',
    runbook:
      'vws network names it. Until it returns it is one of the faults that the network bears: vws manifest --check with the manifest says how many that are.',
    fires: { series: { vws_silent_seats: '1x20' }, until: '15m' },
    quiet: { series: { vws_silent_seats: '1 1 0x18' }, until: '15m' },
  },
  {
    name: 'VwsClockWrong',
    expr: 'abs(vws_clock_offset_seconds) > 1',
    for: '1m',
    severity: 'warning',
    summary: 'The clock of a machine is wrong and is not followed',
    runbook:
      'Set that clock right (chronyc makestep). The node notices within seconds; do not restart it, and do not set the clocks of the others.',
    fires: { series: { vws_clock_offset_seconds: '-30x10' }, until: '5m' },
    quiet: { series: { vws_clock_offset_seconds: '0.2x10' }, until: '5m' },
  },
  {
    name: 'VwsSlowWrites',
    expr: `${p99('vws_consensus_order_latency_seconds')} > 2`,
    for: '5m',
    severity: 'warning',
    summary: 'One write in a hundred takes more than two seconds',
    runbook:
      'Compare vws_commit_latency_seconds (disk), vws_event_loop_delay_seconds (CPU) and vws_peer_latency_seconds (links) of all nodes: the slowest seat of a quorum sets the pace.',
    fires: { series: buckets('vws_consensus_order_latency_seconds', '2.5', '5'), until: '20m' },
    quiet: { series: buckets('vws_consensus_order_latency_seconds', '0.1', '0.25'), until: '20m' },
  },
  {
    name: 'VwsSlowDisk',
    expr: `${p99('vws_commit_latency_seconds')} > 0.1`,
    for: '10m',
    severity: 'warning',
    summary: 'The disk takes more than 0.1 s to sync a batch',
    runbook:
      'Every answer waits for it. Look for other users of the disk, a degraded RAID, or a cloud volume that has used up its burst.',
    fires: { series: buckets('vws_commit_latency_seconds', '0.1', '0.5'), until: '25m' },
    quiet: { series: buckets('vws_commit_latency_seconds', '0.001', '0.005'), until: '25m' },
  },
  {
    name: 'VwsServerErrors',
    expr: 'sum by (instance, job) (rate(vws_api_requests_total{status=~"5..",route!~"/health.*"}[5m])) / sum by (instance, job) (rate(vws_api_requests_total[5m])) > 0.01',
    for: '5m',
    severity: 'warning',
    summary: 'More than one request in a hundred is answered with 5xx',
    runbook:
      'vws_api_errors_total by code says which. overloaded: too much work; not_ready and behind: see VwsNotReady; internal: a fault of the program, the log has it under the id of the request.',
    fires: {
      series: {
        'vws_api_requests_total{status="503"}': '0+6x20',
        'vws_api_requests_total{status="200"}': '0+60x20',
      },
      until: '15m',
    },
    // The probes of a balancer at a node that is not ready are answers, no faults.
    quiet: {
      series: {
        'vws_api_requests_total{status="200"}': '0+60x20',
        'vws_api_requests_total{route="/health/ready",status="503"}': '0+12x20',
      },
      until: '15m',
    },
  },
  {
    name: 'VwsOverloaded',
    expr: 'increase(vws_api_errors_total{code="overloaded"}[5m]) > 0',
    for: '0m',
    severity: 'warning',
    summary: 'Queues of a node were full',
    runbook:
      'Clients were told to come again, and nothing was lost. If it lasts, spread clients over more nodes, or find out by vws_api_cost_ms_total what takes the main thread.',
    fires: { series: { 'vws_api_errors_total{code="overloaded"}': '0 0 9x8' }, until: '4m' },
    quiet: { series: { 'vws_api_errors_total{code="not_found"}': '0+9x10' }, until: '4m' },
  },
  {
    name: 'VwsDiskFull',
    expr: 'vws_disk_free_bytes < 2147483648 or vws_disk_free_bytes / vws_disk_size_bytes < 0.05',
    for: '5m',
    severity: 'critical',
    summary: 'The disk of a node is nearly full',
    runbook:
      'Make room or grow the volume now: below 1 GiB the node is not ready, and a write that fails ends it. Nothing acknowledged is lost then; delete nothing in the data directory. See docs/operate, a full disk.',
    fires: {
      series: { vws_disk_free_bytes: '1000000000x10', vws_disk_size_bytes: '10000000000x10' },
      until: '8m',
    },
    quiet: {
      series: { vws_disk_free_bytes: '9000000000x10', vws_disk_size_bytes: '10000000000x10' },
      until: '8m',
    },
  },
  {
    name: 'VwsMemoryGrowth',
    expr: 'deriv(vws_resident_bytes[6h]) * 86400 > 1000000000 and vws_uptime_seconds > 21600',
    for: '1h',
    severity: 'warning',
    summary: 'Memory grows by more than 1 GB a day',
    runbook:
      'The gauges ending in _bytes say which part. Without MALLOC_ARENA_MAX=1 RocksDB keeps some 90 MB for each of its threads. Plan a restart; nothing is lost by one.',
    fires: {
      series: { vws_resident_bytes: '1000000000+2000000x600', vws_uptime_seconds: '0+60x600' },
      until: '9h',
    },
    quiet: { series: { vws_resident_bytes: '1000000000x600', vws_uptime_seconds: '0+60x600' }, until: '9h' },
  },
  {
    name: 'VwsMainThreadBlocked',
    expr: 'vws_event_loop_delay_seconds > 1',
    for: '2m',
    severity: 'warning',
    summary: 'The main thread of a node keeps work waiting for more than a second',
    runbook:
      'The machine has too little CPU, is swapping, or a disk sync takes that long: compare with vws_commit_latency_seconds and vws_cpu_seconds_total.',
    fires: { series: { vws_event_loop_delay_seconds: '1.5x10' }, until: '5m' },
    quiet: { series: { vws_event_loop_delay_seconds: '0.05 2 0.05x8' }, until: '5m' },
  },
  {
    name: 'VwsCheckpointsStale',
    expr: 'vws_last_order - vws_checkpoint_height > 1000',
    for: '10m',
    severity: 'warning',
    summary: 'No new checkpoint is signed by a quorum',
    runbook:
      'A checkpoint is due every 100 orders. Seats disagree about the state, or too few are up to sign: compare the checkpoint roots of the nodes, then the log of any that differs.',
    fires: { series: { vws_last_order: '9000+10x20', vws_checkpoint_height: '7000x20' }, until: '15m' },
    quiet: { series: { vws_last_order: '9000+10x20', vws_checkpoint_height: '8900+10x20' }, until: '15m' },
  },
  {
    name: 'VwsSeatJunk',
    expr: 'increase(vws_junk_bytes_total[1h]) > 0',
    for: '0m',
    severity: 'warning',
    summary: 'A seat signs what no honest node signs',
    runbook:
      'The label seat has its number in the manifest. The node holds its vertices back by itself. Ask its operator; docs/operate, a misbehaving peer.',
    fires: { series: { 'vws_junk_bytes_total{seat="2"}': '0 0 500x8' }, until: '5m' },
    quiet: { series: { 'vws_junk_bytes_total{seat="2"}': '0x10' }, until: '5m' },
  },
  {
    name: 'VwsWebhooksDropped',
    expr: 'increase(vws_webhook_deliveries_total{result="dropped"}[1h]) > 0',
    for: '0m',
    severity: 'warning',
    summary: 'Webhooks were given up',
    runbook:
      'The receiver was unreachable for all attempts, or too many waited. Agents see the same events in the stream and in their task lists; tell the owner of the webhook.',
    fires: { series: { 'vws_webhook_deliveries_total{result="dropped"}': '0 0 2x8' }, until: '5m' },
    quiet: { series: { 'vws_webhook_deliveries_total{result="ok"}': '0+2x10' }, until: '5m' },
  },
  {
    name: 'VwsExportDown',
    expr: 'up{job="vws-export"} == 0',
    for: '1m',
    severity: 'warning',
    summary: 'An exporter does not answer, or has ended',
    runbook:
      'Look at its last lines and its exit code. 10: a lie of the node, or a database of another history; 9: a gap. Nothing was written after either: docs/operate/export.md. Any other: start it again, it resumes where it ended.',
    fires: { series: { 'up{job="vws-export"}': '0x10' }, until: '5m' },
    quiet: { series: { 'up{job="vws-export"}': '1x10' }, until: '5m' },
  },
  {
    name: 'VwsExportBehind',
    expr: 'vws_export_lag_seconds > 300',
    for: '5m',
    severity: 'warning',
    summary: 'A database has not had everything of its node for more than five minutes',
    runbook:
      'At its first start an export has the whole history to compute, which takes as long as an audit. Later: see vws_export_retries_total for a server that is away, vws_export_batch_seconds for a slow database, and whether vws_export_lag_orders falls.',
    fires: { series: { vws_export_lag_seconds: '60+60x20' }, until: '15m' },
    quiet: { series: { vws_export_lag_seconds: '0 100 400 0x10' }, until: '10m' },
  },
];
