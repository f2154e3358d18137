// The counters behind the metrics of the node; their table is metric-table.ts (protocol 11).
// Keeps: labels are bounded (templates, codes and types from fixed lists, never raw paths); counting is plain
// arithmetic, since it happens on every request, and prom-client formats the numbers at a scrape.

import { type Metric, Registry } from 'prom-client';
import type { CostRefusal, Lane } from './api/cost-budget.ts';
import { METRICS, type MetricRow } from './metric-table.ts';
import { Distribution, type Sample, Series } from './metric-values.ts';
import type { SeatJunk } from './net/figures.ts';
import type { EventDoc } from './store/documents.ts';
import type { TrendSums } from './store/trend-rows.ts';
import type { ThreadMemory } from './world/threads.ts';

export { METRICS };

type MetricName = keyof typeof METRICS;
type NamesOf<Kind> = {
  [N in MetricName]: (typeof METRICS)[N]['kind'] extends Kind ? N : never;
}[MetricName];
/** Counters that another component maintains. */
type ExternalCounter =
  | `vws_peer_${'sent_bytes' | 'received_bytes' | 'vertices'}_total`
  | 'vws_sync_requests_total'
  | 'vws_cpu_seconds_total';
/** Metrics read at a scrape. */
export type GaugeName = Exclude<NamesOf<'gauge'>, LabelledGauge> | ExternalCounter;
type LabelledGauge =
  | 'vws_build_info'
  | 'vws_tasks'
  | `vws_thread_${'heap' | 'heap_used' | 'external'}_bytes`
  | 'vws_peer_latency_seconds'
  | 'vws_peer_clock_offset_seconds';
type CounterName = NamesOf<'counter'>;

/** One connected seat; a member is missing while it is not known. */
export interface SeatLink {
  seat: number;
  latencyMs?: number | undefined;
  clockOffsetMs?: number | undefined;
}

/** What is counted of the requests of one route, by method and status. */
interface RouteMetrics {
  observe(ms: number): void;
  counters: Map<string, Map<number, (amount: number) => void>>;
}

/** Whose metrics: every one of the table is one program's. */
type Program = 'node' | 'export';
const programOf = (name: string): Program => (name.startsWith('vws_export_') ? 'export' : 'node');

const METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE']);

export class Metrics {
  private readonly registry = new Registry();
  private readonly series = new Map<string, Series>();
  private readonly distributions = new Map<string, Distribution>();
  private readonly orderLatencies = this.distribution('vws_consensus_order_latency_seconds');
  private readonly batchSizes = this.distribution('vws_batch_transactions');
  private readonly commitLatencies = this.distribution('vws_commit_latency_seconds');
  private readonly apiLatencies = this.distribution('vws_api_latency_ms');
  private readonly exportSizes = this.distribution('vws_export_batch_events');
  private readonly exportTimes = this.distribution('vws_export_batch_seconds');
  private readonly routes = new Map<string, RouteMetrics>();
  private readonly costs = new Map<Lane, (ms: number) => void>();
  private readGauges: () => Partial<Record<GaugeName, number>> = () => ({});
  private readJunk: () => readonly SeatJunk[] = () => [];
  private readLinks: () => readonly SeatLink[] = () => [];
  private readThreads: () => Promise<readonly ThreadMemory[]> = async () => [];
  private readTasks: () => Readonly<Record<string, number>> = () => ({});

  constructor(program: Program = 'node') {
    for (const [name, metric] of Object.entries(METRICS) as [MetricName, MetricRow][]) {
      const isShown = programOf(name) === program;
      if (metric.kind === 'histogram') {
        if (isShown) this.register(name, metric, () => this.distributions.get(name)!.samples());
        continue;
      }
      const series = new Series(metric.labels ?? []);
      this.series.set(name, series);
      // A counter without labels starts at 0; of those with labels, what an alert waits for.
      const initial = metric.kind === 'counter' && !metric.labels ? 0 : metric.initial;
      if (initial !== undefined) series.set(initial);
      for (const value of metric.awaited ?? []) series.set(0, value);
      if (isShown) this.register(name, metric, () => series.samples());
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

  /** Called at each scrape: the seats that are connected. */
  setLinks(read: () => readonly SeatLink[]): void {
    this.readLinks = read;
  }

  /** Called at each scrape: the threads that can tell their memory. */
  setThreads(read: () => Promise<readonly ThreadMemory[]>): void {
    this.readThreads = read;
  }

  setBuildInfo(version: string, chainId: string, softwareVersion: string): void {
    this.series.get('vws_build_info')!.set(1, version, chainId, softwareVersion);
  }

  /** One answered request. `route`: a template of the route table, or `unmatched`. */
  request(method: string, route: string, status: number, ms: number): void {
    let of = this.routes.get(route);
    if (!of) {
      of = { observe: this.apiLatencies.observer(route), counters: new Map() };
      this.routes.set(route, of);
    }
    const known = METHODS.has(method) ? method : 'other';
    const byStatus = of.counters.get(known) ?? new Map<number, (amount: number) => void>();
    if (byStatus.size === 0) of.counters.set(known, byStatus);
    let count = byStatus.get(status);
    if (!count) {
      count = this.series.get('vws_api_requests_total')!.counter(known, route, String(status));
      byStatus.set(status, count);
    }
    count(1);
    of.observe(ms);
  }

  /** One error answer, by code of the catalogue. */
  error(code: string): void {
    this.count('vws_api_errors_total', 1, code);
  }

  rateLimitReject(dimension: 'ip' | 'agent' | 'global'): void {
    this.count('vws_rate_limit_rejects_total', 1, dimension);
  }

  cost(lane: Lane, ms: number): void {
    let count = this.costs.get(lane);
    if (!count) {
      count = this.series.get('vws_api_cost_ms_total')!.counter(lane);
      this.costs.set(lane, count);
    }
    count(ms);
  }

  /** `by`: whose budget was used up; `turn`: too many requests waited for their turn. */
  costRefusal(lane: Lane, by: CostRefusal | 'turn'): void {
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

  /** An answer of the judge: a verdict, or why there was none. */
  judged(result: string): void {
    this.count('vws_judge_answers_total', 1, result);
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

  /** One batch on disk: its transactions, and the seconds of its synced write. */
  committed(transactions: number, secs: number): void {
    this.batchSizes.observe(transactions);
    this.commitLatencies.observe(secs);
  }

  /** One batch in the database of an export: its rows by table, and the seconds of its transaction. */
  exported(rows: Readonly<Record<string, number>>, secs: number): void {
    this.exportSizes.observe(rows.event ?? 0);
    this.exportTimes.observe(secs);
    for (const [table, count] of Object.entries(rows)) this.count('vws_export_rows_total', count, table);
  }

  /** An attempt of an export failed and is repeated. */
  exportRetry(server: 'node' | 'database' | 'stream'): void {
    this.count('vws_export_retries_total', 1, server);
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

  /** What was counted since the start, for the trend. */
  trendSums(): TrendSums {
    const sum = (name: CounterName): number => this.series.get(name)!.sum;
    return {
      transactions: sum('vws_transactions_total'),
      volume: sum('vws_transaction_volume_microunits_total'),
      fees: sum('vws_fees_collected_microunits_total'),
      latencies: this.orderLatencies.counts,
    };
  }

  /** The text of GET /metrics, format 0.0.4. */
  async render(): Promise<string> {
    for (const [name, value] of Object.entries(this.readGauges())) this.series.get(name)?.set(value);
    for (const { seat, bytes, held, dropped } of this.readJunk()) {
      this.series.get('vws_junk_bytes_total')!.set(bytes, String(seat));
      this.series.get('vws_held_vertices_total')!.set(held, String(seat));
      this.series.get('vws_dropped_vertices_total')!.set(dropped, String(seat));
    }
    this.renderLinks();
    await this.renderThreads();
    const tasks = this.series.get('vws_tasks')!;
    for (const [status, count] of Object.entries(this.readTasks())) tasks.set(count, status);
    return this.registry.metrics();
  }

  /** A thread that is gone, or does not answer, has no line. */
  private async renderThreads(): Promise<void> {
    const threads = await this.readThreads();
    const heap = this.series.get('vws_thread_heap_bytes')!;
    const used = this.series.get('vws_thread_heap_used_bytes')!;
    const external = this.series.get('vws_thread_external_bytes')!;
    for (const series of [heap, used, external]) series.clear();
    for (const { name, heapBytes, usedBytes, externalBytes } of threads) {
      heap.set(heapBytes, name);
      used.set(usedBytes, name);
      external.set(externalBytes, name);
    }
  }

  /** A seat that is gone has no line: its last figures would look like present ones. */
  private renderLinks(): void {
    const latencies = this.series.get('vws_peer_latency_seconds')!;
    const offsets = this.series.get('vws_peer_clock_offset_seconds')!;
    for (const series of [latencies, offsets]) series.clear();
    for (const { seat, latencyMs, clockOffsetMs } of this.readLinks()) {
      if (latencyMs !== undefined) latencies.set(latencyMs / 1000, String(seat));
      if (clockOffsetMs !== undefined) offsets.set(Math.round(clockOffsetMs) / 1000, String(seat));
    }
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
    const metric: MetricRow = METRICS[name];
    const distribution = new Distribution(name, metric.buckets ?? [], metric.labels?.[0]);
    this.distributions.set(name, distribution);
    return distribution;
  }

  /** prom-client formats any object whose `get` returns data in its own form. */
  private register(name: string, metric: MetricRow, samples: () => Sample[]): void {
    const get = async () => ({ name, help: metric.help, type: metric.kind, values: samples() });
    this.registry.registerMetric({ name, get } as unknown as Metric);
  }
}
