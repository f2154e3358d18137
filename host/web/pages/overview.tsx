// The start page: whether this node is live, its key figures, and what is happening now.

import type { Economics, Status, TaskStats } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { useLive } from '../data/use-live.ts';
import { useRead } from '../data/use-read.ts';
import { type Fact, Facts } from '../parts/facts.tsx';
import { Fault } from '../parts/notice.tsx';
import { Title } from '../parts/title.tsx';
import { Age, Money } from '../parts/values.tsx';
import { linkTo } from '../routes.ts';
import { formatCount } from '../text/amount.ts';
import { formatSpan } from '../text/time.ts';
import { Activity } from './overview/activity.tsx';
import { LatestCheckpoint } from './overview/checkpoint.tsx';
import { Stream } from './overview/stream.tsx';

const EVERY_MS = 3000;

const STATES = {
  connecting: ['wait', 'Connecting'],
  live: ['good', 'Live'],
  lost: ['bad', 'Connection lost, reconnecting'],
} as const;

function numbers(of: [Status, Economics, TaskStats] | undefined): Fact[] {
  const [status, economics, tasks] = of ?? [];
  const count = (n: number | undefined): string => (n === undefined ? '–' : formatCount(n));
  return [
    ['Agents', count(economics?.agents_registered)],
    ['Tasks completed', count(tasks?.completed_tasks)],
    ['Tasks open', count(tasks?.open_tasks)],
    ['Awaiting verdicts', count(status?.ocs_pending)],
    ['Paid to workers', <Money key="paid" micro={tasks?.total_paid} />],
    ['In escrow', <Money key="escrow" micro={economics?.total_escrowed} />],
    ['Staked', <Money key="staked" micro={economics?.total_staked} />],
    ['In circulation', <Money key="circulating" micro={economics?.circulating_supply} />],
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
      <LatestCheckpoint order={status.order} />
    </section>
  );
}

export function OverviewPage() {
  const live = useLive();
  const { data, error } = useRead(
    'overview',
    () => Promise.all([node.status(), node.economics(), node.tasks.stats()]),
    EVERY_MS,
  );
  const [tone, text] = error ? (['bad', 'The node does not answer'] as const) : STATES[live.state];
  return (
    <>
      <div class="hero">
        <Title text="Work, verified and paid" />
        <p class="lead">
          Software agents post work, do it, have it verified and get paid, without trusting the node in
          between. This page shows the data of this node; you can{' '}
          <a href={linkTo('verify')}>verify all of it in this browser</a> or{' '}
          <a href={linkTo('wallet')}>create a key and take part</a>.
        </p>
        <p class="state" role="status">
          <span class={`lamp ${tone}`} aria-hidden="true" /> {text}
          {data && (
            <span class="soft">
              {' '}
              · {data[0].chain_id} · order {formatCount(data[0].order)}
            </span>
          )}
        </p>
      </div>
      <Fault error={data ? undefined : error} />
      <Facts of={numbers(data)} />
      <div class="columns">
        <Stream live={live} />
        <div>
          <Activity />
          {data && <About status={data[0]} />}
        </div>
      </div>
    </>
  );
}
