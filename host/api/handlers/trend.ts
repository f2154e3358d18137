// What this node executed and how it was over the last hour, day or week (protocol 4.10).
// Keeps: an answer is at most as long as its ring; quantiles are estimates within a bucket of the counts beside them.

import { METRICS } from '../../metric-table.ts';
import { TREND_SPANS, type TrendSample, type TrendSpan } from '../../store/trend-rows.ts';
import type { ReadContext } from '../context.ts';
import type { ReadArgs, Reply } from '../route.ts';

/** Upper bounds of the buckets, microseconds. */
const BOUNDS_US = METRICS.vws_consensus_order_latency_seconds.buckets.map((secs) => Math.round(secs * 1e6));

/** The latency that `perMille` of the counted writes did not exceed; undefined without writes. */
export function quantileUs(counts: readonly number[], perMille: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const rank = (total * perMille) / 1000;
  let seen = 0;
  for (const [bucket, count] of counts.entries()) {
    // What was slower than the last bound is only known to be that.
    const [from, to] = [BOUNDS_US[bucket - 1] ?? 0, BOUNDS_US[bucket] ?? BOUNDS_US.at(-1)!];
    if (count > 0 && seen + count >= rank) return Math.round(from + ((to - from) * (rank - seen)) / count);
    seen += count;
  }
  return BOUNDS_US.at(-1);
}

function sampleBody(s: TrendSample): Record<string, unknown> {
  const [p50, p99] = [quantileUs(s.latencies, 500), quantileUs(s.latencies, 990)];
  return {
    time: s.timeSecs,
    seconds: Math.round(s.seconds),
    ready_seconds: Math.round(s.readySeconds),
    transactions: s.transactions,
    volume: s.volume,
    fees: s.fees,
    latencies: s.latencies,
    ...(p50 === undefined ? {} : { latency_p50: p50 }),
    ...(p99 === undefined ? {} : { latency_p99: p99 }),
    order: s.order,
    agents: s.agents,
    open_tasks: s.openTasks,
    parts: s.parts,
  };
}

export function trend(c: ReadContext, { query }: ReadArgs): Reply {
  const span = query.span as TrendSpan;
  const samples = c.trend(span).map(sampleBody);
  return {
    body: { span, step_seconds: TREND_SPANS[span].stepSecs, latency_bounds: BOUNDS_US, samples },
  };
}
