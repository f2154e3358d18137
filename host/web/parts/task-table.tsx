// Tasks as table rows.

import type { ComponentChildren } from 'preact';
import type { Task } from '../../client/index.ts';
import { words } from '../text/words.ts';
import { byId, Sealed, Seals } from '../verify/seals.tsx';
import { type Column, Table } from './table.tsx';
import { Age, AgentLink, Chip, Money, ThingLink } from './values.tsx';

const COLUMNS: readonly Column<Task>[] = [
  { name: 'Task', cell: (t) => <ThingLink to="task" id={t.id} text={t.title} /> },
  {
    name: 'Status',
    cell: (t) => (
      <Sealed id={t.id} name="status">
        <Chip state={t.status} />
      </Sealed>
    ),
  },
  { name: 'Category', cell: (t) => words(t.category) },
  { name: 'Posted by', cell: (t) => <AgentLink id={t.poster_id} /> },
  { name: 'Claimed by', cell: (t) => <AgentLink id={t.claimer_id} /> },
  { name: 'Posted', cell: (t) => <Age secs={t.posted_at} /> },
  {
    name: 'Budget',
    isNumber: true,
    cell: (t) => (
      <Sealed id={t.id} name="budget">
        <Money micro={t.budget} />
      </Sealed>
    ),
  },
];

export function TaskTable(props: { rows: readonly Task[]; name: string; empty: ComponentChildren }) {
  const { rows, name, empty } = props;
  return (
    <Seals kind="tasks" docs={byId(rows, (t) => t.id)}>
      <Table name={name} columns={COLUMNS} rows={rows} keyOf={(t) => t.id} empty={empty} />
    </Seals>
  );
}
