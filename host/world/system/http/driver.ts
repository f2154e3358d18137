// Chooses the HTTP driver: uWebSockets.js where its binary loads, node:http elsewhere.

import type { DriverChoice, HttpDriver, HttpService } from '../../http.ts';
import { createNodeDriver } from './driver-node.ts';
import type { DriverClock } from './driver-rules.ts';
import { createUwsDriver } from './driver-uws.ts';

interface DriverOptions {
  clock: DriverClock;
  /** Called with the reason when `auto` falls back to node:http. */
  onFallback?: (reason: string) => void;
  /** Connections open at once. */
  maxConnections?: number;
}

/** Errors: `uws` rejects where its binary does not load; `auto` and `node` never do. */
export async function createDriver(
  service: HttpService,
  choice: DriverChoice,
  options: DriverOptions,
): Promise<HttpDriver> {
  if (choice === 'node') return createNodeDriver(service, options.clock, options.maxConnections);
  try {
    return await createUwsDriver(service, options.clock, options.maxConnections);
  } catch (cause) {
    if (choice === 'uws') throw cause;
    // The first line says why; behind it are paths of the loader.
    options.onFallback?.((cause instanceof Error ? cause.message : String(cause)).split('\n')[0] as string);
    return createNodeDriver(service, options.clock, options.maxConnections);
  }
}
