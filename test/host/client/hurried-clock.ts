// A clock whose pauses are over at once, so that retries cost a test no time; what limits a call keeps its length.

import type { Clock } from '../../../host/world/clock.ts';
import { systemClock } from '../../../host/world/system/clock.ts';

/** Pauses between attempts are at most this long; the limit of a call is longer. */
const LONGEST_PAUSE_MS = 5000;

export const hurriedClock: Clock = {
  ...systemClock,
  setTimer: (run, ms) => systemClock.setTimer(run, ms <= LONGEST_PAUSE_MS ? 0 : ms),
};
