// Runs a part of an audit for as long as it may take: what a node answers late must not keep an auditor.

import { VwsError } from '../client/vws-error.ts';
import { type Clock, deadline } from '../world/clock.ts';
import type { LogSource } from './source.ts';

/** The longest that a timer waits. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface Limit {
  clock: Pick<Clock, 'setTimer'>;
  source: LogSource;
  ms: number;
  /** Ends it early. */
  stop?: AbortSignal;
}

/**
 * What `run` gives, with a source whose requests end after `ms` or when `stop` aborts. `late` is asked in place of
 * an answer that did not come by then; without it that is a node that does not answer.
 */
export async function inTime<T>(
  { clock, source, ms, stop }: Limit,
  run: (source: LogSource, signal: AbortSignal) => Promise<T>,
  late?: () => T,
): Promise<T> {
  const { signal, cancel } = deadline(clock, Math.min(ms, MAX_TIMER_MS), stop);
  try {
    return await run(source.until?.(signal) ?? source, signal);
  } catch (error) {
    if (late && signal.aborted && error instanceof VwsError) return late();
    throw error;
  } finally {
    cancel();
  }
}
