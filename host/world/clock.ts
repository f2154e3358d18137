// The one place that reads clocks and starts timers; everything else gets a Clock, so tests hold time
// in their hand.

export interface Clock {
  /** Wall clock, Unix milliseconds. */
  nowMs(): number;
  /** Milliseconds since some fixed point; never goes back. */
  monotonicMs(): number;
  /** Runs `fn` once after `ms` milliseconds; the result cancels it. */
  setTimer(fn: () => void, ms: number): () => void;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimer(fn, ms) {
    const timer = setTimeout(fn, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Runs `fn` after the input and output that is ready now: what arrives together is then handled
 * together.
 */
export function soon(fn: () => void): void {
  setImmediate(fn);
}
