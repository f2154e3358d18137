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

/** Resolves after `ms` milliseconds, or when `stop` aborts. */
export const pauseUntil = async (
  clock: Pick<Clock, 'setTimer'>,
  ms: number,
  stop: AbortSignal | undefined,
): Promise<void> => {
  const { signal, cancel } = deadline(clock, ms, stop);
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  cancel();
};

/**
 * Runs something with a signal that aborts when `signal` does, or after `ms` milliseconds. Nothing stays of it at a signal that lives as
 * long as the node, as it would with `AbortSignal.any`, which keeps what was listened to for ever.
 */
export async function within<T>(
  clock: Pick<Clock, 'setTimer'>,
  ms: number,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  const cancel = clock.setTimer(end, ms);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    return await run(controller.signal);
  } finally {
    cancel();
    signal.removeEventListener('abort', end);
  }
}

/** A signal that aborts after `ms` milliseconds, or when `stop` does, unless it is cancelled first. */
export function deadline(
  clock: Pick<Clock, 'setTimer'>,
  ms: number,
  stop?: AbortSignal,
): { signal: AbortSignal; cancel: () => void } {
  const controller = new AbortController();
  const late = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  const cancelTimer = clock.setTimer(() => controller.abort(late), ms);
  const end = (): void => controller.abort(stop?.reason);
  stop?.addEventListener('abort', end, { once: true });
  if (stop?.aborted) end();
  const cancel = (): void => {
    cancelTimer();
    stop?.removeEventListener('abort', end);
  };
  return { signal: controller.signal, cancel };
}
