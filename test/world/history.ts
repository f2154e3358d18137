// Everything that clients of a run asked and were answered, judged against the order that all disks hold.

import type { Call } from '../../tools/histories/call.ts';
import { faultText, judge } from '../../tools/histories/judge.ts';
import type { Watch } from './watch.ts';

/** The order says that acknowledged writes may have been lost, above this place of it. */
const recordsLoss = ({ events }: Watch, order: number): boolean =>
  [...events.values()].some(
    (event) =>
      event.type === 'seat_resumed' && event.order > order && event.payload.writes_may_be_lost === true,
  );

export class History {
  readonly calls: Call[] = [];

  /**
   * The exception "lost acknowledged writes": answers from before a cut of the history that name a place behind it. They
   * are not judged, but only if the order records that writes may have been lost.
   */
  lostAcknowledged(watch: Watch): ReadonlySet<Call> {
    const { cut } = watch;
    if (!cut || !recordsLoss(watch, cut.order)) return new Set();
    return new Set(
      this.calls.filter(({ endMs, order }) => (endMs ?? cut.atMs) < cut.atMs && (order ?? 0) > cut.order),
    );
  }

  /** The first thing that does not hold, or undefined. */
  fault(watch: Watch): string | undefined {
    const events = [...watch.events.values()].sort((a, b) => a.seq - b.seq);
    const lost = this.lostAcknowledged(watch);
    const calls = this.calls.filter((call) => !lost.has(call));
    const [first] = judge({ calls, events });
    return first && faultText(first);
  }
}
