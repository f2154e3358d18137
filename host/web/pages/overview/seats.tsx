// The validators as a ring of their weights, with those that signed the newest checkpoint.

import type { Checkpoint, Validator } from '../../../client/index.ts';
import { Figure } from '../../chart/figure.tsx';
import { COLOURS, type Piece } from '../../chart/piece.ts';
import { Ring } from '../../chart/stack.tsx';
import { node } from '../../data/node.ts';
import { useRead } from '../../data/use-read.ts';
import { Chip, Time } from '../../parts/values.tsx';
import { formatCount } from '../../text/amount.ts';
import { formatRatio, plural } from '../../text/words.ts';

const EVERY_MS = 15_000;
/** The first checkpoint is at this order number; before it the node has none (protocol 3.10). */
const FIRST_ORDER = 100;
const MAX_VALIDATORS = 200;
/** So many have a piece of their own; all are in the table. */
const MAX_PIECES = 9;

function piecesOf(rows: readonly Validator[], total: number, signed: ReadonlySet<string>): Piece[] {
  const [own, others] = [rows.slice(0, MAX_PIECES), rows.slice(MAX_PIECES)];
  const pieces = own.map(
    (v, i): Piece => ({
      name: v.id,
      value: v.vote_weight,
      shown: formatRatio(v.vote_weight / total),
      colour: i % COLOURS,
      mark: signed.has(v.id) ? 'signed' : undefined,
    }),
  );
  const rest = others.reduce((sum, v) => sum + v.vote_weight, 0);
  if (rest > 0) {
    const name = `${others.length} ${plural(others.length, 'other')}`;
    pieces.push({ name, value: rest, shown: formatRatio(rest / total), colour: COLOURS });
  }
  return pieces;
}

function Signed({ of }: { of: Checkpoint | undefined }) {
  if (!of) return <>There is no signed checkpoint yet: the first is at order number {FIRST_ORDER}.</>;
  const count = of.signatures.length;
  return (
    <>
      Checkpoint {formatCount(of.height)}, at order number {formatCount(of.order)}, is signed by{' '}
      {formatCount(count)} {plural(count, 'seat')} (<Time secs={of.consensus_time} />
      ). State root <code>{of.state_root.slice(0, 16)}…</code>
    </>
  );
}

export function Seats({ order }: { order: number }) {
  const exists = order >= FIRST_ORDER;
  const checkpoint = useRead(
    `checkpoint ${exists}`,
    async () => (exists ? await node.latestCheckpoint() : undefined),
    EVERY_MS,
  );
  const list = useRead('seats', () => node.validators.list({ per_page: MAX_VALIDATORS }), EVERY_MS);
  const rows = [...(list.data ?? [])].sort((a, b) => b.vote_weight - a.vote_weight);
  const total = rows.reduce((sum, v) => sum + v.vote_weight, 0);
  const signed = new Set(checkpoint.data?.signatures.map((s) => s.validator_id));
  const judging = rows.filter((v) => v.vote_weight > 0);
  if (!list.data) return null;
  return (
    <Figure
      title="Who decides"
      says={<Signed of={checkpoint.data} />}
      columns={[
        { name: 'Validator', cell: (v: Validator) => <b>{v.id}</b> },
        { name: 'Status', cell: (v: Validator) => <Chip state={v.status} /> },
        {
          name: 'Vote share',
          isNumber: true,
          cell: (v: Validator) => formatRatio(total > 0 ? v.vote_weight / total : 0),
        },
        { name: 'Signed', cell: (v: Validator) => (signed.has(v.id) ? 'Yes' : 'No') },
      ]}
      rows={rows}
      keyOf={(v) => v.id}
    >
      <Ring
        of={total > 0 ? piecesOf(judging, total, signed) : []}
        words={[formatCount(judging.length), judging.length === 1 ? 'vote' : 'votes']}
      />
    </Figure>
  );
}
