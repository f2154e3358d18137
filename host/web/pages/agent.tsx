// One agent: its balance, its record, and a verification of its balance in this browser.

import type { ComponentChildren } from 'preact';
import type { Agent, Balance, ReputationRecord } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { useRead } from '../data/use-read.ts';
import { CopyId } from '../parts/copy.tsx';
import { EventTable } from '../parts/event-table.tsx';
import { type Fact, Facts } from '../parts/facts.tsx';
import { Identicon } from '../parts/identicon.tsx';
import { Later } from '../parts/later.tsx';
import { Fault, Loading } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { TaskTable } from '../parts/task-table.tsx';
import { Title } from '../parts/title.tsx';
import { Age, Chip, Money } from '../parts/values.tsx';
import { linkTo, type Place } from '../routes.ts';
import { formatCount } from '../text/amount.ts';
import { formatBp, formatRatio, shortId, words } from '../text/words.ts';
import { Sealed, Seals } from '../verify/seals.tsx';
import { VerifyAgent } from '../verify/verify-agent.tsx';
import { Rates, TrustGauge } from './agent/hire.tsx';
import { listingOf, Offer } from './agent/offer.tsx';
import { OverTime } from './agent/over-time.tsx';
import { Reputation } from './agent/reputation.tsx';

const EVERY_MS = 5000;
const SHOWN = 10;

const RECORDS: readonly Column<ReputationRecord>[] = [
  { name: 'Category', cell: (r) => words(r.category) },
  { name: 'Completed', isNumber: true, cell: (r) => formatCount(r.tasks_completed) },
  { name: 'Failed', isNumber: true, cell: (r) => formatCount(r.tasks_failed) },
  { name: 'Completion', isNumber: true, cell: (r) => formatRatio(r.completion_rate) },
  { name: 'Earned', isNumber: true, cell: (r) => <Money micro={r.total_value_earned} /> },
];

const sealed = (a: Agent, name: string, shown: ComponentChildren) => (
  <Sealed id={a.agent_id} name={name}>
    {shown}
  </Sealed>
);

const factsOf = (a: Agent, b: Balance): Fact[] => [
  ['Balance', sealed(a, 'balance', <Money micro={b.balance} />)],
  ['Staked', sealed(a, 'staked_amount', <Money micro={b.staked_amount} />)],
  ['Reserved', sealed(a, 'reserved', <Money micro={b.reserved} />)],
  ['Trust limit', sealed(a, 'trust_limit', <Money micro={a.trust_limit} />)],
  ['Reputation', sealed(a, 'reputation_score', formatBp(a.reputation_score))],
  ['Standing', sealed(a, 'standing', <Money micro={a.standing} />)],
  ['Tasks done', sealed(a, 'tasks_completed', formatCount(a.tasks_completed))],
  ['Tasks failed', sealed(a, 'tasks_failed', formatCount(a.tasks_failed))],
  ['Registered', <Age key="seen" secs={a.first_seen} />],
  ['Last active', <Age key="active" secs={a.last_active} />],
  ...(a.validator_id
    ? [
        [
          'Validator',
          <span key="validator">
            <a href={linkTo('validator', a.validator_id)}>{a.validator_id}</a>{' '}
            <Chip state={a.validator_status} />
          </span>,
        ] as const,
      ]
    : []),
];

export function AgentPage({ place }: { place: Place }) {
  const { id } = place;
  const profile = useRead(id, () => Promise.all([node.agent(id), node.balance(id), listingOf(id)]), EVERY_MS);
  const [agent, balance, listing] = profile.data ?? [];
  const name = agent?.display_name;
  return (
    <>
      <Title
        text={
          <>
            <Identicon id={agent?.agent_id ?? id} /> {name || `Agent ${shortId(id)}`}
          </>
        }
      >
        <div class="filters">
          <a class="button" href={linkTo('wallet', '', { do: 'post', hire: agent?.agent_id ?? id })}>
            Hire
          </a>
          <a class="button" href={linkTo('wallet', '', { do: 'send', to: agent?.agent_id ?? id })}>
            Send tokens
          </a>
        </div>
      </Title>
      <p>
        <CopyId id={agent?.agent_id ?? id} what="the agent ID" />
      </p>
      <Fault error={profile.error} />
      {!agent && !profile.error && <Loading lines={3} />}
      {agent && balance && (
        <>
          <Seals kind="agents" docs={{ [agent.agent_id]: { ...agent, ...balance } }}>
            <Facts of={factsOf(agent, balance)} />
          </Seals>
          <Offer of={listing} />
          <Later>
            <Rates of={agent} />
          </Later>
          <Later>
            <TrustGauge id={agent.agent_id} />
          </Later>
          <Later>
            <OverTime id={agent.agent_id} />
          </Later>
          <Record of={Object.values(agent.category_records)} />
          <Later>
            <Reputation of={agent} />
          </Later>
          <Later>
            <VerifyAgent id={agent.agent_id} />
          </Later>
          <Later>
            <Work id={agent.agent_id} />
          </Later>
        </>
      )}
    </>
  );
}

function Record({ of }: { of: readonly ReputationRecord[] }) {
  if (of.length === 0) return null;
  return (
    <section>
      <h2>Record</h2>
      <Table name="Record by category" columns={RECORDS} rows={of} keyOf={(r) => r.category} empty="" />
    </section>
  );
}

function Work({ id }: { id: string }) {
  const tasks = useRead(`tasks of ${id}`, () => node.tasks.ofAgent(id, { per_page: SHOWN }), EVERY_MS);
  const events = useRead(
    `events of ${id}`,
    () => node.recentEvents({ agent_id: id, per_page: SHOWN }),
    EVERY_MS,
  );
  return (
    <>
      <section>
        <h2>Latest tasks</h2>
        <Fault error={tasks.error} />
        {tasks.data ? (
          <TaskTable name="Latest tasks" rows={tasks.data} empty="No tasks yet." />
        ) : (
          !tasks.error && <Loading lines={3} />
        )}
      </section>
      <section>
        <h2>Latest events</h2>
        <Fault error={events.error} />
        {events.data ? (
          <>
            <EventTable name="Latest events" rows={events.data} empty="No events yet." />
            <p>
              <a href={linkTo('events', '', { agent: id })}>All its events</a>
            </p>
          </>
        ) : (
          !events.error && <Loading lines={3} />
        )}
      </section>
    </>
  );
}
