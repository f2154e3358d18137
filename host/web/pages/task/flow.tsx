// Where the budget of a task is, or went: escrow, worker, fees, poster.

import type { Task } from '../../../client/index.ts';
import { Stack } from '../../chart/stack.tsx';
import { formatMicro } from '../../text/amount.ts';
import { piecesOf } from './budget-pieces.ts';

export function Flow({ of }: { of: Task }) {
  const pieces = piecesOf(of);
  const [only] = pieces;
  return (
    <section class="figure">
      <h2>The budget</h2>
      <p>
        {formatMicro(of.budget)} tokens
        {pieces.length === 1 && only ? `, all of it: ${only.name.toLowerCase()}.` : ', in these parts.'}
      </p>
      <Stack of={pieces} />
    </section>
  );
}
