// Node's clocks and timers.

import type { Clock } from '../clock.ts';
import { portableClock } from '../portable.ts';

export const systemClock: Clock = {
  ...portableClock,
  // A timer of 0 ms waits for a whole millisecond.
  soon: (fn) => void setImmediate(fn),
};
