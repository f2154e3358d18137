// A service that answers everything with 200, and whether uWebSockets.js runs here.

import type { HttpService } from '../../../../host/world/http.ts';
import { systemClock } from '../../../../host/world/system/clock.ts';
import { createUwsDriver } from '../../../../host/world/system/http/driver-uws.ts';

export const quiet: HttpService = {
  maxBodyBytes: () => 100,
  admit: () => undefined,
  refusal: () => ({ status: 400, headers: {}, body: '' }),
  upgrade: () => undefined,
  handle: (_request, reply) => reply({ status: 200, headers: {}, body: 'ok' }),
};

/** uWebSockets.js has no binary for musl and Node.js 24. The driver loads it, since it reads the environment as it is loaded. */
export const hasUws = await createUwsDriver(quiet, systemClock).then(
  (driver) => driver.close(0).then(() => true),
  () => false,
);
if (!hasUws)
  console.warn(`uWebSockets.js has no binary for Node.js ${process.version}: its driver is skipped`);
