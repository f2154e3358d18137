// vws export: verified history into PostgreSQL, and from there to NATS (docs/operate/export.md).

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpSource, LogFault, type Verdict, VerifierClosed } from '../../audit/index.ts';
import { systemEnvironment } from '../../client/environment.ts';
import { loadClientSettings } from '../../config/config.ts';
import { parseInteger } from '../../config/setting-values.ts';
import { useNativeHash } from '../../crypto/native-hash.ts';
import { ExportFault } from '../../export/batch.ts';
import { Exporter } from '../../export/exporter.ts';
import type { Publisher } from '../../export/nats/publisher.ts';
import { NATS_STREAM } from '../../export/nats/subjects.ts';
import type { PostgresSink } from '../../export/postgres/sink.ts';
import { systemClock } from '../../world/system/clock.ts';
import { openStore } from '../../world/system/open-store.ts';
import { verdictExit } from '../audit-report.ts';
import { type Command, type CommandContext, isSwitchOn, optionText } from '../command.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { loadModules } from '../log-audit.ts';

const PARTITION_ROWS = 10_000_000;
const POLL_MS = 250;
const REPORT_MS = 5000;
const PATIENCE_SECS = 600;
const MAX_COUNT = 1_000_000_000_000;

function count(context: CommandContext, name: string, min: number): number | undefined {
  const text = optionText(context, name);
  return text === undefined ? undefined : parseInteger(text, `--${name}`, min, MAX_COUNT);
}

interface Sinks {
  sink: PostgresSink;
  publisher: Publisher | undefined;
  close(): Promise<void>;
}

/** The clients of databases are loaded by nobody else. */
async function sinksOf(context: CommandContext): Promise<Sinks> {
  const url = optionText(context, 'to') ?? '';
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new UsageError('--to takes the URL of a database, postgres://...', 'export');
  const { PostgresSink } = await import('../../export/postgres/sink.ts');
  const { StoredEvents } = await import('../../export/postgres/events.ts');
  const { Publisher } = await import('../../export/nats/publisher.ts');
  const warn = (text: string): void => context.io.err(text);
  const database = {
    url,
    schema: optionText(context, 'schema') ?? 'vws',
    clock: systemClock,
    patienceMs: (count(context, 'patience', 0) ?? PATIENCE_SECS) * 1000,
    warn,
  };
  const sink = new PostgresSink({
    ...database,
    partitionRows: count(context, 'partition', 0) ?? PARTITION_ROWS,
    retainEvents: count(context, 'retain', 1),
    reader: optionText(context, 'reader'),
  });
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
          warn,
        });
  return {
    sink,
    publisher,
    async close() {
      await publisher?.close();
      await events.close();
      await sink.close();
    },
  };
}

/** Exports until it ends; what is published follows. */
async function drive(
  exporter: Exporter,
  publisher: Publisher | undefined,
  isOnce: boolean,
): Promise<Verdict | undefined> {
  if (isOnce) {
    const verdict = await exporter.once();
    await publisher?.run(() => exporter.place.seq);
    return verdict;
  }
  const publishing = publisher?.run();
  // It is thrown below.
  publishing?.catch(() => exporter.stop());
  const verdict = await exporter.follow();
  publisher?.stop();
  await publishing;
  return verdict;
}

/** A line now and then. */
function progressLines(io: Io): (place: { order: number; seq: number }) => void {
  let reportedMs = systemClock.monotonicMs();
  return ({ order, seq }) => {
    const nowMs = systemClock.monotonicMs();
    if (nowMs - reportedMs < REPORT_MS) return;
    io.err(`exported up to order ${order}, event ${seq}`);
    reportedMs = nowMs;
  };
}

/** How an export that could not go on ends; the other errors are not its own. */
function faultExit(io: Io, error: unknown): ExitCode {
  if (error instanceof LogFault) {
    io.err(`LIE         ${error.kind}: ${error.message}`);
    return EXIT.LIE;
  }
  if (!(error instanceof ExportFault)) throw error;
  io.err(`${error.kind === 'gap' ? 'GAP' : 'DIFFERS'}         ${error.message}`);
  return error.kind === 'gap' ? EXIT.FINDING : EXIT.LIE;
}

function verdictEnd(io: Io, verdict: Verdict | undefined): ExitCode {
  if (!verdict) return EXIT.DONE;
  for (const { kind, text } of verdict.findings) io.err(`FINDING     ${kind}: ${text}`);
  if (verdict.fault) io.err(`LIE         ${verdict.fault.kind}: ${verdict.fault.text}`);
  io.err(`exported up to order ${verdict.order}`);
  return verdictExit(verdict);
}

async function run(context: CommandContext, folder: string): Promise<ExitCode> {
  const { io } = context;
  const sinks = await sinksOf(context);
  const store = await openStore(folder, 'auto', (text) => io.err(text));
  const kept = Object.assign(store, { find: async (key: Uint8Array) => store.get(key) });
  const genesisHash = optionText(context, 'genesis')?.toLowerCase();
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
      sink: sinks.sink,
      pollMs: POLL_MS,
      warn: (text) => io.err(text),
      onWritten: progressLines(io),
    });
    let stops = 0;
    io.onStopSignal(() => (stops++ === 0 ? exporter.stop() : io.abandon(EXIT.FAILED)));
    const verdict = await drive(exporter, sinks.publisher, isSwitchOn(context, 'once'));
    await exporter.close();
    return verdictEnd(io, verdict);
  } catch (error) {
    if (error instanceof VerifierClosed) return EXIT.DONE;
    return faultExit(io, error);
  } finally {
    await sinks.close();
    await store.close();
  }
}

export const exportHistory: Command = {
  name: 'export',
  summary: 'write verified history into PostgreSQL, and publish it',
  about: `Follows the node given by --node as vws audit does: every signature is checked, order and state are computed
here, and signed checkpoints are compared. What was computed is written into a PostgreSQL database: events,
postings in double entry, accounts, the current agents, tasks, listings, validators and challenges, and
checkpoints with their signatures. Each batch is one transaction that begins where the last one ended, so two
exports into one database, or one that was killed, neither write twice nor leave a hole.
Runs until it is stopped. A lie of the node, or a gap, ends it with the exit code of vws audit, and nothing
after it is written. With --nats the events of the database are published to a stream of NATS JetStream, whose
sequence is their seq. A password is better given by PGPASSWORD or a .pgpass file than in --to.`,
  options: [
    { name: 'to', value: 'url', help: 'the database, postgres://user@host/name', isRequired: true },
    { name: 'keep', value: 'dir', help: 'folder for verified data; the next export resumes from it' },
    { name: 'genesis', value: 'hash', help: 'genesis hash of the network, 64 hex characters' },
    { name: 'checkpoint', help: 'begin with the newest state that a quorum has signed, not with genesis' },
    { name: 'once', help: 'export what the node has now, and end' },
    { name: 'schema', value: 'name', help: 'schema of the tables; default vws' },
    {
      name: 'partition',
      value: 'events',
      help: `events in one partition; default ${PARTITION_ROWS}; 0: no partitions`,
    },
    { name: 'retain', value: 'events', help: 'drop partitions that are older than so many events' },
    {
      name: 'nats',
      value: 'url',
      help: 'publish the events to JetStream as well, nats://host; may be a list',
    },
    { name: 'stream', value: 'name', help: `the stream; default ${NATS_STREAM}` },
    {
      name: 'replicas',
      value: 'count',
      help: 'servers that keep the stream, when it is made; default 1',
    },
    { name: 'reader', value: 'role', help: 'role that may read the tables; made if it is not there' },
    {
      name: 'patience',
      value: 'secs',
      help: `how long to wait for a database that is away; default ${PATIENCE_SECS}`,
    },
  ],
  settings: 'client',
  examples: [
    'vws export --to postgres://vws@localhost/history --keep ./checked',
    'vws export --to postgres://vws@db.example.org/history --genesis 5f1c... --nats nats://localhost',
    'vws export --to postgres://vws@localhost/history --retain 50000000 --reader analysts',
  ],
  async run(context) {
    const genesis = optionText(context, 'genesis');
    if (genesis !== undefined && !/^[0-9a-fA-F]{64}$/.test(genesis))
      throw new UsageError('--genesis takes 64 hex characters', 'export');
    useNativeHash();
    const keep = optionText(context, 'keep');
    const folder = keep ?? (await mkdtemp(join(tmpdir(), 'vws-export-')));
    try {
      return await run(context, folder);
    } finally {
      if (keep === undefined) await rm(folder, { recursive: true, force: true });
    }
  },
};
