// Signals that ask the process to stop.

/** Calls `handler` at each SIGINT or SIGTERM. */
export function onStopSignal(handler: (signal: string) => void): void {
  process.on('SIGINT', handler);
  process.on('SIGTERM', handler);
}
