// Hooks for the event stream and the current time.

import { useEffect, useState } from 'preact/hooks';
import { portableClock } from '../../world/portable.ts';
import { type Live, watchLive } from './live.ts';

export function useLive(): Live {
  const [live, setLive] = useState<Live>({ state: 'connecting', events: [], fresh: 0 });
  useEffect(() => watchLive(setLive), []);
  return live;
}

const TICK_MS = 5000;

/** Unix seconds, updated every few seconds. */
export function useNow(): number {
  const now = (): number => Math.floor(portableClock.nowMs() / 1000);
  const [secs, setSecs] = useState(now);
  // Each tick sets the timer for the next one.
  useEffect(() => portableClock.setTimer(() => setSecs(now()), TICK_MS), [secs]);
  return secs;
}
