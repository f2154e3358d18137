// Events as table rows, in the form of the API's lists.

import type { EventRow } from '../../client/index.ts';
import { words } from '../text/words.ts';
import { type Column, Table } from './table.tsx';
import { Age, AgentLink, Chip, Money, ThingLink } from './values.tsx';

const COLUMNS: readonly Column<EventRow>[] = [
  { name: 'Event', cell: (e) => <ThingLink to="event" id={e.event_id} text={words(e.event_type)} /> },
  { name: 'By', cell: (e) => <AgentLink id={e.agent_id} /> },
  { name: 'For', cell: (e) => <AgentLink id={e.recipient_id} /> },
  { name: 'State', cell: (e) => <Chip state={e.settlement_state} /> },
  { name: 'When', cell: (e) => <Age secs={e.timestamp} /> },
  { name: 'Amount', isNumber: true, cell: (e) => <Money micro={e.amount} /> },
];

export function EventTable({
  rows,
  name,
  empty,
}: {
  rows: readonly EventRow[];
  name: string;
  empty: string;
}) {
  return <Table name={name} columns={COLUMNS} rows={rows} keyOf={(e) => e.event_id} empty={empty} />;
}
