// The last hour, day or week of this node: transactions, finality, money moved. The samples are the node's own.

import type { Trend, TrendSample } from '../../../client/index.ts';
import { Columns } from '../../chart/columns.tsx';
import { Figure } from '../../chart/figure.tsx';
import { Later } from '../../parts/later.tsx';
import type { Column } from '../../parts/table.tsx';
import { Money, Time } from '../../parts/values.tsx';
import { linkTo } from '../../routes.ts';
import { formatCount, formatMicro, formatWhole } from '../../text/amount.ts';
import { formatLocal, formatSpan } from '../../text/time.ts';
import { plural } from '../../text/words.ts';
import { formatLatency, formatRate, quantiles, slotsOf } from './samples.ts';

export const SPANS = ['hour', 'day', 'week'] as const;
export type Span = (typeof SPANS)[number];

export function SpanChoice({ at }: { at: Span }) {
  return (
    <nav class="spans" aria-label="Time shown by the charts">
      {SPANS.map((span) => (
        <a
          key={span}
          href={linkTo('overview', '', { span: span === 'hour' ? undefined : span })}
          aria-current={span === at ? 'true' : undefined}
        >
          Last {span}
        </a>
      ))}
    </nav>
  );
}

const when: Column<TrendSample> = { name: 'From', cell: (s) => <Time secs={s.time} /> };
const keyOf = (s: TrendSample): number => s.time;
const sum = (samples: readonly TrendSample[], of: (s: TrendSample) => number): number =>
  samples.reduce((total, sample) => total + of(sample), 0);

interface TrendProps {
  of: Trend;
  nowSecs: number;
}

/** Below the columns of every chart over time. */
const endsOf = ({ of }: TrendProps): [string, string] => [
  `${of.span === 'week' ? '7 d' : of.span === 'day' ? '24 h' : '60 min'} ago`,
  'now',
];

function Rate({ of, nowSecs }: TrendProps) {
  const { samples } = of;
  const slots = slotsOf(of, nowSecs);
  const [count, secs] = [sum(samples, (s) => s.transactions), sum(samples, (s) => s.seconds)];
  const down = sum(samples, (s) => s.seconds - s.ready_seconds);
  return (
    <Figure
      title="Transactions per second"
      says={
        <>
          {formatCount(count)} {plural(count, 'transaction')} in {formatSpan(secs)}, {formatRate(count, secs)}{' '}
          a second on average.{' '}
          {down > 0 && <b class="warn">The node was not ready for {formatSpan(down)} of it (in red).</b>}
        </>
      }
      columns={[
        when,
        { name: 'Transactions', isNumber: true, cell: (s) => formatCount(s.transactions) },
        { name: 'Per second', isNumber: true, cell: (s) => formatRate(s.transactions, s.seconds) },
        { name: 'Not ready', isNumber: true, cell: (s) => formatSpan(s.seconds - s.ready_seconds) },
      ]}
      rows={samples}
      keyOf={keyOf}
    >
      <Columns
        bars={slots.map(({ time, sample }) => ({
          to: sample && sample.seconds > 0 ? sample.transactions / sample.seconds : 0,
          title: `${formatLocal(time)}: ${sample ? formatCount(sample.transactions) : 'the node did not run'}`,
        }))}
        ends={endsOf({ of, nowSecs })}
        nameOf={(value) => `${value} a second`}
        isBad={(i) => {
          const sample = slots[i]?.sample;
          return sample !== undefined && sample.ready_seconds < sample.seconds;
        }}
      />
    </Figure>
  );
}

function Finality({ of, nowSecs }: TrendProps) {
  const slots = slotsOf(of, nowSecs);
  const { p50, p99 } = quantiles(of);
  return (
    <Figure
      title="Time until final"
      says={
        p50 === undefined
          ? 'No write was sent to this node in this time.'
          : `Half of the writes were final within ${formatLatency(p50)}, 99 % within ${formatLatency(p99)}. Each column reaches from the one to the other; steps are by powers of ten.`
      }
      columns={[
        when,
        { name: 'Half within', isNumber: true, cell: (s) => formatLatency(s.latency_p50) },
        { name: '99 % within', isNumber: true, cell: (s) => formatLatency(s.latency_p99) },
      ]}
      rows={of.samples.filter((s) => s.latency_p50 !== undefined)}
      keyOf={keyOf}
    >
      <Columns
        scale="log"
        bars={slots.map(({ time, sample }) => ({
          ...(sample?.latency_p50 === undefined ? {} : { from: sample.latency_p50 }),
          to: sample?.latency_p99 ?? 0,
          title: `${formatLocal(time)}: ${formatLatency(sample?.latency_p50)} to ${formatLatency(sample?.latency_p99)}`,
        }))}
        ends={endsOf({ of, nowSecs })}
        nameOf={formatLatency}
      />
    </Figure>
  );
}

interface Bucket {
  name: string;
  count: number;
}

function Distribution({ of }: { of: Trend }) {
  const bounds = of.latency_bounds;
  const buckets: Bucket[] = [...bounds, undefined].map((bound, i) => ({
    name: bound === undefined ? `above ${formatLatency(bounds.at(-1))}` : `up to ${formatLatency(bound)}`,
    count: sum(of.samples, (s) => s.latencies[i] ?? 0),
  }));
  const total = buckets.reduce((all, { count }) => all + count, 0);
  const most = buckets.reduce((best, bucket) => (bucket.count > best.count ? bucket : best));
  return (
    <Figure
      title="How the times are spread"
      says={
        total === 0
          ? 'Nothing to show yet.'
          : `Of ${formatCount(total)} ${plural(total, 'write')} most, ${formatCount(most.count)}, took ${most.name}.`
      }
      columns={[
        { name: 'Time until final', cell: (b: Bucket) => b.name },
        { name: 'Writes', isNumber: true, cell: (b: Bucket) => formatCount(b.count) },
      ]}
      rows={buckets}
      keyOf={(b) => b.name}
    >
      <Columns
        bars={buckets.map(({ name, count }) => ({ to: count, title: `${name}: ${formatCount(count)}` }))}
        ends={[formatLatency(bounds[0]), `above ${formatLatency(bounds.at(-1))}`]}
        nameOf={(value) => `${formatCount(value)} writes`}
      />
    </Figure>
  );
}

function Moved({ of, nowSecs }: TrendProps) {
  const [volume, fees] = [sum(of.samples, (s) => s.volume), sum(of.samples, (s) => s.fees)];
  return (
    <Figure
      title="Money moved"
      says={
        <>
          <Money micro={volume} /> tokens moved, and <Money micro={fees} /> taken as fees.
        </>
      }
      columns={[
        when,
        { name: 'Moved', isNumber: true, cell: (s) => <Money micro={s.volume} /> },
        { name: 'Fees', isNumber: true, cell: (s) => <Money micro={s.fees} /> },
      ]}
      rows={of.samples}
      keyOf={keyOf}
    >
      <Columns
        bars={slotsOf(of, nowSecs).map(({ time, sample }) => ({
          to: sample?.volume ?? 0,
          title: `${formatLocal(time)}: ${formatMicro(sample?.volume ?? 0)} moved, ${formatMicro(sample?.fees ?? 0)} fees`,
        }))}
        ends={endsOf({ of, nowSecs })}
        nameOf={(value) =>
          value < 1_000_000 ? `${formatMicro(value)} tokens` : `${formatWhole(value)} tokens`
        }
      />
    </Figure>
  );
}

export function Trends(props: TrendProps) {
  return (
    <div class="charts">
      <Later>
        <Rate {...props} />
      </Later>
      <Later>
        <Finality {...props} />
      </Later>
      <Later>
        <Moved {...props} />
      </Later>
      <Later>
        <Distribution of={props.of} />
      </Later>
    </div>
  );
}
