// A reader as a whole: the tables of an export, watched, and its stream, behind HTTP.

import { ClientIp } from '../../api/client-ip.ts';
import { OrderWaits } from '../../api/order-waits.ts';
import { ROUTES } from '../../api/routes.ts';
import type { Logger } from '../../log.ts';
import { Metrics } from '../../metrics.ts';
import type { World } from '../../world/world.ts';
import { StreamLog } from '../nats/stream-log.ts';
import { PlaceWatch } from './place-watch.ts';
import { ReaderService } from './service.ts';
import { Tables } from './snapshot.ts';
import { ReaderStream, wholeEvent } from './stream.ts';

export interface ReaderSettings {
  url: string;
  schema: string;
  host: string;
  port: number;
  connections: number;
  /** NATS servers with commas, and the stream; undefined: no stream. */
  events: { servers: string; stream: string } | undefined;
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
  const watch = new PlaceWatch(tables, orders, clock, (reason) =>
    log.warn({ reason }, 'the database cannot be read'),
  );
  const metrics = new Metrics();
  const stream =
    settings.events &&
    new ReaderStream({
      log: new StreamLog({ ...settings.events, whole: (seq) => wholeEvent(tables, seq) }),
      tables,
      timeSecs: () => Math.floor(watch.timeMs / 1000),
      clock,
      logger: log,
      metrics,
    });
  metrics.setGauges(() => ({ vws_last_order: watch.order, vws_ws_connections: stream?.size ?? 0 }));
  await watch.look();
  const working = Promise.all([watch.run(), stream?.run()]);
  const service = new ReaderService({
    routes: ROUTES,
    tables,
    watch,
    orders,
    stream,
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
      await stream?.stop();
      await working;
      await tables.close();
    },
  };
}
