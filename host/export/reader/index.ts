// A reader as a whole: the tables of an export, watched, behind HTTP.

import { ClientIp } from '../../api/client-ip.ts';
import { OrderWaits } from '../../api/order-waits.ts';
import { ROUTES } from '../../api/routes.ts';
import type { Logger } from '../../log.ts';
import { Metrics } from '../../metrics.ts';
import type { World } from '../../world/world.ts';
import { PlaceWatch } from './place-watch.ts';
import { ReaderService } from './service.ts';
import { Tables } from './snapshot.ts';

export interface ReaderSettings {
  url: string;
  schema: string;
  host: string;
  port: number;
  connections: number;
  nodeUrl: string | undefined;
  trustedProxies: readonly string[];
  isLimited: boolean;
}

export interface RunningReader {
  port: number;
  close(): Promise<void>;
}

const CLOSE_GRACE_MS = 3000;

/** Listens; the database may come later. */
export async function startReader(
  settings: ReaderSettings,
  world: Pick<World, 'clock' | 'serve'>,
  log: Logger,
): Promise<RunningReader> {
  const { connections, nodeUrl, isLimited, trustedProxies } = settings;
  const { clock } = world;
  const tables = await Tables.open(settings);
  const orders = new OrderWaits(clock, 0, () => ({}));
  const watch = new PlaceWatch(tables, orders, clock);
  const metrics = new Metrics();
  metrics.setGauges(() => ({ vws_last_order: watch.order }));
  await watch.look();
  const watching = watch.run();
  const service = new ReaderService({
    routes: ROUTES,
    tables,
    watch,
    orders,
    nodeUrl,
    connections,
    isLimited,
    clientIp: new ClientIp(trustedProxies),
    metrics,
    log,
    clock,
  });
  const driver = await world.serve(service, 'auto', (reason) =>
    log.warn({ reason }, 'uWebSockets.js is not available: using node:http'),
  );
  const port = await driver.listen(settings.host, settings.port);
  return {
    port,
    async close() {
      await driver.close(CLOSE_GRACE_MS);
      watch.stop();
      await watching;
      await tables.close();
    },
  };
}
