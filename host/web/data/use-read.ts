// Reads for components: what the node says now, and again after a while.
// Keeps: an answer that comes after its question has changed is dropped; while the next answer is on its way the last one
// stays on the page, so nothing jumps. Nothing is asked while the page is hidden.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { portableClock } from '../../world/portable.ts';

export interface ReadState<T> {
  /** The newest answer to the present question. */
  data: T | undefined;
  /** Why the last question went unanswered. */
  error: Error | undefined;
  /** Asks again now. */
  again(): void;
}

const HIDDEN_MS = 1000;

/** `key` names the question: another key is another question. `everyMs`: how long an answer is good for. */
export function useRead<T>(key: string, load: () => Promise<T>, everyMs?: number): ReadState<T> {
  const [state, setState] = useState<{ key: string; data?: T; error?: Error }>({ key });
  const [turn, setTurn] = useState(0);
  const latest = useRef(load);
  latest.current = load;

  // `turn` asks again.
  useEffect(() => {
    let isOver = false;
    let cancel = () => {};
    const ask = async (): Promise<void> => {
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
      else void ask();
    };
    void ask();
    return () => {
      isOver = true;
      cancel();
    };
  }, [key, everyMs, turn]);

  const again = useCallback(() => setTurn((n) => n + 1), []);
  const isPresent = state.key === key;
  return { data: isPresent ? state.data : undefined, error: isPresent ? state.error : undefined, again };
}
