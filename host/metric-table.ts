// The table of the node's metrics (protocol 11), from which alert rules and dashboards are checked too.
// Keeps: a metric that is not in this table does not exist; names, once released, stay.

export interface MetricRow {
  kind: 'counter' | 'gauge' | 'histogram';
  help: string;
  labels?: readonly string[];
  /** Upper bounds of a histogram. */
  buckets?: readonly number[];
  /** Value before the first update; absent for a gauge that is unknown until then. */
  initial?: number;
  /** Values of the one label that have a line of 0 before they occur: an alert waits for the first, which is no rise without. */
  awaited?: readonly string[];
}

/** Source: protocol 11. */
export const METRICS = {
  vws_transactions_total: { kind: 'counter', labels: ['type'], help: 'Executed transactions' },
  vws_transactions_settled_total: { kind: 'counter', labels: ['type'], help: 'Events settled as verified' },
  vws_transactions_adjusted_total: {
    kind: 'counter',
    labels: ['type', 'reason'],
    help: 'Events adjusted: rejected or expired',
  },
  vws_transaction_volume_microunits_total: { kind: 'counter', help: 'Amounts of executed transactions' },
  vws_fees_collected_microunits_total: {
    kind: 'counter',
    labels: ['kind'],
    help: 'Fees taken at settlement',
  },
  vws_fees_treasury_microunits_total: { kind: 'counter', help: 'Fees paid to the treasury' },
  vws_slash_events_total: { kind: 'counter', labels: ['reason'], help: 'Slashes of stake' },
  vws_slashed_microunits_total: { kind: 'counter', labels: ['reason'], help: 'Stake taken by slashes' },
  vws_agents_registered: { kind: 'gauge', help: 'Agents, genesis operators included' },
  vws_agents_active_24h: { kind: 'gauge', help: 'Agents active in the last 24 hours' },
  vws_total_staked_microunits: { kind: 'gauge', help: 'Stake of all agents' },
  vws_total_escrowed_microunits: { kind: 'gauge', help: 'Amounts held in escrow' },
  vws_treasury_microunits: { kind: 'gauge', help: 'Balance of the treasury' },
  vws_tasks: { kind: 'gauge', labels: ['status'], help: 'Tasks by status' },
  vws_peer_count: { kind: 'gauge', help: 'Connected peers', initial: 0 },
  vws_peer_sent_bytes_total: {
    kind: 'counter',
    help: 'Bytes sent to peers, encryption and framing included',
  },
  vws_peer_received_bytes_total: {
    kind: 'counter',
    help: 'Bytes received from peers, encryption and framing included',
  },
  vws_peer_vertices_total: { kind: 'counter', help: 'Vertices received from peers, known ones included' },
  vws_junk_bytes_total: {
    kind: 'counter',
    labels: ['seat'],
    help: 'Bytes in vertices of a seat that were no valid requests',
  },
  vws_held_vertices_total: {
    kind: 'counter',
    labels: ['seat'],
    help: 'Vertices of a seat that were held back for what it makes of no use',
  },
  vws_dropped_vertices_total: {
    kind: 'counter',
    labels: ['seat'],
    help: 'Vertices of a seat that were dropped while others of it were held back',
  },
  vws_sync_requests_total: { kind: 'counter', help: 'Requests to peers for missing vertices' },
  vws_catch_up_orders: {
    kind: 'gauge',
    help: 'Vertices in the total order by which the most advanced peer is ahead',
    initial: 0,
  },
  vws_clock_offset_seconds: {
    kind: 'gauge',
    help: 'How far the clock of this machine is ahead of the time that the node uses',
  },
  vws_clock_peers_offset_seconds: {
    kind: 'gauge',
    help: 'How far the clock of this machine is ahead of the time that other seats use',
    initial: 0,
  },
  vws_ws_connections: { kind: 'gauge', help: 'Open event streams', initial: 0 },
  vws_uptime_seconds: { kind: 'gauge', help: 'Seconds since the start of the node' },
  vws_resident_bytes: { kind: 'gauge', help: 'Resident memory of the process' },
  vws_heap_bytes: { kind: 'gauge', help: 'Heap that the JavaScript engine has reserved' },
  vws_heap_used_bytes: { kind: 'gauge', help: 'Used JavaScript heap, garbage included' },
  vws_buffers_bytes: {
    kind: 'gauge',
    help: 'Bytes in ArrayBuffers outside the JavaScript heap, without WebAssembly memory',
  },
  vws_thread_heap_bytes: {
    kind: 'gauge',
    labels: ['thread'],
    help: 'Heap that the JavaScript engine has reserved for a thread',
  },
  vws_thread_heap_used_bytes: {
    kind: 'gauge',
    labels: ['thread'],
    help: 'Used JavaScript heap of a thread, garbage included',
  },
  vws_thread_external_bytes: {
    kind: 'gauge',
    labels: ['thread'],
    help: 'Buffers outside the heap of a thread, and WebAssembly memory as it is laid out',
  },
  vws_core_memory_bytes: {
    kind: 'gauge',
    help: 'Memory reserved for the core state; only touched pages are resident',
  },
  vws_dag_memory_bytes: {
    kind: 'gauge',
    help: 'Memory reserved for the consensus engine of the running epoch; only touched pages are resident',
  },
  vws_store_memtables_bytes: {
    kind: 'gauge',
    help: 'Memory of rows that the store has not yet written to table files',
  },
  vws_store_cache_bytes: { kind: 'gauge', help: 'Cached blocks of the store' },
  vws_store_index_bytes: { kind: 'gauge', help: 'Indexes and filters of the store in memory' },
  vws_ocs_pending: { kind: 'gauge', help: 'Events waiting for verdicts' },
  vws_dag_size: { kind: 'gauge', help: 'Vertices ordered since genesis' },
  vws_dag_tips: { kind: 'gauge', help: 'Vertices without a known child' },
  vws_epoch: { kind: 'gauge', help: 'Number of the running epoch' },
  vws_last_order: { kind: 'gauge', help: 'Order number of the last executed vertex' },
  vws_silent_seats: { kind: 'gauge', help: 'Seats without an ordered vertex in the last sealed epochs' },
  vws_removed_seats: { kind: 'gauge', help: 'Silent seats without ordering weight until they are heard' },
  vws_consensus_time_seconds: { kind: 'gauge', help: 'Consensus time, Unix seconds' },
  vws_seq: { kind: 'gauge', help: 'Sequence number of the last executed event' },
  vws_consensus_order_latency_seconds: {
    kind: 'histogram',
    help: 'Time from acceptance to durable execution',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  vws_no_quorum_total: {
    kind: 'counter',
    help: 'Writes answered no_quorum because they were not ordered in time',
  },
  vws_equivocations_total: { kind: 'counter', help: 'Equivocations of seats proven in blocks' },
  vws_ws_messages_total: { kind: 'counter', help: 'Messages sent to event streams' },
  vws_ws_slow_consumers_total: { kind: 'counter', help: 'Event streams closed because they were too slow' },
  vws_api_requests_total: {
    kind: 'counter',
    labels: ['method', 'route', 'status'],
    help: 'Answered requests by method, route template and status',
  },
  vws_api_errors_total: {
    kind: 'counter',
    labels: ['code'],
    awaited: ['overloaded'],
    help: 'Refused requests by error code',
  },
  vws_api_latency_ms: {
    kind: 'histogram',
    labels: ['route'],
    help: 'Time from request to answer in milliseconds',
    buckets: [1, 5, 10, 25, 50, 100, 250, 500, 1000, 5000],
  },
  vws_rate_limit_rejects_total: {
    kind: 'counter',
    labels: ['dimension'],
    help: 'Requests refused by a rate limit',
  },
  vws_api_cost_ms_total: {
    kind: 'counter',
    labels: ['lane'],
    help: 'What requests cost, bytes included, in milliseconds of the main thread',
  },
  vws_api_cost_refused_total: {
    kind: 'counter',
    labels: ['lane', 'by'],
    help: 'Requests refused for what their address, its network, or all together cost',
  },
  vws_webhook_deliveries_total: {
    kind: 'counter',
    labels: ['result'],
    awaited: ['dropped'],
    help: 'Attempts to deliver a webhook: ok, retry, dropped, blocked',
  },
  vws_judge_answers_total: {
    kind: 'counter',
    labels: ['result'],
    help: "Answers of this node's judge: worker, poster, split, or why it gave no verdict",
  },
  vws_supply_check: { kind: 'gauge', help: '1 while all accounts add up to the supply' },
  // The machine, the queues and the peers, for operators
  vws_ready: { kind: 'gauge', help: '1 while the node is ready, as /health/ready says' },
  vws_seats: { kind: 'gauge', help: 'Seats with ordering weight in the running epoch' },
  vws_reachable_weight_ratio: {
    kind: 'gauge',
    help: 'Ordering weight of this seat and of those connected to it, as a part of all',
  },
  vws_checkpoint_height: { kind: 'gauge', help: 'Order of the newest checkpoint that a quorum signed' },
  vws_queued_writes: { kind: 'gauge', help: 'Writes that wait for a vertex', initial: 0 },
  vws_queued_signatures: {
    kind: 'gauge',
    help: 'Signatures that wait for a verification thread or are on one',
    initial: 0,
  },
  vws_batch_transactions: {
    kind: 'histogram',
    help: 'Transactions in one batch, which is one synced write',
    buckets: [0, 1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500],
  },
  vws_commit_latency_seconds: {
    kind: 'histogram',
    help: 'Time of the synced write of one batch',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  },
  vws_peer_latency_seconds: {
    kind: 'gauge',
    labels: ['seat'],
    help: 'Round trip of the last ping to the seat',
  },
  vws_peer_clock_offset_seconds: {
    kind: 'gauge',
    labels: ['seat'],
    help: 'How far the clock of the seat is ahead of the clock of this machine',
  },
  vws_cpu_seconds_total: { kind: 'counter', help: 'CPU time of the process, all threads' },
  vws_event_loop_delay_seconds: {
    kind: 'gauge',
    help: 'Longest that the main thread kept what was due waiting since the last scrape',
  },
  vws_disk_free_bytes: { kind: 'gauge', help: 'Room on the file system of the data directory' },
  vws_disk_size_bytes: { kind: 'gauge', help: 'Size of the file system of the data directory' },
  vws_store_files_bytes: { kind: 'gauge', help: 'Files of the store' },
  vws_store_wal_bytes: { kind: 'gauge', help: 'Write-ahead log among the files of the store' },
  // Of vws export, at its own endpoint; none of the others is there
  vws_export_seq: { kind: 'gauge', help: 'Newest event in the database' },
  vws_export_order: { kind: 'gauge', help: 'Order number up to which the database is complete' },
  vws_export_lag_orders: { kind: 'gauge', help: 'Order numbers by which the node is ahead of the database' },
  vws_export_lag_seconds: {
    kind: 'gauge',
    help: 'Time since the database was last seen to have everything that the node has',
  },
  vws_export_published_seq: { kind: 'gauge', help: 'Newest event in the stream of NATS' },
  vws_export_batch_events: {
    kind: 'histogram',
    help: 'Events in one batch, which is one transaction of the database',
    buckets: [0, 1, 10, 100, 1000, 10_000, 100_000],
  },
  vws_export_batch_seconds: {
    kind: 'histogram',
    help: 'Time of the transaction of one batch',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  vws_export_rows_total: { kind: 'counter', labels: ['table'], help: 'Rows written, by table' },
  vws_export_retries_total: {
    kind: 'counter',
    labels: ['server'],
    help: 'Attempts that failed for a passing reason, by server: node, database or stream',
  },
  vws_build_info: { kind: 'gauge', labels: ['version', 'chain_id', 'software_version'], help: 'Always 1' },
} as const satisfies Record<string, MetricRow>;
