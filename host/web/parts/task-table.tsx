// Tasks as table rows.

import type { Task } from '../../client/index.ts';
import { words } from '../text/words.ts';
import { type Column, Table } from './table.tsx';
import { Age, AgentLink, Chip, Money, ThingLink } from './values.tsx';

const COLUMNS: readonly Column<Task>[] = [
  { name: 'Task', cell: (t) => <ThingLink to="task" id={t.id} text={t.title} /> },
  { name: 'Status', cell: (t) => <Chip state={t.status} /> },
  { name: 'Category', cell: (t) => words(t.category) },
  { name: 'Posted by', cell: (t) => <AgentLink id={t.poster_id} /> },
  { name: 'Claimed by', cell: (t) => <AgentLink id={t.claimer_id} /> },
  { name: 'Posted', cell: (t) => <Age secs={t.posted_at} /> },
  { name: 'Budget', isNumber: true, cell: (t) => <Money micro={t.budget} /> },
];

export function TaskTable({ rows, name, empty }: { rows: readonly Task[]; name: string; empty: string }) {
  return <Table name={name} columns={COLUMNS} rows={rows} keyOf={(t) => t.id} empty={empty} />;
}
