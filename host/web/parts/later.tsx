// What is below the first screen, drawn after it: one part at a time, whenever the browser has nothing more urgent to do.
// Keeps: parts appear in the order of the page, each in a task of its own, so that no click waits for all of them; a part
// that is there stays.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { portableClock } from '../../world/portable.ts';

/** Between two parts, where the browser does not tell when it is idle. */
const REST_MS = 16;
/** A busy browser draws the next part all the same after so long. */
const MAX_WAIT_MS = 300;

const waiting: (() => void)[] = [];
let isPlanned = false;

function plan(): void {
  if (isPlanned || waiting.length === 0) return;
  isPlanned = true;
  const draw = (): void => {
    isPlanned = false;
    waiting.shift()?.();
    plan();
  };
  if ('requestIdleCallback' in globalThis) requestIdleCallback(draw, { timeout: MAX_WAIT_MS });
  else portableClock.setTimer(draw, REST_MS);
}

export function Later({ children }: { children: ComponentChildren }) {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const draw = (): void => setDue(true);
    waiting.push(draw);
    plan();
    return () => {
      const at = waiting.indexOf(draw);
      if (at >= 0) waiting.splice(at, 1);
    };
  }, []);
  return isDue ? <>{children}</> : <span class="due" hidden />;
}
