// The present in Unix seconds, for everything on the page that shows an age: one timer for all of them.
// Keeps: no timer runs while nothing shows an age, nor while the page is hidden.

import { portableClock } from '../../world/portable.ts';
import { usePicked, type Watched } from './watched.ts';

const TICK_MS = 5000;

const watchers = new Set<() => void>();
const read = (): number => Math.floor(portableClock.nowMs() / 1000);
let secs = read();
let cancel: (() => void) | undefined;

function tick(): void {
  secs = read();
  for (const notify of watchers) notify();
  schedule();
}

function schedule(): void {
  cancel?.();
  cancel = watchers.size > 0 && !document.hidden ? portableClock.setTimer(tick, TICK_MS) : undefined;
}

document.addEventListener('visibilitychange', () => (document.hidden ? schedule() : tick()));

const present: Watched<number> = {
  now: () => {
    // Without a timer the last reading is old.
    if (!cancel) secs = read();
    return secs;
  },
  watch(notify) {
    watchers.add(notify);
    if (!cancel) schedule();
    return () => {
      watchers.delete(notify);
      if (watchers.size === 0) schedule();
    };
  },
};

/** What a component makes of the present; drawn again when that changes. */
export const useNow = <V>(pick: (nowSecs: number) => V): V => usePicked(present, pick);
