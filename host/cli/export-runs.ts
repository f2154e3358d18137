// The two ways of vws export: computed history, and what the stream of an own node says.

import { HttpSource, type Verdict } from '../audit/index.ts';
import { systemEnvironment } from '../client/environment.ts';
import { VwsClient, VwsError } from '../client/index.ts';
import { followEvents } from '../client/node.ts';
import { loadClientSettings } from '../config/config.ts';
import { ExportFault } from '../export/batch.ts';
import { Exporter } from '../export/exporter.ts';
import type { Publisher } from '../export/nats/publisher.ts';
import { TrustedStream } from '../export/trusted-stream.ts';
import { pause } from '../world/clock.ts';
import { systemClock } from '../world/system/clock.ts';
import { openStore } from '../world/system/open-store.ts';
import { type CommandContext, isSwitchOn, optionText } from './command.ts';
import { EXIT } from './exit-code.ts';
import type { Sinks } from './export-sinks.ts';
import type { Io } from './io.ts';
import { loadModules } from './log-audit.ts';

const POLL_MS = 250;
const REPORT_MS = 5000;
/** Between two questions to a node that does not answer yet. */
const AWAY_MS = 2000;

/** A line now and then. */
function progressLines(io: Io): (text: string) => void {
  let reportedMs = systemClock.monotonicMs();
  return (text) => {
    const nowMs = systemClock.monotonicMs();
    if (nowMs - reportedMs < REPORT_MS) return;
    io.err(`exported up to ${text}`);
    reportedMs = nowMs;
  };
}

/** Ends at the first signal; the second one leaves everything as it is. */
function onStop(io: Io, stop: () => void): void {
  let stops = 0;
  io.onStopSignal(() => (stops++ === 0 ? stop() : io.abandon(EXIT.FAILED)));
}

/** A node that does not answer is waited for at the start, too: a machine starts both at once. `--once` waits for nobody. */
async function awaitNode(context: CommandContext, { metrics }: Sinks): Promise<void> {
  const node = new VwsClient({ baseUrl: loadClientSettings(context).nodeUrl });
  for (let attempts = 1; ; attempts++) {
    try {
      await node.genesis();
      return;
    } catch (error) {
      const isAway = error instanceof VwsError && (error.code === 'unreachable' || error.status >= 500);
      if (!isAway || isSwitchOn(context, 'once')) throw error;
      metrics.exportRetry('node');
      if (attempts === 1) context.io.err(`${error.message}: it is asked again until it answers`);
    }
    await pause(systemClock, AWAY_MS);
  }
}

/** Runs an export until it ends; what is published follows. */
async function publishing<T>(
  publisher: Publisher | undefined,
  { isOnce, seq, stop }: { isOnce: boolean; seq(): number; stop(): void },
  run: () => Promise<T>,
): Promise<T> {
  if (isOnce) {
    const result = await run();
    await publisher?.run(seq);
    return result;
  }
  const following = publisher?.run();
  // It is thrown below.
  following?.catch(stop);
  const result = await run();
  publisher?.stop();
  await following;
  return result;
}

/** Exports what is computed here; the last verdict. Errors: ExportFault, LogFault, VerifierClosed, those of the database. */
export async function exportVerified(
  context: CommandContext,
  sinks: Sinks,
  folder: string,
): Promise<Verdict | undefined> {
  const { io } = context;
  await awaitNode(context, sinks);
  const genesisHash = optionText(context, 'genesis')?.toLowerCase();
  const { PostgresSink } = await import('../export/postgres/sink.ts');
  const sink = new PostgresSink(sinks.database);
  const store = await openStore(folder, 'auto', (text) => io.err(text));
  const kept = Object.assign(store, { find: async (key: Uint8Array) => store.get(key) });
  const report = progressLines(io);
  try {
    const exporter = await Exporter.open({
      verifier: {
        source: new HttpSource(loadClientSettings(context).nodeUrl, systemEnvironment),
        modules: await loadModules(),
        store: kept,
        way: isSwitchOn(context, 'checkpoint') ? 'checkpoint' : 'genesis',
        environment: systemEnvironment,
        ...(genesisHash === undefined ? {} : { genesisHash }),
      },
      sink,
      pollMs: POLL_MS,
      warn: (text) => io.err(text),
      onAway: () => sinks.metrics.exportRetry('node'),
      onWritten: ({ order, seq }) => report(`order ${order}, event ${seq}`),
    });
    await sinks.serveMetrics(() => ({
      vws_export_seq: exporter.place.seq,
      vws_export_order: exporter.place.order,
      vws_export_lag_orders: exporter.lag.orders,
      vws_export_lag_seconds: exporter.lag.ms / 1000,
    }));
    const stop = (): void => exporter.stop();
    onStop(io, stop);
    const isOnce = isSwitchOn(context, 'once');
    const seq = (): number => exporter.place.seq;
    const run = () => (isOnce ? exporter.once() : exporter.follow());
    const verdict = await publishing(sinks.publisher, { isOnce, seq, stop }, run);
    await exporter.close();
    return verdict;
  } finally {
    await sink.close();
    await store.close();
  }
}

/** Exports what the stream of a node says, and nothing that was computed. Errors: ExportFault, VwsError, those of the database. */
export async function exportTrusted(context: CommandContext, sinks: Sinks): Promise<void> {
  const { io } = context;
  const { nodeUrl } = loadClientSettings(context);
  await awaitNode(context, sinks);
  const node = new VwsClient({ baseUrl: nodeUrl });
  const genesis = await node.genesis();
  const pinned = optionText(context, 'genesis')?.toLowerCase();
  if (pinned !== undefined && pinned !== genesis.genesis_hash)
    throw new ExportFault('differs', `the node is of network ${genesis.genesis_hash}, not ${pinned}`);
  const isOnce = isSwitchOn(context, 'once');
  const [newest] = isOnce ? await node.recentEvents({ limit: 1 }) : [];
  const { StreamSink } = await import('../export/postgres/stream-sink.ts');
  const sink = new StreamSink(sinks.database);
  const report = progressLines(io);
  const exporter = new TrustedStream({
    follow: (since, signal, onRetry) => followEvents({ baseUrl: nodeUrl, since, signal, onRetry }),
    sink,
    genesisHash: genesis.genesis_hash,
    clock: systemClock,
    onAway: () => sinks.metrics.exportRetry('node'),
    onWritten: (seq) => report(`event ${seq}, as ${nodeUrl} says`),
  });
  try {
    io.err(`TRUSTED     nothing is recomputed: every row is what ${nodeUrl} says; events only`);
    await sinks.serveMetrics(() => ({
      vws_export_seq: exporter.seq,
      vws_export_lag_seconds: exporter.lagMs / 1000,
    }));
    const stop = (): void => exporter.stop();
    onStop(io, stop);
    const seq = (): number => exporter.seq;
    await publishing(sinks.publisher, { isOnce, seq, stop }, () =>
      exporter.run(isOnce ? (newest?.seq ?? 0) : undefined),
    );
    io.err(`TRUSTED     exported up to event ${exporter.seq}, as ${nodeUrl} says: nothing was recomputed`);
  } finally {
    await sink.close();
  }
}
