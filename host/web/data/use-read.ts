// Reads for components: the node's answer now, refreshed at an interval.
// Keeps: an answer that arrives after its query has changed is dropped; until the next answer arrives the last one
// stays on the page, so nothing jumps. Nothing is requested while the page is hidden.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { portableClock } from '../../world/portable.ts';

export interface ReadState<T> {
  /** The newest answer to the current query. */
  data: T | undefined;
  /** Why the last read failed. */
  error: Error | undefined;
  /** Reads again now. */
  refresh(): void;
}

const HIDDEN_MS = 1000;

/** `key` identifies the query: another key is another query. `everyMs`: interval of refreshing; without it, once. */
export function useRead<T>(key: string, load: () => Promise<T>, everyMs?: number): ReadState<T> {
  const [state, setState] = useState<{ key: string; data?: T; error?: Error }>({ key });
  const [turn, setTurn] = useState(0);
  const latest = useRef(load);
  latest.current = load;

  // A new `turn` reads again.
  useEffect(() => {
    let isOver = false;
    let cancel = () => {};
    const read = async (): Promise<void> => {
      try {
        const data = await latest.current();
        if (!isOver) setState({ key, data });
      } catch (error) {
        if (!isOver) setState((old) => ({ ...(old.key === key ? old : { key }), error: error as Error }));
      }
      if (!isOver && everyMs !== undefined) cancel = portableClock.setTimer(next, everyMs);
    };
    const next = (): void => {
      if (document.hidden) cancel = portableClock.setTimer(next, HIDDEN_MS);
      else void read();
    };
    void read();
    return () => {
      isOver = true;
      cancel();
    };
  }, [key, everyMs, turn]);

  const refresh = useCallback(() => setTurn((n) => n + 1), []);
  const isCurrent = state.key === key;
  return { data: isCurrent ? state.data : undefined, error: isCurrent ? state.error : undefined, refresh };
}
