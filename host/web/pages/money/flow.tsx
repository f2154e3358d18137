// What moved between the parts of the supply over a day or an hour, net: what shrank beside what grew.

import type { SupplyParts } from '../../../client/index.ts';
import type { Piece } from '../../chart/piece.ts';
import { Stack } from '../../chart/stack.tsx';
import { type Before, type Moved, moved, PARTS } from '../../data/supply.ts';
import { Time } from '../../parts/values.tsx';
import { formatMicro } from '../../text/amount.ts';

const piecesOf = (of: readonly Moved[]): Piece[] =>
  of.map(({ part, amount }) => ({
    name: PARTS[part].name,
    value: Number(amount),
    shown: formatMicro(amount),
    colour: PARTS[part].colour,
  }));

const total = (of: readonly Moved[]): bigint => of.reduce((sum, { amount }) => sum + amount, 0n);

export function FlowPicture({ before, now }: { before: Before; now: SupplyParts }) {
  const { from, to } = moved(before.parts, now);
  if (from.length === 0 && to.length === 0) return null;
  return (
    <section class="figure">
      <h2>What moved in the last {before.span}</h2>
      {before.span === 'hour' && (
        <p class="soft">
          This node has recorded too little to show a day. This is since <Time secs={before.time} />.
        </p>
      )}
      <p>
        {formatMicro(total(from))} tokens left parts that shrank, and {formatMicro(total(to))} reached parts
        that grew: {total(from) === total(to) ? 'the same' : 'not the same, so do not believe this node'}.
        What went back and forth is not in it.
      </p>
      <h3>Came from</h3>
      <Stack of={piecesOf(from)} />
      <h3>Went to</h3>
      <Stack of={piecesOf(to)} />
    </section>
  );
}
