// Everything that clients of a run asked and were answered, judged against the order that all disks hold.

import type { Call } from '../../tools/histories/call.ts';
import { faultText, judge } from '../../tools/histories/judge.ts';
import type { Watch } from './watch.ts';

export class History {
  readonly calls: Call[] = [];

  /** The first thing that does not hold, or undefined. */
  fault(watch: Watch): string | undefined {
    const events = [...watch.events.values()].sort((a, b) => a.seq - b.seq);
    const [first] = judge({ calls: this.calls, events });
    return first && faultText(first);
  }
}
