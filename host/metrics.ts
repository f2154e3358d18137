// The metrics of the node (protocol 11): one table of names, and the counters behind it.
// Keeps: labels are bounded (templates, codes and types from fixed lists, never raw paths); counting is plain
// arithmetic, since it happens on every request, and prom-client formats the numbers at a scrape.

import { type Metric, Registry } from 'prom-client';
import type { SeatJunk } from './net/figures.ts';
import type { EventDoc } from './store/documents.ts';

interface Row {
  kind: 'counter' | 'gauge' | 'histogram';
  help: string;
  labels?: readonly string[];
  /** Upper bounds of a histogram. */
  buckets?: readonly number[];
  /** Value before the first update; absent for a gauge that is unknown until then. */
  initial?: number;
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
    help: 'Vertices of a seat that were held back for its junk',
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
  vws_api_errors_total: { kind: 'counter', labels: ['code'], help: 'Refused requests by error code' },
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
    help: 'Attempts to deliver a webhook: ok, retry, dropped, blocked',
  },
  vws_supply_check: { kind: 'gauge', help: '1 while all accounts add up to the supply' },
  vws_build_info: { kind: 'gauge', labels: ['version', 'chain_id'], help: 'Always 1' },
} as const satisfies Record<string, Row>;

type MetricName = keyof typeof METRICS;
type NamesOf<Kind> = {
  [N in MetricName]: (typeof METRICS)[N]['kind'] extends Kind ? N : never;
}[MetricName];
/** Counters that another component maintains. */
type ExternalCounter =
  | `vws_peer_${'sent_bytes' | 'received_bytes' | 'vertices'}_total`
  | 'vws_sync_requests_total';
/** Metrics read at a scrape. */
export type GaugeName = Exclude<NamesOf<'gauge'>, 'vws_build_info' | 'vws_tasks'> | ExternalCounter;
type CounterName = NamesOf<'counter'>;

interface Sample {
  labels: Record<string, string | number>;
  value: number;
  metricName?: string;
}

/** Values of one metric by labels; `samples` gives them in the form that prom-client needs at a scrape. */
class Series {
  private readonly values = new Map<string, { labels: Record<string, string>; value: number }>();

  constructor(private readonly names: readonly string[]) {}

  add(amount: number, ...labels: readonly string[]): void {
    const key = labels.length === 1 ? labels[0]! : labels.join('\n');
    const entry = this.values.get(key);
    if (entry) entry.value += amount;
    else this.values.set(key, { labels: this.labelled(labels), value: amount });
  }

  set(value: number, ...labels: readonly string[]): void {
    this.values.set(labels.join('\n'), { labels: this.labelled(labels), value });
  }

  samples(): Sample[] {
    return [...this.values.values()];
  }

  private labelled(labels: readonly string[]): Record<string, string> {
    return Object.fromEntries(this.names.map((name, i) => [name, labels[i] ?? '']));
  }
}

/** Counts by bucket for each label value (at most one label). */
class Distribution {
  private readonly children = new Map<string, { counts: Float64Array; sum: number }>();

  constructor(
    private readonly name: string,
    private readonly bounds: readonly number[],
    private readonly label: string | undefined,
  ) {}

  observe(value: number, label = ''): void {
    let child = this.children.get(label);
    if (!child) {
      child = { counts: new Float64Array(this.bounds.length + 1), sum: 0 };
      this.children.set(label, child);
    }
    let at = 0;
    while (at < this.bounds.length && value > this.bounds[at]!) at++;
    child.counts[at]!++;
    child.sum += value;
  }

  samples(): Sample[] {
    const samples: Sample[] = [];
    for (const [label, { counts, sum }] of this.children) {
      const labels: Record<string, string> = this.label === undefined ? {} : { [this.label]: label };
      let total = 0;
      for (const [i, count] of counts.entries()) {
        total += count;
        const le = i < this.bounds.length ? this.bounds[i]! : '+Inf';
        samples.push({ metricName: `${this.name}_bucket`, labels: { le, ...labels }, value: total });
      }
      samples.push({ metricName: `${this.name}_sum`, labels, value: sum });
      samples.push({ metricName: `${this.name}_count`, labels, value: total });
    }
    return samples;
  }
}

const METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE']);

export class Metrics {
  private readonly registry = new Registry();
  private readonly series = new Map<string, Series>();
  private readonly orderLatencies = this.distribution('vws_consensus_order_latency_seconds');
  private readonly apiLatencies = this.distribution('vws_api_latency_ms');
  private readonly requests = new Map<string, Map<number, () => void>>();
  private readGauges: () => Partial<Record<GaugeName, number>> = () => ({});
  private readJunk: () => readonly SeatJunk[] = () => [];
  private readTasks: () => Readonly<Record<string, number>> = () => ({});

  constructor() {
    for (const [name, metric] of Object.entries(METRICS) as [MetricName, Row][]) {
      if (metric.kind === 'histogram') continue;
      const series = new Series(metric.labels ?? []);
      this.series.set(name, series);
      // A counter without labels starts at 0; label values are not known before they occur.
      const initial = metric.kind === 'counter' && !metric.labels ? 0 : metric.initial;
      if (initial !== undefined) series.set(initial);
      this.register(name, metric, () => series.samples());
    }
  }

  /** Called at each scrape; a gauge that is missing keeps its last value. */
  setGauges(read: () => Partial<Record<GaugeName, number>>): void {
    this.readGauges = read;
  }

  /** Called at each scrape: what each seat signed of no use since the start. */
  setJunk(read: () => readonly SeatJunk[]): void {
    this.readJunk = read;
  }

  /** Called at each scrape: number of tasks by status. */
  setTasks(read: () => Readonly<Record<string, number>>): void {
    this.readTasks = read;
  }

  setBuildInfo(version: string, chainId: string): void {
    this.series.get('vws_build_info')!.set(1, version, chainId);
  }

  /** One answered request. `route`: a template of the route table, or `unmatched`. */
  request(method: string, route: string, status: number, ms: number): void {
    const known = METHODS.has(method) ? method : 'other';
    const key = `${known} ${route}`;
    const byStatus = this.requests.get(key) ?? new Map<number, () => void>();
    if (byStatus.size === 0) this.requests.set(key, byStatus);
    let count = byStatus.get(status);
    if (!count) {
      const series = this.series.get('vws_api_requests_total')!;
      const text = String(status);
      count = () => series.add(1, known, route, text);
      byStatus.set(status, count);
    }
    count();
    this.apiLatencies.observe(ms, route);
  }

  /** One error answer, by code of the catalogue. */
  error(code: string): void {
    this.count('vws_api_errors_total', 1, code);
  }

  rateLimitReject(dimension: 'ip' | 'agent' | 'global'): void {
    this.count('vws_rate_limit_rejects_total', 1, dimension);
  }

  cost(lane: 'read' | 'write' | 'page' | 'form', ms: number): void {
    this.count('vws_api_cost_ms_total', ms, lane);
  }

  /** `by`: whose budget was used up; `turn`: too many requests waited for their turn. */
  costRefusal(lane: 'read' | 'write' | 'page' | 'form', by: 'address' | 'network' | 'node' | 'turn'): void {
    this.count('vws_api_cost_refused_total', 1, lane, by);
  }

  streamMessages(count: number): void {
    this.count('vws_ws_messages_total', count);
  }

  slowConsumer(): void {
    this.count('vws_ws_slow_consumers_total', 1);
  }

  webhookDelivery(result: 'ok' | 'retry' | 'dropped' | 'blocked'): void {
    this.count('vws_webhook_deliveries_total', 1, result);
  }

  /** Proofs of equivocation in the blocks of one batch. */
  equivocations(count: number): void {
    this.count('vws_equivocations_total', count);
  }

  noQuorum(): void {
    this.count('vws_no_quorum_total', 1);
  }

  /** Seconds from acceptance to durable execution of one write. */
  orderLatency(secs: number): void {
    this.orderLatencies.observe(secs);
  }

  /** The part of a base or assurance fee paid to the treasury, in micro-units. */
  treasuryFee(amountMicro: number): void {
    this.count('vws_fees_treasury_microunits_total', amountMicro);
  }

  /** The events of one durable batch. */
  executed(events: readonly EventDoc[]): void {
    for (const event of events) {
      if (event.auth !== 'system') {
        this.count('vws_transactions_total', 1, event.event_type);
        if (event.amount !== undefined) this.count('vws_transaction_volume_microunits_total', event.amount);
      } else if (event.event_type === 'settlement') this.settlement(event.payload);
      else if (event.event_type === 'slash') {
        const { reason, amount } = event.payload as { reason: string; amount: number };
        this.count('vws_slash_events_total', 1, reason);
        this.count('vws_slashed_microunits_total', amount, reason);
      } else if (event.event_type === 'task_settled') {
        const { base_fee, assurance_fee } = event.payload as { base_fee: number; assurance_fee: number };
        if (base_fee > 0) this.count('vws_fees_collected_microunits_total', base_fee, 'base');
        if (assurance_fee > 0) this.count('vws_fees_collected_microunits_total', assurance_fee, 'assurance');
      }
    }
  }

  /** The text of GET /metrics, format 0.0.4. */
  render(): Promise<string> {
    for (const [name, value] of Object.entries(this.readGauges())) this.series.get(name)?.set(value);
    for (const { seat, bytes, held, dropped } of this.readJunk()) {
      this.series.get('vws_junk_bytes_total')!.set(bytes, String(seat));
      this.series.get('vws_held_vertices_total')!.set(held, String(seat));
      this.series.get('vws_dropped_vertices_total')!.set(dropped, String(seat));
    }
    const tasks = this.series.get('vws_tasks')!;
    for (const [status, count] of Object.entries(this.readTasks())) tasks.set(count, status);
    return this.registry.metrics();
  }

  private settlement(payload: Record<string, unknown>): void {
    const { target_type, settlement_state, settlement_reason, fee } = payload as Record<string, string>;
    if (settlement_state === 'settled') this.count('vws_transactions_settled_total', 1, target_type!);
    else this.count('vws_transactions_adjusted_total', 1, target_type!, settlement_reason!);
    if (Number(fee) > 0) this.count('vws_fees_collected_microunits_total', Number(fee), 'base');
  }

  private count(name: CounterName, amount: number, ...labels: readonly string[]): void {
    this.series.get(name)!.add(amount, ...labels);
  }

  private distribution(name: NamesOf<'histogram'>): Distribution {
    const metric: Row = METRICS[name];
    const distribution = new Distribution(name, metric.buckets ?? [], metric.labels?.[0]);
    this.register(name, metric, () => distribution.samples());
    return distribution;
  }

  /** prom-client formats any object whose `get` returns data in its own form. */
  private register(name: string, metric: Row, samples: () => Sample[]): void {
    const get = async () => ({ name, help: metric.help, type: metric.kind, values: samples() });
    this.registry.registerMetric({ name, get } as unknown as Metric);
  }
}
