// Which verification runs in this tab, so that a page that is loaded anew resumes it. Only that: what was verified is in
// IndexedDB. It ends with the tab, since nobody expects another visit to compute by itself.

import type { VerifyTarget } from './worker-messages.ts';

/** Which node, and what is known from elsewhere than from it. */
export type Known = Partial<Omit<VerifyTarget, 'way'>>;

export interface Run {
  way: VerifyTarget['way'];
  known: Known;
}

const KEY = 'vws.verify';

/** Undefined forgets it. Without storage, as in some private windows, nothing is kept. */
export function keepRun(run: Run | undefined): void {
  try {
    if (run) sessionStorage.setItem(KEY, JSON.stringify(run));
    else sessionStorage.removeItem(KEY);
  } catch {
    // The verification runs all the same.
  }
}

export function keptRun(): Run | undefined {
  try {
    const run = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Run | null;
    return run && (run.way === 'genesis' || run.way === 'checkpoint') ? run : undefined;
  } catch {
    return undefined;
  }
}
