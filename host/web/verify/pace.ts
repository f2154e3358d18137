// The speed of a verification and the time it still needs.

import type { VerifyProgress } from './worker-messages.ts';

interface Pace {
  /** Share that is done, 0..1. */
  share: number;
  ordersLeft: number;
  transactionsPerSec: number;
  /** Undefined while there is too little data. */
  secsLeft: number | undefined;
}

/** `first`: the first report of this run; one that resumes from stored progress does not begin at 0. */
export function paceOf(first: VerifyProgress, now: VerifyProgress): Pace {
  const span = now.seconds - first.seconds;
  const done = now.order - first.order;
  const left = Math.max(0, now.toOrder - now.order);
  return {
    share: now.toOrder > 0 ? Math.min(1, now.order / now.toOrder) : 0,
    ordersLeft: left,
    transactionsPerSec: span > 0 ? Math.round((now.transactions - first.transactions) / span) : 0,
    secsLeft: span > 0 && done > 0 ? Math.ceil((left * span) / done) : undefined,
  };
}
