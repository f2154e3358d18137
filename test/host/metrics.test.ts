import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { METRICS, Metrics } from '../../host/metrics.ts';
import type { EventDoc } from '../../host/store/documents.ts';

/** Samples of the text format: `name{labels}` to value; checks the format on the way. */
function parse(text: string): Map<string, number> {
  expect(text.endsWith('\n')).toBe(true);
  const samples = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const match = /^([a-z_0-9]+(?:\{[^}]*\})?) (\S+)$/.exec(line);
    expect(match, line).not.toBeNull();
    expect(samples.has(match![1]!), `${line} twice`).toBe(false);
    samples.set(match![1]!, Number(match![2]));
  }
  return samples;
}
const read = async (metrics: Metrics) => parse(await metrics.render());

const event = (doc: Partial<EventDoc>): EventDoc => ({ auth: 'tx_v1', payload: {}, ...doc }) as EventDoc;
const settlement = (payload: Record<string, unknown>): EventDoc =>
  event({ event_type: 'settlement', auth: 'system', payload });

describe('metrics (protocol 11)', () => {
  it('have names with the prefix, help and the labels of the table', async () => {
    const text = `${await new Metrics().render()}${await new Metrics('export').render()}`;
    for (const [name, row] of Object.entries(METRICS)) {
      expect(name).toMatch(/^vws_[a-z0-9_]+$/);
      expect(text).toContain(`# HELP ${name} `);
      expect(text).toContain(`# TYPE ${name} ${row.kind}`);
    }
  });

  it('are each counted or read somewhere, and what counts is called', () => {
    const files = readdirSync('host', { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.tsx?$/.test(name),
    );
    const text = files.map((name) => readFileSync(join('host', name), 'utf8')).join('\n');
    const occurs = (pattern: string) => [...text.matchAll(new RegExp(pattern, 'g'))].length;
    // Once in the table, once where it is counted or read.
    expect(Object.keys(METRICS).filter((name) => occurs(`\\b${name}\\b`) < 2)).toEqual([]);
    const methods = Object.getOwnPropertyNames(Metrics.prototype).filter((name) => name !== 'constructor');
    expect(methods.filter((name) => occurs(`\\.${name}\\b`) === 0)).toEqual([]);
  });

  it('are each shown by one program only', async () => {
    const [node, exporter] = await Promise.all([new Metrics().render(), new Metrics('export').render()]);
    for (const name of Object.keys(METRICS)) {
      const isOfExport = name.startsWith('vws_export_');
      expect([name, node.includes(`TYPE ${name} `)]).toEqual([name, !isOfExport]);
      expect([name, exporter.includes(`TYPE ${name} `)]).toEqual([name, isOfExport]);
    }
  });

  it('count the batches and rows of an export, and what it tried again', async () => {
    const metrics = new Metrics('export');
    metrics.setGauges(() => ({ vws_export_seq: 7 }));
    metrics.exported({ event: 3, posting: 8 }, 0.02);
    metrics.exported({ event: 0, agent: 1 }, 0.3);
    metrics.exportRetry('database');
    const samples = await read(metrics);
    expect(samples.get('vws_export_seq')).toBe(7);
    expect(samples.get('vws_export_rows_total{table="event"}')).toBe(3);
    expect(samples.get('vws_export_rows_total{table="posting"}')).toBe(8);
    expect(samples.get('vws_export_batch_events_sum')).toBe(3);
    expect(samples.get('vws_export_batch_seconds_count')).toBe(2);
    expect(samples.get('vws_export_retries_total{server="database"}')).toBe(1);
    expect([...samples.keys()].filter((name) => !name.startsWith('vws_export_'))).toEqual([]);
  });

  it('counters without labels and known gauges start at 0, unknown gauges are absent', async () => {
    const samples = await read(new Metrics());
    expect(samples.get('vws_no_quorum_total')).toBe(0);
    expect(samples.get('vws_peer_count')).toBe(0);
    expect(samples.has('vws_agents_registered')).toBe(false);
  });

  it('count requests by method, template and status, with latencies by template', async () => {
    const metrics = new Metrics();
    metrics.request('POST', '/v1/transfer', 201, 3);
    metrics.request('POST', '/v1/transfer', 201, 7_000);
    metrics.request('POST', '/v1/transfer', 402, 5);
    metrics.request('BREW', 'unmatched', 404, 0.2);
    metrics.error('insufficient_balance');
    const samples = await read(metrics);
    expect(samples.get('vws_api_requests_total{method="POST",route="/v1/transfer",status="201"}')).toBe(2);
    expect(samples.get('vws_api_requests_total{method="POST",route="/v1/transfer",status="402"}')).toBe(1);
    expect(samples.get('vws_api_requests_total{method="other",route="unmatched",status="404"}')).toBe(1);
    expect(samples.get('vws_api_errors_total{code="insufficient_balance"}')).toBe(1);
    const bucket = (le: string) => samples.get(`vws_api_latency_ms_bucket{le="${le}",route="/v1/transfer"}`);
    expect(['1', '5', '10', '5000', '+Inf'].map(bucket)).toEqual([0, 2, 2, 2, 3]);
    expect(samples.get('vws_api_latency_ms_sum{route="/v1/transfer"}')).toBe(7_008);
    expect(samples.get('vws_api_latency_ms_count{route="/v1/transfer"}')).toBe(3);
  });

  it('show the seats that are connected now, and none that are gone', async () => {
    const metrics = new Metrics();
    let links = [{ seat: 1, latencyMs: 20, clockOffsetMs: -1500 }, { seat: 3 }];
    metrics.setLinks(() => links);
    const first = await read(metrics);
    expect(first.get('vws_peer_latency_seconds{seat="1"}')).toBe(0.02);
    expect(first.get('vws_peer_clock_offset_seconds{seat="1"}')).toBe(-1.5);
    expect(first.has('vws_peer_latency_seconds{seat="3"}')).toBe(false);
    links = [];
    expect((await read(metrics)).has('vws_peer_latency_seconds{seat="1"}')).toBe(false);
  });

  it('count batches by size and by the time of their write', async () => {
    const metrics = new Metrics();
    metrics.committed(7, 0.004);
    const samples = await read(metrics);
    expect(samples.get('vws_batch_transactions_bucket{le="5"}')).toBe(0);
    expect(samples.get('vws_batch_transactions_bucket{le="10"}')).toBe(1);
    expect(samples.get('vws_commit_latency_seconds_sum')).toBe(0.004);
  });

  it('count what was executed, settled, slashed', async () => {
    const metrics = new Metrics();
    metrics.executed([
      event({ event_type: 'genesis', auth: 'system' }),
      event({ event_type: 'transfer', amount: 500 }),
      event({ event_type: 'transfer', amount: 700, auth: 'api_key' }),
      event({ event_type: 'registration' }),
      settlement({
        target_type: 'transfer',
        settlement_state: 'settled',
        settlement_reason: 'verified',
        fee: 12,
      }),
      settlement({
        target_type: 'transfer',
        settlement_state: 'adjusted',
        settlement_reason: 'expired',
        fee: 0,
      }),
      event({ event_type: 'slash', auth: 'system', payload: { reason: 'rejected_transfer', amount: 40 } }),
    ]);
    metrics.treasuryFee(3);
    const samples = await read(metrics);
    expect(samples.get('vws_transactions_total{type="transfer"}')).toBe(2);
    expect(samples.get('vws_transactions_total{type="registration"}')).toBe(1);
    expect(samples.has('vws_transactions_total{type="genesis"}')).toBe(false);
    expect(samples.get('vws_transaction_volume_microunits_total')).toBe(1_200);
    expect(samples.get('vws_transactions_settled_total{type="transfer"}')).toBe(1);
    expect(samples.get('vws_transactions_adjusted_total{type="transfer",reason="expired"}')).toBe(1);
    expect(samples.get('vws_fees_collected_microunits_total{kind="base"}')).toBe(12);
    expect(samples.get('vws_fees_treasury_microunits_total')).toBe(3);
    expect(samples.get('vws_slash_events_total{reason="rejected_transfer"}')).toBe(1);
    expect(samples.get('vws_slashed_microunits_total{reason="rejected_transfer"}')).toBe(40);
  });

  it('count the fees of settled tasks by kind, tasks by status, and junk by seat', async () => {
    const metrics = new Metrics();
    const settled = (base_fee: number, assurance_fee: number): EventDoc =>
      event({ event_type: 'task_settled', auth: 'system', payload: { base_fee, assurance_fee } });
    metrics.executed([settled(200, 6_000), settled(100, 0), settled(0, 0)]);
    metrics.setTasks(() => ({ open: 2, completed: 0 }));
    metrics.setJunk(() => [{ seat: 3, bytes: 70, held: 2, dropped: 1 }]);
    const samples = await read(metrics);
    expect(samples.get('vws_fees_collected_microunits_total{kind="base"}')).toBe(300);
    expect(samples.get('vws_fees_collected_microunits_total{kind="assurance"}')).toBe(6_000);
    expect(samples.get('vws_junk_bytes_total{seat="3"}')).toBe(70);
    expect(samples.get('vws_held_vertices_total{seat="3"}')).toBe(2);
    expect(samples.get('vws_dropped_vertices_total{seat="3"}')).toBe(1);
    expect(samples.get('vws_tasks{status="open"}')).toBe(2);
    expect(samples.get('vws_tasks{status="completed"}')).toBe(0);
  });

  it('read gauges at each scrape', async () => {
    const metrics = new Metrics();
    let order = 7;
    metrics.setGauges(() => ({ vws_last_order: order, vws_supply_check: 1 }));
    metrics.setBuildInfo('0.1.0-testnet', 'vws-testnet-1', '0.1.0');
    metrics.noQuorum();
    metrics.equivocations(2);
    metrics.rateLimitReject('ip');
    metrics.orderLatency(0.003);
    expect((await read(metrics)).get('vws_last_order')).toBe(7);
    order = 8;
    const samples = await read(metrics);
    expect(samples.get('vws_last_order')).toBe(8);
    expect(samples.get('vws_supply_check')).toBe(1);
    expect(
      samples.get(
        'vws_build_info{version="0.1.0-testnet",chain_id="vws-testnet-1",software_version="0.1.0"}',
      ),
    ).toBe(1);
    expect(samples.get('vws_no_quorum_total')).toBe(1);
    expect(samples.get('vws_equivocations_total')).toBe(2);
    expect(samples.get('vws_rate_limit_rejects_total{dimension="ip"}')).toBe(1);
    expect(samples.get('vws_consensus_order_latency_seconds_bucket{le="0.005"}')).toBe(1);
    expect(samples.get('vws_consensus_order_latency_seconds_bucket{le="0.0025"}')).toBe(0);
    expect(samples.get('vws_consensus_order_latency_seconds_count')).toBe(1);
  });

  it('report counters of other parts unchanged, from 0 on', async () => {
    const metrics = new Metrics();
    const names = ['peer_sent_bytes', 'peer_received_bytes', 'peer_vertices', 'sync_requests'];
    const first = await read(metrics);
    expect(names.map((name) => first.get(`vws_${name}_total`))).toEqual([0, 0, 0, 0]);
    metrics.setGauges(() => ({ vws_peer_sent_bytes_total: 17, vws_catch_up_orders: 4, vws_epoch: 2 }));
    const samples = await read(metrics);
    expect(samples.get('vws_peer_sent_bytes_total')).toBe(17);
    expect(samples.get('vws_catch_up_orders')).toBe(4);
    expect(samples.get('vws_epoch')).toBe(2);
  });

  it('show the memory of threads that are there, and none that is gone', async () => {
    const metrics = new Metrics();
    const memory = (name: string) => ({ name, heapBytes: 30, usedBytes: 20, externalBytes: 10 });
    let threads = [memory('main'), memory('store')];
    metrics.setThreads(async () => threads);
    const first = await read(metrics);
    expect(first.get('vws_thread_heap_bytes{thread="store"}')).toBe(30);
    expect(first.get('vws_thread_heap_used_bytes{thread="store"}')).toBe(20);
    expect(first.get('vws_thread_external_bytes{thread="main"}')).toBe(10);
    threads = [memory('main')];
    expect((await read(metrics)).has('vws_thread_heap_bytes{thread="store"}')).toBe(false);
  });
});
