// All agents, in order of registration or sorted by reputation, balance or tasks.

import type { AgentRow } from '../../client/index.ts';
import { useList } from '../data/use-list.ts';
import { Filter } from '../parts/filter.tsx';
import { Fault, Loading } from '../parts/notice.tsx';
import { Pager, pageOf } from '../parts/pager.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Title } from '../parts/title.tsx';
import { AgentLink, Money } from '../parts/values.tsx';
import type { Place } from '../routes.ts';
import { formatCount } from '../text/amount.ts';
import { formatBp } from '../text/words.ts';

const EVERY_MS = 10_000;
const SORTS = ['reputation', 'balance', 'tasks'];

const COLUMNS: readonly Column<AgentRow>[] = [
  { name: 'Agent', cell: (a) => <AgentLink id={a.agent_id} /> },
  { name: 'Reputation', isNumber: true, cell: (a) => formatBp(a.reputation_score) },
  { name: 'Tasks done', isNumber: true, cell: (a) => formatCount(a.tasks_completed) },
  { name: 'Staked', isNumber: true, cell: (a) => <Money micro={a.staked_amount} /> },
  { name: 'Balance', isNumber: true, cell: (a) => <Money micro={a.balance} /> },
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
        <Table
          name="Agents"
          columns={COLUMNS}
          rows={data.rows}
          keyOf={(a) => a.agent_id}
          empty="No agents have registered yet."
        />
      ) : (
        !error && <Loading />
      )}
      <Pager place={place} total={data?.total} />
    </>
  );
}
