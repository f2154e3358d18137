// All tasks, newest first.

import type { Task, TaskStats } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { useList } from '../data/use-list.ts';
import { useRead } from '../data/use-read.ts';
import { Facts } from '../parts/facts.tsx';
import { Filter } from '../parts/filter.tsx';
import { Fault, Loading } from '../parts/notice.tsx';
import { Pager, pageOf } from '../parts/pager.tsx';
import { TaskTable } from '../parts/task-table.tsx';
import { Title } from '../parts/title.tsx';
import { Money } from '../parts/values.tsx';
import { linkTo, type Place } from '../routes.ts';
import { formatCount } from '../text/amount.ts';

const EVERY_MS = 5000;
const STATUSES = ['open', 'claimed', 'submitted', 'completed', 'disputed', 'cancelled'];

function Totals({ of }: { of: TaskStats | undefined }) {
  const count = (n: number | undefined): string => (n === undefined ? '–' : formatCount(n));
  return (
    <Facts
      of={[
        ['Tasks', count(of?.total_tasks)],
        ['Open', count(of?.open_tasks)],
        ['Completed', count(of?.completed_tasks)],
        ['In escrow', <Money key="escrow" micro={of?.total_escrowed} />],
        ['Paid to workers', <Money key="paid" micro={of?.total_paid} />],
      ]}
    />
  );
}

/** Why the list is empty, and what to do about it. */
function Nothing({ of: { query } }: { of: Place }) {
  const isFiltered = Boolean(query.status || query.category);
  return (
    <>
      {isFiltered ? 'No task is like that. ' : 'There are no tasks yet. '}
      {isFiltered && (
        <>
          <a href={linkTo('tasks')}>Show all</a>, or{' '}
        </>
      )}
      <a href={linkTo('wallet', '', { do: 'post' })}>{isFiltered ? 'post one' : 'Post the first one'}</a>.
    </>
  );
}

export function TasksPage({ place }: { place: Place }) {
  const { status, category } = place.query;
  const stats = useRead('task stats', node.tasks.stats, EVERY_MS);
  const query = { page: pageOf(place), status: status || undefined, category: category || undefined };
  const { data, error } = useList<Task>('/v1/tasks', query, EVERY_MS);
  const categories = Object.keys(stats.data?.by_category ?? {}).sort();
  return (
    <>
      <Title text="Tasks">
        <div class="filters">
          <Filter place={place} name="status" label="Status" values={STATUSES} all="All" />
          <Filter place={place} name="category" label="Category" values={categories} all="All" />
          <a class="button" href={linkTo('wallet', '', { do: 'post' })}>
            Post a task
          </a>
        </div>
      </Title>
      <Totals of={stats.data} />
      <Fault error={error} />
      {data ? (
        <TaskTable name="Tasks" rows={data.rows} empty={<Nothing of={place} />} />
      ) : (
        !error && <Loading />
      )}
      <Pager place={place} total={data?.total} />
    </>
  );
}
