// vws snapshot: the state at a seal as a file that anybody can check and that a new node starts from (protocol 12.10).

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { HttpSource, readPin } from '../../audit/index.ts';
import { systemEnvironment } from '../../client/environment.ts';
import { loadClientSettings, loadHeldSeatSettings } from '../../config/config.ts';
import { useNativeHash } from '../../crypto/native-hash.ts';
import type { Store } from '../../world/store.ts';
import { openStore } from '../../world/system/open-store.ts';
import { type Command, type CommandContext, isSwitchOn, optionText } from '../command.ts';
import { JSON_OPTION } from '../connection.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { loadModules } from '../log-audit.ts';
import { printJson } from '../output.ts';
import {
  type Anchor,
  createSnapshot,
  restoreSnapshot,
  type SnapshotReport,
  type SnapshotTools,
  snapshotFaultOf,
} from '../snapshot/snapshot.ts';
import { needed, runVerb, type Verb } from '../verbs.ts';

const BADLY_ANCHORED =
  'the newest point that does not come from the file is more than 30 days old: give --pin with a newer checkpoint from somebody you trust';

async function toolsOf(): Promise<SnapshotTools> {
  const { clock, randomBytes } = systemEnvironment;
  return { modules: await loadModules(), randomBytes, nowMs: () => clock.nowMs() };
}

/** What the caller knows from elsewhere. Errors: UsageError for none. */
function anchorOf(context: CommandContext): Anchor {
  const genesisHash = optionText(context, 'genesis')?.toLowerCase();
  if (genesisHash !== undefined && !/^[0-9a-f]{64}$/.test(genesisHash))
    throw new UsageError('--genesis takes 64 hex characters', 'snapshot');
  const text = optionText(context, 'pin');
  const pin = text === undefined ? undefined : readPin(text);
  if (text !== undefined && !pin)
    throw new UsageError('--pin takes height:hash, the hash in hex or as an audit prints it', 'snapshot');
  if (genesisHash === undefined && pin === undefined)
    throw new UsageError(
      'a snapshot proves nothing by itself: give --genesis or --pin, known from elsewhere',
      'snapshot',
    );
  return { genesisHash, pin };
}

async function inStore<T>(folder: string, io: Io, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(folder, 'auto', (text) => io.err(text));
  try {
    return await use(store);
  } catch (error) {
    throw snapshotFaultOf(error);
  } finally {
    await store.close();
  }
}

/** A store that is only needed for the checks. */
async function inPassing<T>(near: string, io: Io, use: (store: Store) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(near, 'vws-snapshot-'));
  try {
    return await inStore(folder, io, use);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function print(context: CommandContext, report: SnapshotReport): void {
  const { io } = context;
  if (isSwitchOn(context, 'json')) printJson(io, report);
  else {
    io.out(`Network: ${report.chain_id}, genesis ${report.genesis_hash}`);
    io.out(`Checkpoint: ${report.checkpoint}:${report.checkpoint_code}`);
    io.out(
      `State: order ${report.order}, ${new Date(report.time_ms).toISOString()}, root ${report.state_root}`,
    );
    io.out(`Opens: epoch ${report.epoch}`);
    io.out(`Signed by: ${report.signers} of ${report.seats} seats, which are a quorum`);
    io.out(`Bytes: ${report.bytes}`);
  }
  if (report.is_badly_anchored) io.err(BADLY_ANCHORED);
}

async function create(context: CommandContext): Promise<ExitCode> {
  const source = new HttpSource(loadClientSettings(context).nodeUrl, systemEnvironment);
  const path = needed(context, 'file');
  const tools = await toolsOf();
  const report = await inPassing(dirname(resolve(path)), context.io, (store) =>
    createSnapshot(source, path, store, tools),
  );
  print(context, report);
  return EXIT.DONE;
}

async function verify(context: CommandContext): Promise<ExitCode> {
  const anchor = anchorOf(context);
  const tools = await toolsOf();
  const report = await inPassing(tmpdir(), context.io, (store) =>
    restoreSnapshot(needed(context, 'file'), anchor, store, tools),
  );
  print(context, report);
  return report.is_badly_anchored ? EXIT.FINDING : EXIT.DONE;
}

async function restore(context: CommandContext): Promise<ExitCode> {
  const anchor = anchorOf(context);
  const { dataDir } = loadHeldSeatSettings(context);
  const tools = await toolsOf();
  const report = await inStore(dataDir, context.io, (store) =>
    restoreSnapshot(needed(context, 'file'), anchor, store, tools),
  );
  print(context, report);
  context.io.err(`start the node with --data ${dataDir}: it fetches what came after from its peers`);
  return EXIT.DONE;
}

const VERBS: Readonly<Record<string, Verb>> = {
  create: { needs: ['file'], run: create },
  verify: { needs: ['file'], run: verify },
  restore: { needs: ['file'], run: restore },
};

export const snapshot: Command = {
  name: 'snapshot',
  summary: 'the state at a seal as a file: make, check, start from it',
  about: `create asks a running node for its state at the newest seal, with the seals that prove it, and writes a file
once it has passed every check: a backup that needs no stop. verify checks such a file against a genesis
hash or a checkpoint known from elsewhere; it asks nobody. restore does the same into an empty data
directory; a node started there fetches the rest from its peers, as one that joined from a checkpoint.
Its seat signs nothing until it cannot sign anything twice. Texts of tasks and events are the word of the
node that made the file; the state, names and contents of results are proven.
The file has no key: keep node_keys apart.`,
  options: [
    { name: 'file', value: 'path', help: 'the snapshot; create does not overwrite' },
    {
      name: 'node',
      value: 'url',
      help: 'create: the node to ask; default SERVICE_NODE, http://localhost:8338',
    },
    {
      name: 'genesis',
      value: 'hash',
      help: 'verify, restore: genesis hash of the network, 64 hex characters',
    },
    {
      name: 'pin',
      value: 'height:hash',
      help: 'verify, restore: a checkpoint known from elsewhere; the snapshot must contain it',
    },
    JSON_OPTION,
  ],
  settings: 'resume-seat',
  words: Object.keys(VERBS).join('|'),
  examples: [
    'vws snapshot create --file friday.vwssnap',
    'vws snapshot verify --file friday.vwssnap --pin 24:7K3M-9QXT-2B4C-6D8E-F0G1-H2J3-K4M5-N6P7',
    'vws snapshot restore --file friday.vwssnap --genesis 5f1c... --data ./node2',
  ],
  async run(context) {
    useNativeHash();
    return runVerb('snapshot', VERBS, context);
  },
};
