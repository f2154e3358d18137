// A value that changes while the page is open, and a hook that shows a part of it.
// Keeps: a component is drawn again only when the part that it picked has changed.

import { useEffect, useRef, useState } from 'preact/hooks';

export interface Watched<T> {
  now(): T;
  /** Calls back after each change; returns a function that ends this. */
  watch(notify: () => void): () => void;
}

/** A value that is set from here. */
export interface Cell<T> extends Watched<T> {
  set(value: T): void;
}

export function cellOf<T>(first: T): Cell<T> {
  let value = first;
  const watchers = new Set<() => void>();
  return {
    now: () => value,
    set(next) {
      value = next;
      for (const notify of watchers) notify();
    },
    watch(notify) {
      watchers.add(notify);
      return () => watchers.delete(notify);
    },
  };
}

export function usePicked<T, V>(of: Watched<T>, pick: (value: T) => V): V {
  const [, setTurn] = useState(0);
  const picked = pick(of.now());
  const latest = useRef({ pick, picked });
  latest.current = { pick, picked };
  useEffect(() => {
    const look = (): void => {
      const { pick: choose, picked: shown } = latest.current;
      if (!Object.is(choose(of.now()), shown)) setTurn((turn) => turn + 1);
    };
    // It may have changed between the drawing and this effect.
    look();
    return of.watch(look);
  }, [of]);
  return picked;
}
