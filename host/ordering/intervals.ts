/** Has the interval passed since `lastMs`; a clock that was set back must not block anything. */
export const hasPassed = (lastMs: number | undefined, intervalMs: number, nowMs: number): boolean =>
  lastMs === undefined || nowMs < lastMs || nowMs >= lastMs + intervalMs;
