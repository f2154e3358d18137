// The DAG as a table: the same content as the picture, for those who cannot see it or want to read the numbers.

import type { Vertex } from '../../client/index.ts';
import { type Column, Table } from '../parts/table.tsx';
import { Chip, ThingLink } from '../parts/values.tsx';
import { formatCount } from '../text/amount.ts';
import { type Seat, seatName } from './seats.ts';

const columnsOf = (seats: readonly Seat[] | undefined): Column<Vertex>[] => [
  { name: 'Vertex', cell: (v) => <ThingLink to="vertex" id={v.hash} /> },
  { name: 'Made by', cell: (v) => seatName(seats, v.author) },
  { name: 'State', cell: (v) => <Chip state={v.order === undefined ? 'not_final_yet' : 'final'} /> },
  { name: 'Epoch', isNumber: true, cell: (v) => v.epoch },
  { name: 'Round', isNumber: true, cell: (v) => v.round },
  { name: 'Block', isNumber: true, cell: (v) => (v.block === undefined ? '–' : formatCount(v.block)) },
  { name: 'Leader', cell: (v) => (v.is_leader ? 'Leader' : '–') },
  { name: 'Parents', isNumber: true, cell: (v) => v.parents.length },
  { name: 'Transactions', isNumber: true, cell: (v) => v.tx_count },
];

export function VertexTable({ of, seats }: { of: readonly Vertex[]; seats: readonly Seat[] | undefined }) {
  return (
    <Table
      name="Vertices, newest first"
      columns={columnsOf(seats)}
      rows={[...of].reverse()}
      keyOf={(v) => v.hash}
      empty="No vertices yet."
    />
  );
}
