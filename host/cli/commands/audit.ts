// vws audit: recomputes a node's order and state and reports whether the node's data matches.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Comparison,
  HttpSource,
  type Kind,
  LogFault,
  type Modules,
  type Verdict,
  Verifier,
  type VerifyProgress,
} from '../../audit/index.ts';
import { systemEnvironment } from '../../client/environment.ts';
import { loadClientSettings } from '../../config/config.ts';
import { hasSimd } from '../../crypto/ed25519-wasm.ts';
import { useNativeHash } from '../../crypto/native-hash.ts';
import type { Store } from '../../world/store.ts';
import { systemClock } from '../../world/system/clock.ts';
import { systemProgram } from '../../world/system/files.ts';
import { openStore } from '../../world/system/open-store.ts';
import { type Command, type CommandContext, isSwitchOn, optionText, optionTexts } from '../command.ts';
import { JSON_OPTION } from '../connection.ts';
import { EXIT, UsageError } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { printJson } from '../output.ts';

const REPORT_MS = 2000;
const KINDS: readonly Kind[] = ['agent', 'task', 'event'];

interface Question {
  kind: Kind;
  id: string;
}
interface Report extends Verdict {
  genesis_hash: string;
  way: string;
  transactions: number;
  signatures: number;
  seconds: number;
  answers: (Question & Comparison)[];
}

async function loadModules(): Promise<Modules> {
  const [core, consensus, ed25519] = await Promise.all([
    systemProgram.module('core.wasm'),
    systemProgram.module('consensus.wasm'),
    systemProgram.module(hasSimd() ? 'ed25519.wasm' : 'ed25519-scalar.wasm'),
  ]);
  return { core, consensus, ed25519 };
}

/** Uses the folder to keep, or a temporary one that is removed afterwards. */
async function withStore<T>(keep: string | undefined, io: Io, use: (store: Store) => Promise<T>): Promise<T> {
  const folder = keep ?? (await mkdtemp(join(tmpdir(), 'vws-audit-')));
  try {
    const store = await openStore(folder, 'auto', (text) => io.err(text));
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  } finally {
    if (keep === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** A line every two seconds, with the rate and the time left. */
function progressLines(io: Io): (progress: VerifyProgress) => void {
  let [reportedMs, reportedOrder] = [systemClock.monotonicMs(), -1];
  return ({ order, toOrder, transactions, checkpoint }) => {
    const nowMs = systemClock.monotonicMs();
    if (nowMs - reportedMs < REPORT_MS) return;
    const rate = reportedOrder < 0 ? 0 : ((order - reportedOrder) * 1000) / (nowMs - reportedMs);
    const left = rate > 0 ? `, ${Math.ceil((toOrder - order) / rate)} s left` : '';
    io.err(`order ${order} of ${toOrder}, ${transactions} transactions, checkpoint ${checkpoint}${left}`);
    [reportedMs, reportedOrder] = [nowMs, order];
  };
}

async function run(context: CommandContext, store: Store): Promise<Report> {
  const { io } = context;
  const startedMs = systemClock.monotonicMs();
  const genesisHash = optionText(context, 'genesis');
  const verifier = await Verifier.open({
    source: new HttpSource(loadClientSettings(context).nodeUrl, systemEnvironment),
    modules: await loadModules(),
    store: Object.assign(store, { find: async (key: Uint8Array) => store.get(key) }),
    way: isSwitchOn(context, 'checkpoint') ? 'checkpoint' : 'genesis',
    environment: systemEnvironment,
    ...(genesisHash === undefined ? {} : { genesisHash }),
    onProgress: progressLines(io),
  });
  io.onStopSignal(() => void verifier.close().then(() => io.abandon(EXIT.FAILED)));
  const verdict = await verifier.run();
  const answers: Report['answers'] = [];
  for (const kind of verdict.isGood ? KINDS : []) {
    for (const id of optionTexts(context, kind))
      answers.push({ kind, id, ...(await verifier.compare(kind, id)) });
  }
  const { transactions, signatures } = verifier.progress;
  await verifier.close();
  return {
    ...verdict,
    genesis_hash: verifier.genesis.hashHex,
    way: verifier.way,
    transactions,
    signatures,
    seconds: Math.round((systemClock.monotonicMs() - startedMs) / 100) / 10,
    answers,
  };
}

function print(io: Io, report: Report, isPinned: boolean): void {
  const { genesis_hash, way, order, checkpoint, fault } = report;
  io.out(
    `network     ${genesis_hash}${isPinned ? '' : ' (as the node says: compare it, or give --genesis)'}`,
  );
  io.out(
    `checked     ${way === 'genesis' ? 'every vertex from the first' : 'the vertices after a signed state'}, up to order ${order}`,
  );
  io.out(
    `            ${report.transactions} transactions, ${report.signatures} signatures, ${report.seconds} s`,
  );
  io.out(`state       ${report.stateRoot}`);
  io.out(
    `checkpoint  ${checkpoint === 0 ? 'none signed yet' : `${checkpoint}, signed by a quorum, equal to the state computed here`}`,
  );
  for (const { kind, id, isKnown, isEqual, text, order: at } of report.answers) {
    const words = isEqual
      ? `as the node says, at order ${at}`
      : isKnown
        ? text
        : 'the node kept moving; no comparison at one order was possible. Run the command again.';
    io.out(`${kind.padEnd(11)} ${isEqual || !isKnown ? `${id}: ` : ''}${words}`);
  }
  if (fault) io.out(`LIE         ${fault.kind}: ${fault.text}`);
  else
    io.out(
      report.answers.some((a) => a.isKnown && !a.isEqual)
        ? 'MISMATCH    see the lines above'
        : 'The node told the truth.',
    );
}

const ask = (kind: Kind, help: string) => ({ name: kind, value: 'id', help, isRepeatable: true });

export const audit: Command = {
  name: 'audit',
  summary: "recompute a node's order and state, and compare",
  about: `Downloads the DAG of the node given by --node, checks every signature in it, computes the order and the state
with the code that validators run, and compares them with each checkpoint that the validators have signed.
Trusts the node for one thing only, the genesis hash; --genesis pins that too. Then compares the agents, tasks
and events given by --agent, --task and --event with the state computed here. The exit code is 1 if the
node's data is wrong.`,
  options: [
    { name: 'genesis', value: 'hash', help: 'genesis hash of the network, 64 hex characters' },
    { name: 'checkpoint', help: 'start from the newest state that a quorum has signed, not from genesis' },
    { name: 'keep', value: 'dir', help: 'folder for verified data; the next audit resumes from it' },
    ask('agent', 'compare the balance of an agent; may be repeated'),
    ask('task', 'compare a task; may be repeated'),
    ask('event', 'compare an event; may be repeated'),
    JSON_OPTION,
  ],
  settings: 'client',
  examples: [
    'vws audit',
    'vws audit --node http://node.example.org:8338 --checkpoint --agent alice',
    'vws audit --keep ./checked --genesis 5f1c... --json',
  ],
  async run(context) {
    const genesis = optionText(context, 'genesis');
    if (genesis !== undefined && !/^[0-9a-fA-F]{64}$/.test(genesis))
      throw new UsageError('--genesis takes 64 hex characters', 'audit');
    useNativeHash();
    const { io } = context;
    try {
      const report = await withStore(optionText(context, 'keep'), io, (store) => run(context, store));
      if (isSwitchOn(context, 'json')) printJson(io, report);
      else print(io, report, genesis !== undefined);
      const isTrue = report.isGood && report.answers.every(({ isKnown, isEqual }) => isEqual || !isKnown);
      return isTrue ? EXIT.DONE : EXIT.FAILED;
    } catch (error) {
      if (!(error instanceof LogFault)) throw error;
      io.out(`LIE         ${error.kind}: ${error.message}`);
      return EXIT.FAILED;
    }
  },
};
