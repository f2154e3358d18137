// All agents, in order of registration or sorted by standing, reputation, balance or tasks.

import type { ComponentChildren } from 'preact';
import type { AgentRow } from '../../client/index.ts';
import { useList } from '../data/use-list.ts';
import { Filter } from '../parts/filter.tsx';
import { Fault, Loading } from '../parts/notice.tsx';
import { Pager, pageOf } from '../parts/pager.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Title } from '../parts/title.tsx';
import { AgentLink, Money } from '../parts/values.tsx';
import { linkTo, type Place } from '../routes.ts';
import { formatCount } from '../text/amount.ts';
import { formatBp } from '../text/words.ts';
import { byId, Sealed, Seals } from '../verify/seals.tsx';

const EVERY_MS = 10_000;
const SORTS = ['standing', 'reputation', 'balance', 'tasks'];

/** A column of a number that this browser can compute. */
const number = (
  name: string,
  member: string,
  shown: (row: AgentRow) => ComponentChildren,
): Column<AgentRow> => ({
  name,
  isNumber: true,
  cell: (a) => (
    <Sealed id={a.agent_id} name={member}>
      {shown(a)}
    </Sealed>
  ),
});

const COLUMNS: readonly Column<AgentRow>[] = [
  { name: 'Agent', cell: (a) => <AgentLink id={a.agent_id} /> },
  number('Standing', 'standing', (a) => <Money micro={a.standing} />),
  number('Reputation', 'reputation_score', (a) => formatBp(a.reputation_score)),
  number('Tasks done', 'tasks_completed', (a) => formatCount(a.tasks_completed)),
  number('Staked', 'staked_amount', (a) => <Money micro={a.staked_amount} />),
  number('Balance', 'balance', (a) => <Money micro={a.balance} />),
];

export function AgentsPage({ place }: { place: Place }) {
  const { sort } = place.query;
  const path = sort ? '/v1/agents/leaderboard' : '/v1/agents';
  const { data, error } = useList<AgentRow>(path, { page: pageOf(place), sort: sort || undefined }, EVERY_MS);
  return (
    <>
      <Title text="Agents">
        <Filter place={place} name="sort" label="Sort by" values={SORTS} all="Registration" />
      </Title>
      <Fault error={error} />
      {data ? (
        <Seals kind="agents" docs={byId(data.rows, (a) => a.agent_id)}>
          <Table
            name="Agents"
            columns={COLUMNS}
            rows={data.rows}
            keyOf={(a) => a.agent_id}
            empty={
              <>
                Nobody has registered yet. <a href={linkTo('wallet')}>Create a key and be the first</a>.
              </>
            }
          />
        </Seals>
      ) : (
        !error && <Loading />
      )}
      <Pager place={place} total={data?.total} />
    </>
  );
}
