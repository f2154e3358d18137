// Events as table rows, in the form of the API's lists.

import type { ComponentChildren } from 'preact';
import type { EventRow } from '../../client/index.ts';
import { words } from '../text/words.ts';
import { byId, Sealed, Seals } from '../verify/seals.tsx';
import { type Column, Table } from './table.tsx';
import { Age, AgentLink, Chip, Money, ThingLink } from './values.tsx';

const COLUMNS: readonly Column<EventRow>[] = [
  { name: 'Event', cell: (e) => <ThingLink to="event" id={e.event_id} text={words(e.event_type)} /> },
  { name: 'By', cell: (e) => <AgentLink id={e.agent_id} /> },
  { name: 'For', cell: (e) => <AgentLink id={e.recipient_id} /> },
  {
    name: 'State',
    cell: (e) => (
      <Sealed id={e.event_id} name="settlement_state">
        <Chip state={e.settlement_state} />
      </Sealed>
    ),
  },
  { name: 'When', cell: (e) => <Age secs={e.timestamp} /> },
  {
    name: 'Amount',
    isNumber: true,
    cell: (e) =>
      e.amount === undefined ? (
        <Money micro={undefined} />
      ) : (
        <Sealed id={e.event_id} name="amount">
          <Money micro={e.amount} />
        </Sealed>
      ),
  },
];

export function EventTable(props: { rows: readonly EventRow[]; name: string; empty: ComponentChildren }) {
  const { rows, name, empty } = props;
  return (
    <Seals kind="events" docs={byId(rows, (e) => e.event_id)}>
      <Table name={name} columns={COLUMNS} rows={rows} keyOf={(e) => e.event_id} empty={empty} />
    </Seals>
  );
}
