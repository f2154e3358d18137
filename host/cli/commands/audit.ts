// vws audit: recomputes a node's order and state and reports whether the node's data matches.

import {
  doubleText,
  type Kind,
  NoProof,
  type Pin,
  readPin,
  type TwoHistories,
  type VerifyProgress,
} from '../../audit/index.ts';
import { loadClientSettings } from '../../config/config.ts';
import { parseInteger } from '../../config/setting-values.ts';
import { useNativeHash } from '../../crypto/native-hash.ts';
import { systemClock } from '../../world/system/clock.ts';
import { systemFiles } from '../../world/system/files.ts';
import { exitOf, printReport } from '../audit-report.ts';
import { type Command, type CommandContext, isSwitchOn, optionText, optionTexts } from '../command.ts';
import { JSON_OPTION } from '../connection.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { auditLog, checkProof, type Report } from '../log-audit.ts';
import { printJson } from '../output.ts';

const REPORT_MS = 2000;
const DAY_MS = 86_400_000;
const KINDS: readonly Kind[] = ['agent', 'task', 'event'];

/** A line every two seconds, with the rate and the time left. */
function progressLines(io: Io): (progress: VerifyProgress) => void {
  let [reportedMs, reportedOrder] = [systemClock.monotonicMs(), -1];
  return ({ order, toOrder, transactions, checkpoint }) => {
    const nowMs = systemClock.monotonicMs();
    if (nowMs - reportedMs < REPORT_MS) return;
    const rate = reportedOrder < 0 ? 0 : ((order - reportedOrder) * 1000) / (nowMs - reportedMs);
    const left = rate > 0 ? `, ${Math.ceil((toOrder - order) / rate)} s left` : '';
    const signed = checkpoint === 0 ? 'no checkpoint yet' : `checkpoint ${checkpoint}`;
    io.err(`order ${order} of ${toOrder}, ${transactions} transactions, ${signed}${left}`);
    [reportedMs, reportedOrder] = [nowMs, order];
  };
}

/** A positive number of `unitMs`, in ms; undefined when the option was not given. */
function spanOf(context: CommandContext, name: string, unitMs: number): number | undefined {
  const text = optionText(context, name);
  return text === undefined ? undefined : parseInteger(text, `--${name}`, 1, 1_000_000_000) * unitMs;
}

function pinOf(context: CommandContext): Pin | undefined {
  const text = optionText(context, 'pin');
  const pin = text === undefined ? undefined : readPin(text);
  if (text !== undefined && !pin)
    throw new UsageError('--pin takes height:hash, the hash in hex or as an audit prints it', 'audit');
  return pin;
}

function run(context: CommandContext): Promise<Report[]> {
  const { io } = context;
  return auditLog({
    nodeUrls: [loadClientSettings(context).nodeUrl, ...optionTexts(context, 'and')],
    genesisHash: optionText(context, 'genesis')?.toLowerCase(),
    way: isSwitchOn(context, 'checkpoint') ? 'checkpoint' : 'genesis',
    pin: pinOf(context),
    maxAgeMs: spanOf(context, 'max-age', 1000),
    maxAnchorMs: spanOf(context, 'max-anchor', DAY_MS),
    maxRunMs: spanOf(context, 'max-seconds', 1000),
    keep: optionText(context, 'keep'),
    questions: KINDS.flatMap((kind) => optionTexts(context, kind).map((id) => ({ kind, id }))),
    onProgress: progressLines(io),
    onOpen: (verifier) => io.onStopSignal(() => void verifier.close().then(() => io.abandon(EXIT.FAILED))),
    warn: (text) => io.err(text),
  });
}

/** Writes what proves two histories where the command was called, so that anybody can check it. */
function keepProof(io: Io, proof: TwoHistories): void {
  const path = `two-histories-${proof.height}-${proof.other.statement.slice(-8)}.json`;
  if (!systemFiles.exists(path))
    systemFiles.writeNew(path, `${JSON.stringify(proof, undefined, 1)}\n`, 0o644);
  io.err(`proof in ${path}: check it with vws audit --proof ${path}`);
}

async function proofVerdict(io: Io, path: string): Promise<ExitCode> {
  let file: unknown;
  try {
    file = JSON.parse(systemFiles.readText(path));
  } catch (error) {
    throw new UsageError(`--proof ${path}: ${(error as Error).message}`, 'audit');
  }
  try {
    const double = await checkProof(file);
    io.out(`network     ${double.genesisHash}`);
    for (const key of double.signers) io.out(`seat        ${key}`);
    io.out(`PROVEN      ${doubleText(double)}`);
    return EXIT.PROVEN;
  } catch (error) {
    if (!(error instanceof NoProof)) throw error;
    io.out(`NO PROOF    ${error.message}`);
    return EXIT.FAILED;
  }
}

const ask = (kind: Kind, help: string) => ({ name: kind, value: 'id', help, isRepeatable: true });

export const audit: Command = {
  name: 'audit',
  summary: "recompute a node's order and state, and compare",
  about: `Downloads the DAG of the node given by --node, checks every signature in it, computes the order and the state
with the code that validators run, and compares them with each checkpoint that the validators have signed.
Trusts the node for one thing only, the genesis hash; --genesis pins that too. Then compares the agents, tasks
and events given by --agent, --task and --event with the state computed here, at one order number.
Each result is one of: checked (computed here from the first vertex on; exit code 0), proven (signed by a
quorum; 6), as the node says (nothing else confirms it; 7), not comparable (8), lie (10). Findings, such as a
log that ends long ago, end with exit code 9 unless there is a lie. The exit code is the weakest of all.
The line "checkpoint" gives height and hash in a form to be read aloud: two people who see the same are shown
the same history. With --and, further nodes are audited on the same data and compared with the first. Signed
proof that a network has two histories is written to a file, which --proof checks without a node.`,
  options: [
    { name: 'genesis', value: 'hash', help: 'genesis hash of the network, 64 hex characters' },
    {
      name: 'pin',
      value: 'height:hash',
      help: 'a checkpoint known from elsewhere; the history must contain it',
    },
    { name: 'checkpoint', help: 'start from the newest state that a quorum has signed, not from genesis' },
    {
      name: 'and',
      value: 'url',
      help: 'another node, compared with the ones before; may be repeated',
      isRepeatable: true,
    },
    { name: 'keep', value: 'dir', help: 'folder for verified data; the next audit resumes from it' },
    { name: 'max-age', value: 'secs', help: 'age of the log from which it is a finding; default 120' },
    { name: 'max-anchor', value: 'days', help: "age of the newest point that is not the node's; default 30" },
    {
      name: 'max-seconds',
      value: 'secs',
      help: 'time for the log of each node, and for each answer; default a day',
    },
    ask('agent', 'compare the balance of an agent; may be repeated'),
    ask('task', 'compare a task; may be repeated'),
    ask('event', 'compare an event; may be repeated'),
    { name: 'proof', value: 'file', help: 'check a proof of two histories; asks no node' },
    JSON_OPTION,
  ],
  settings: 'client',
  examples: [
    'vws audit',
    'vws audit --node http://node.example.org:8338 --checkpoint --agent alice',
    'vws audit --keep ./checked --genesis 5f1c... --json',
    'vws audit --and http://other.example.org:8338 --pin 24:7K3M-9QXT-2B4C-6D8E-F0G1-H2J3-K4M5-N6P7',
  ],
  async run(context) {
    const genesis = optionText(context, 'genesis');
    if (genesis !== undefined && !/^[0-9a-fA-F]{64}$/.test(genesis))
      throw new UsageError('--genesis takes 64 hex characters', 'audit');
    useNativeHash();
    const { io } = context;
    const proof = optionText(context, 'proof');
    if (proof !== undefined) return proofVerdict(io, proof);
    const reports = await run(context);
    if (isSwitchOn(context, 'json')) printJson(io, { ...reports[0]!, others: reports.slice(1) });
    else for (const report of reports) printReport(io, report);
    for (const report of reports) if (report.proof) keepProof(io, report.proof);
    return exitOf(reports);
  },
};
