// Where Prometheus reads the metrics of an exporter: GET /metrics, and nothing else.

import { Refusals } from '../api/refusals.ts';
import { type ErrorCode, ServiceError } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import type { HttpDriver, HttpReply, HttpService } from '../world/http.ts';
import type { World } from '../world/world.ts';

/** Of Prometheus' text format 0.0.4. */
const TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function metricsService(metrics: Metrics): HttpService {
  const refusals = new Refusals(metrics);
  const refusal = (code: ErrorCode): HttpReply => refusals.from(new ServiceError(code));
  return {
    maxBodyBytes: () => 0,
    admit: () => undefined,
    upgrade: () => undefined,
    refusal,
    handle({ method, path }, reply) {
      if (path !== '/metrics') reply(refusal('not_found'));
      else if (method !== 'GET' && method !== 'HEAD') reply(refusal('method_not_allowed'));
      else
        void metrics
          .render()
          .then((body) => reply({ status: 200, headers: { 'Content-Type': TYPE }, body }))
          .catch(() => reply(refusal('internal')));
    },
  };
}

/** Listens; the driver that is to be closed, and the port. Errors: those of the system, such as a port in use. */
export async function serveMetrics(
  world: Pick<World, 'serve'>,
  metrics: Metrics,
  { host, port }: { host: string; port: number },
): Promise<{ driver: HttpDriver; port: number }> {
  const driver = await world.serve(metricsService(metrics), 'node', () => {});
  return { driver, port: await driver.listen(host, port) };
}
