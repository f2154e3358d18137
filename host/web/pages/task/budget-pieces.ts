// What became of a budget, as pieces of it.
// Keeps: the pieces are the budget, exactly.

import type { Task } from '../../../client/index.ts';
import type { Piece } from '../../chart/piece.ts';
import { formatMicro } from '../../text/amount.ts';

type MoneyOf = Pick<
  Task,
  'budget' | 'escrow_amount' | 'payout_status' | 'worker_net_payout' | 'base_fee' | 'assurance_fee'
>;

const piece = (name: string, value: number, colour: number): Piece => ({
  name,
  value,
  shown: formatMicro(value),
  colour,
});

/** What is neither in escrow nor paid out went back, to the poster or, of a subtask, to its parent. */
export function piecesOf(t: MoneyOf): Piece[] {
  const isPaid = t.payout_status === 'paid';
  const [worker, base] = isPaid ? [t.worker_net_payout ?? 0, t.base_fee ?? 0] : [0, 0];
  const rest = t.budget - t.escrow_amount - worker - base;
  // After a split less than the whole assurance fee was taken.
  const assurance = isPaid ? Math.min(t.assurance_fee ?? 0, rest) : 0;
  const back = rest - assurance;
  return [
    piece('In escrow', t.escrow_amount, 2),
    piece('Worker', worker, 0),
    piece('Base fee', base, 1),
    piece('Assurance fee', assurance, 3),
    piece('Returned, or in subtasks', back, 5),
  ].filter(({ value }) => value > 0);
}
