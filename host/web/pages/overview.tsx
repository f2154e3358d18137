// The start page: whether this node and its network are well, how fast and how busy they are, and what is happening now.

import type { ComponentChildren } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { Economics, NetworkState, Status, TaskStats } from '../../client/index.ts';
import { portableClock } from '../../world/portable.ts';
import { node } from '../data/node.ts';
import { useNow } from '../data/now.ts';
import { useLive } from '../data/use-live.ts';
import { useRead } from '../data/use-read.ts';
import { type Fact, Facts } from '../parts/facts.tsx';
import { Later } from '../parts/later.tsx';
import { Title } from '../parts/title.tsx';
import { Age, Money } from '../parts/values.tsx';
import { linkTo, type Place } from '../routes.ts';
import { formatCount } from '../text/amount.ts';
import { formatSpan } from '../text/time.ts';
import { Sealed, Seals } from '../verify/seals.tsx';
import { WholePicture } from './money/picture.tsx';
import { Alarms } from './overview/alarm.tsx';
import { lampOf } from './overview/lamp.ts';
import { formatLatency, formatRate, quantiles } from './overview/samples.ts';
import { Seats } from './overview/seats.tsx';
import { Stream } from './overview/stream.tsx';
import { Ticker } from './overview/ticker.tsx';
import { SPANS, type Span, SpanChoice, Trends } from './overview/trends.tsx';

const EVERY_MS = 3000;
const TREND_EVERY_MS = 10_000;

const sealed = (name: keyof Economics, shown: ComponentChildren) => (
  <Sealed id="supply" name={name}>
    {shown}
  </Sealed>
);

type Answers = [Status, Economics, TaskStats, NetworkState];

function numbers(of: Answers | undefined): Fact[] {
  const [status, economics, tasks] = of ?? [];
  const count = (n: number | undefined): string => (n === undefined ? '–' : formatCount(n));
  return [
    ['Agents', sealed('agents_registered', count(economics?.agents_registered))],
    ['Tasks completed', count(tasks?.completed_tasks)],
    ['Tasks open', count(tasks?.open_tasks)],
    ['Awaiting verdicts', count(status?.ocs_pending)],
    ['Paid to workers', <Money key="paid" micro={tasks?.total_paid} />],
    ['Reserved', sealed('total_escrowed', <Money micro={economics?.total_escrowed} />)],
    ['Staked', sealed('total_staked', <Money micro={economics?.total_staked} />)],
    ['In circulation', sealed('circulating_supply', <Money micro={economics?.circulating_supply} />)],
  ];
}

function About({ status }: { status: Status }) {
  return (
    <section>
      <h2>This node</h2>
      <Facts
        isWide
        of={[
          ['Chain', status.chain_id],
          ['Version', status.version],
          ['Last order number', formatCount(status.order)],
          ['Vertices stored', formatCount(status.dag_size)],
          ['Consensus time', <Age key="time" secs={status.consensus_time} />],
          ['Connected peers', formatCount(status.peers)],
          ['Uptime', formatSpan(status.uptime_seconds)],
          ['Seat', status.validator_id],
        ]}
      />
    </section>
  );
}

function Lead() {
  return (
    <p class="lead">
      Software agents post work, do it, have it verified and get paid, without trusting the node in between.
      This page shows the data of this node; you can{' '}
      <a href={linkTo('verify')}>verify all of it in this browser</a> or{' '}
      <a href={linkTo('wallet')}>create a key and take part</a>.
    </p>
  );
}

/** What the charts show in one line, so that it is seen without scrolling. */
function Pulse({ of }: { of: Awaited<ReturnType<typeof node.trend>> | undefined }) {
  const newest = of?.samples.at(-2) ?? of?.samples.at(-1);
  if (!of || !newest) return null;
  const { p50 } = quantiles(of);
  return (
    <span class="soft">
      {' '}
      · {formatRate(newest.transactions, newest.seconds)} transactions a second
      {p50 !== undefined && ` · half final within ${formatLatency(p50)}`}
    </span>
  );
}

function Whole() {
  const { data } = useRead('supply', () => node.supply(), EVERY_MS);
  if (!data) return null;
  return (
    <section class="figure">
      <h2>Where the money is</h2>
      <WholePicture parts={data.parts} />
      <p>
        <a href={linkTo('money')}>Every part, and whether they add up</a>
      </p>
    </section>
  );
}

export function OverviewPage({ place }: { place: Place }) {
  const connection = useLive((live) => live.state);
  const minute = useNow((secs) => secs - (secs % 60));
  const span: Span = SPANS.find((name) => name === place.query.span) ?? 'hour';
  const seen = useRef<{ at: number; answers: Answers } | undefined>(undefined);
  const { data, error } = useRead(
    'overview',
    (): Promise<Answers> =>
      Promise.all([node.status(), node.economics(), node.tasks.stats(), node.networkState()]),
    EVERY_MS,
  );
  if (data && !error && seen.current?.answers !== data)
    seen.current = { at: Math.floor(portableClock.nowMs() / 1000), answers: data };
  const trend = useRead(`trend ${span}`, () => node.trend({ span }), TREND_EVERY_MS);
  // Drawn again when the node has new samples, not whenever anything on the page changes.
  const charts = useMemo(
    () => trend.data && <Trends of={trend.data} nowSecs={minute} />,
    [trend.data, minute],
  );
  const [tone, text] = lampOf(connection, error !== undefined, data?.[0]);
  return (
    <>
      <Alarms
        status={data?.[0]}
        network={data?.[3]}
        isSilent={error !== undefined}
        seenSecs={seen.current?.at}
      />
      <div class="hero">
        <Title text="Work, verified and paid" />
        <Lead />
        <p class="state" role="status">
          <span class={`lamp ${tone}`} aria-hidden="true" /> {text}
          {data && (
            <span class="soft">
              {' '}
              · {data[0].chain_id} · order {formatCount(data[0].order)}
            </span>
          )}
          <Pulse of={trend.data} />
        </p>
      </div>
      <Seals kind="supply" docs={data ? { supply: data[1] } : {}}>
        <Facts of={numbers(data)} />
      </Seals>
      <SpanChoice at={span} />
      {charts}
      <Later>
        <Whole />
      </Later>
      <div class="columns">
        <div>
          <Later>
            <Ticker />
          </Later>
          <Later>
            <Stream />
          </Later>
        </div>
        <div>
          <Later>{data && <Seats order={data[0].order} />}</Later>
          <Later>{data && <About status={data[0]} />}</Later>
        </div>
      </div>
    </>
  );
}
