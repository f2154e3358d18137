// Double-entry postings: each change of an account with the event, or the refused transaction, in whose course it was made.
// Keeps: the postings of one cause sum to zero; their order is that in which the core made them.

import type { Core, OutView } from '../core/core.ts';
import { type AccountKind, recordStarts } from '../core/movements.ts';
import type { Outcome } from '../core/outcomes.ts';

export interface Posting {
  /** Seq of the event, or of the newest one before a refused transaction; 0 before the first. */
  seq: number;
  order: number;
  /** Id of the event, or TxID of the refused transaction; undefined for what the rules did before the vertex's first. */
  cause?: Uint8Array;
  kind: AccountKind;
  /** Index of the pool or the agent. */
  account: number;
  /** Micro-units. */
  amount: number;
}

export type Cause = Pick<Posting, 'seq' | 'order' | 'cause'>;

function causeOf(outcome: Outcome, before: Cause): Cause {
  if (outcome.kind === 'tx')
    return { seq: outcome.seq > 0 ? outcome.seq : before.seq, order: outcome.order, cause: outcome.txId };
  return outcome.kind === 'event' ? { seq: outcome.seq, order: outcome.order, cause: outcome.id } : before;
}

/**
 * The postings of a part of a block. `last`: the cause that the part before it ended with. Call it after the outcomes were
 * read, while `out` is valid.
 */
export function postingsOf(
  out: OutView,
  outcomes: readonly Outcome[],
  core: Pick<Core, 'movements'>,
  last: Cause,
): { postings: Posting[]; last: Cause } {
  const starts = recordStarts(out);
  let cause = last;
  let next = 0;
  const pass = (to: number): void => {
    for (; next < outcomes.length && starts[next]! < to; next++) cause = causeOf(outcomes[next]!, cause);
  };
  const postings = core.movements().map(({ after, kind, account, amount }): Posting => {
    pass(after);
    return { ...cause, kind, account, amount };
  });
  pass(Number.POSITIVE_INFINITY);
  return { postings, last: cause };
}
