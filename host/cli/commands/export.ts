// vws export: verified history into PostgreSQL, and from there to NATS (docs/operate/export.md).

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogFault, type Verdict, VerifierClosed } from '../../audit/index.ts';
import { useNativeHash } from '../../crypto/native-hash.ts';
import { ExportFault } from '../../export/batch.ts';
import { NATS_STREAM } from '../../export/nats/subjects.ts';
import { verdictExit } from '../audit-report.ts';
import { type Command, type CommandContext, isSwitchOn, optionText } from '../command.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { exportTrusted, exportVerified } from '../export-runs.ts';
import { openSinks, PARTITION_ROWS, PATIENCE_SECS } from '../export-sinks.ts';
import type { Io } from '../io.ts';
import { plainText } from '../output.ts';

/** How an export that could not go on ends; the other errors are not its own. */
function faultExit(io: Io, error: unknown): ExitCode {
  if (error instanceof LogFault) {
    io.err(plainText(`LIE         ${error.kind}: ${error.message}`));
    return EXIT.LIE;
  }
  if (!(error instanceof ExportFault)) throw error;
  io.err(`${error.kind === 'gap' ? 'GAP' : 'DIFFERS'}         ${error.message}`);
  return error.kind === 'gap' ? EXIT.FINDING : EXIT.LIE;
}

function verdictEnd(io: Io, verdict: Verdict | undefined): ExitCode {
  if (!verdict) return EXIT.DONE;
  for (const { kind, text } of verdict.findings) io.err(plainText(`FINDING     ${kind}: ${text}`));
  if (verdict.fault) io.err(plainText(`LIE         ${verdict.fault.kind}: ${verdict.fault.text}`));
  io.err(`exported up to order ${verdict.order}`);
  return verdictExit(verdict);
}

async function run(context: CommandContext, folder: string): Promise<ExitCode> {
  const sinks = await openSinks(context);
  try {
    if (!isSwitchOn(context, 'trust-stream'))
      return verdictEnd(context.io, await exportVerified(context, sinks, folder));
    await exportTrusted(context, sinks);
    return EXIT.AS_THE_NODE_SAYS;
  } catch (error) {
    if (error instanceof VerifierClosed) return EXIT.DONE;
    return faultExit(context.io, error);
  } finally {
    await sinks.close();
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
sequence is their seq. With --trust-stream nothing is computed: the events are written as
the stream of the node tells them, into a schema that holds nothing else. A password is better given by
PGPASSWORD or a .pgpass file than in --to.`,
  options: [
    { name: 'to', value: 'url', help: 'the database, postgres://user@host/name', isRequired: true },
    { name: 'keep', value: 'dir', help: 'folder for verified data; the next export resumes from it' },
    { name: 'genesis', value: 'hash', help: 'genesis hash of the network, 64 hex characters' },
    { name: 'checkpoint', help: 'begin with the newest state that a quorum has signed, not with genesis' },
    {
      name: 'trust-stream',
      help: 'write the events as the stream of --node tells them, uncomputed; exit code 7',
    },
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
    { name: 'metrics', value: 'host:port', help: 'serve metrics for Prometheus there, at /metrics' },
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
    const pointless = ['keep', 'checkpoint', 'retain'].find((name) => context.flags[name] !== undefined);
    if (isSwitchOn(context, 'trust-stream') && pointless !== undefined)
      throw new UsageError(`--${pointless} is about computed history, not about --trust-stream`, 'export');
    const folder = keep ?? (await mkdtemp(join(tmpdir(), 'vws-export-')));
    try {
      return await run(context, folder);
    } finally {
      if (keep === undefined) await rm(folder, { recursive: true, force: true });
    }
  },
};
