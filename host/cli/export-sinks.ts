// What vws export writes to: the database, the stream of NATS, and the endpoint of its metrics.

import { parseHostPort, parseInteger } from '../config/setting-values.ts';
import { serveMetrics } from '../export/metrics-endpoint.ts';
import type { Publisher } from '../export/nats/publisher.ts';
import { NATS_STREAM } from '../export/nats/subjects.ts';
import type { PostgresOptions } from '../export/postgres/sink.ts';
import { type GaugeName, Metrics } from '../metrics.ts';
import { systemClock } from '../world/system/clock.ts';
import { systemWorld } from '../world/system/world.ts';
import { type CommandContext, optionText } from './command.ts';
import { UsageError } from './exit-code.ts';

export const PARTITION_ROWS = 10_000_000;
export const PATIENCE_SECS = 600;
const MAX_COUNT = 1_000_000_000_000;

function count(context: CommandContext, name: string, min: number): number | undefined {
  const text = optionText(context, name);
  return text === undefined ? undefined : parseInteger(text, `--${name}`, min, MAX_COUNT);
}

export interface Sinks {
  database: PostgresOptions;
  publisher: Publisher | undefined;
  metrics: Metrics;
  /** Listens for Prometheus, if that is asked for. `read`: gauges at a scrape. */
  serveMetrics(read: () => Partial<Record<GaugeName, number>>): Promise<void>;
  close(): Promise<void>;
}

/** The clients of databases are loaded by nobody else. */
export async function openSinks(context: CommandContext): Promise<Sinks> {
  const url = optionText(context, 'to') ?? '';
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new UsageError('--to takes the URL of a database, postgres://...', 'export');
  const { StoredEvents } = await import('../export/postgres/events.ts');
  const { Publisher } = await import('../export/nats/publisher.ts');
  const metrics = new Metrics('export');
  const warn = (text: string): void => context.io.err(text);
  const database: PostgresOptions = {
    url,
    schema: optionText(context, 'schema') ?? 'vws',
    clock: systemClock,
    patienceMs: (count(context, 'patience', 0) ?? PATIENCE_SECS) * 1000,
    warn,
    onRetry: () => metrics.exportRetry('database'),
    partitionRows: count(context, 'partition', 0) ?? PARTITION_ROWS,
    retainEvents: count(context, 'retain', 1),
    reader: optionText(context, 'reader'),
    onBatch: (rows, secs) => metrics.exported(rows, secs),
  };
  const servers = optionText(context, 'nats');
  const events = new StoredEvents(database);
  const publisher =
    servers === undefined
      ? undefined
      : new Publisher({
          servers,
          stream: optionText(context, 'stream') ?? NATS_STREAM,
          replicas: count(context, 'replicas', 1) ?? 1,
          events,
          clock: systemClock,
          warn(text) {
            metrics.exportRetry('stream');
            warn(text);
          },
        });
  const endpoint = optionText(context, 'metrics');
  const at = endpoint === undefined ? undefined : parseHostPort(endpoint, '--metrics', { minPort: 0 });
  let closeEndpoint = async (): Promise<void> => {};
  return {
    database,
    publisher,
    metrics,
    async serveMetrics(read) {
      if (!at) return;
      const published = () => (publisher ? { vws_export_published_seq: publisher.published } : {});
      metrics.setGauges(() => ({ ...read(), ...published() }));
      const { driver, port } = await serveMetrics(systemWorld, metrics, at);
      context.io.err(`metrics: http://${at.host}:${port}/metrics`);
      closeEndpoint = () => driver.close(0);
    },
    async close() {
      await closeEndpoint();
      await publisher?.close();
      await events.close();
    },
  };
}
