// The interface to time. Everything that needs time receives a Clock, so that tests and simulations control it.

export interface Clock {
  /** Wall clock, Unix milliseconds. May jump in either direction. */
  nowMs(): number;
  /** Milliseconds since an arbitrary fixed point; never goes back. */
  monotonicMs(): number;
  /** Runs `fn` once after `ms` milliseconds; the result cancels it. */
  setTimer(fn: () => void, ms: number): () => void;
  /**
   * Runs `fn` after the input and output that is ready now, so that things that arrive together are handled together.
   */
  soon(fn: () => void): void;
}

/** Resolves after `ms` milliseconds. */
export const pause = (clock: Pick<Clock, 'setTimer'>, ms: number): Promise<void> =>
  new Promise((resolve) => {
    clock.setTimer(resolve, ms);
  });

/** A signal that aborts after `ms` milliseconds unless it is cancelled first. */
export function deadline(
  clock: Pick<Clock, 'setTimer'>,
  ms: number,
): { signal: AbortSignal; cancel: () => void } {
  const controller = new AbortController();
  const late = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  const cancel = clock.setTimer(() => controller.abort(late), ms);
  return { signal: controller.signal, cancel };
}
