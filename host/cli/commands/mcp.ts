// vws mcp: the tools of an agent for models, over MCP on standard input and output.

import { dirname } from 'node:path';
import type { Kind, VerifyProgress } from '../../audit/index.ts';
import { loadMcpSettings, type McpSettings } from '../../config/config.ts';
import { type ClientKey, clientSigner, ensureClientKeyFile } from '../../crypto/client-key-file.ts';
import { makePrivateDirectory } from '../../crypto/key-file.ts';
import { useNativeHash } from '../../crypto/native-hash.ts';
import { agentDoor } from '../../mcp/agent-door.ts';
import type { LogQuestion, LogReport, RunningCheck } from '../../mcp/log-check.ts';
import { type Limits, Spending } from '../../mcp/spending.ts';
import { Spool } from '../../mcp/spool.ts';
import { TOOLS } from '../../mcp/tools.ts';
import { chainIdOf } from '../../wire/chain-id.ts';
import { systemClock } from '../../world/system/clock.ts';
import { systemFiles } from '../../world/system/files.ts';
import type { Command, CommandContext } from '../command.ts';
import { EXIT, UsageError } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { warnOfOpenKey, withKeyFaults } from '../key-fault.ts';
import { auditLog, type Report } from '../log-audit.ts';
import { readPassphraseFile } from '../passphrase.ts';

/** Where money is worth something, nothing is spent until somebody says how much. */
const TESTNET_LIMITS = { perCallMicro: 100_000_000, perDayMicro: 1_000_000_000 };
const MAINNET_LIMITS = { perCallMicro: 0, perDayMicro: 0 };

/**
 * The agent's key; a new one where there is no file yet, so that one line of configuration is enough. An encrypted one is
 * opened now: who can mend a wrong passphrase sees the start fail, and a model could not.
 */
async function openKey(
  path: string,
  context: CommandContext,
  passphraseFile: string | undefined,
): Promise<ClientKey> {
  const { io } = context;
  const made = withKeyFaults(() => {
    makePrivateDirectory(dirname(path));
    return ensureClientKeyFile(path);
  });
  if (made)
    io.err(
      `new key in ${path}: it is the agent, keep a copy, nobody can restore it; public key ${made.publicKeyHex}`,
    );
  warnOfOpenKey(path, io);
  // Standard input belongs to the protocol, so nobody can be asked.
  const key = clientSigner(path, async () =>
    passphraseFile === undefined ? undefined : readPassphraseFile(passphraseFile),
  );
  await key.open();
  return key;
}

function checkTools({ tools }: McpSettings): void {
  const known = TOOLS.map(({ name }) => name);
  const unknown = tools?.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new UsageError(`VWS_MCP_TOOLS: no tool "${unknown}"; there are ${known.join(', ')}`, 'mcp');
}

function limitsOf(settings: McpSettings, isTestnet: boolean): Limits {
  const usual = isTestnet ? TESTNET_LIMITS : MAINNET_LIMITS;
  return {
    perCallMicro: settings.maxPerCallMicro ?? usual.perCallMicro,
    perDayMicro: settings.maxPerDayMicro ?? usual.perDayMicro,
    recipients: settings.recipients,
  };
}

/** Starts a check of the node's log that the tool verify_log asks for. */
function startCheck(nodeUrl: string, io: Io, question: LogQuestion): RunningCheck {
  let seen: Pick<VerifyProgress, 'order' | 'toOrder'> = { order: 0, toOrder: 0 };
  const { agentId, taskId } = question;
  const asked: [Kind, string | undefined][] = [
    ['agent', agentId],
    ['task', taskId],
  ];
  const report = auditLog({
    nodeUrls: [nodeUrl],
    genesisHash: question.genesisHash,
    way: question.from,
    keep: undefined,
    questions: asked.flatMap(([kind, id]) => (id === undefined ? [] : [{ kind, id }])),
    onProgress: (progress) => {
      seen = progress;
    },
    onOpen: () => {},
    warn: (text) => io.err(text),
  });
  return { progress: () => seen, report: report.then(([found]) => reportOf(found!)) };
}

const reportOf = (found: Report): LogReport => ({
  shown: found.shown,
  genesis_hash: found.genesis_hash,
  order: found.order,
  consensus_time: Math.floor(found.timeMs / 1000),
  transactions: found.transactions,
  signatures: found.signatures,
  state_root: found.stateRoot,
  checkpoint: found.checkpoint,
  checkpoint_code: found.checkpointCode,
  findings: found.findings,
  ...(found.fault ? { fault: { kind: found.fault.kind, text: found.fault.text } } : {}),
  compared: found.answers.map(({ kind, id, shown, text }) => ({ kind, id, shown, text })),
});

async function serve(context: CommandContext): Promise<void> {
  const { io } = context;
  const settings = loadMcpSettings(context);
  checkTools(settings);
  const { keyPath, nodeUrl, testnet, passphraseFile } = settings;
  const key = keyPath === undefined ? undefined : await openKey(keyPath, context, passphraseFile);
  const folder = settings.spoolPath ?? `${keyPath}.spool`;
  const clientChain = testnet === undefined ? undefined : chainIdOf(testnet);
  useNativeHash();
  const { serveOnStdio } = await import('../mcp-stdio.ts');
  const door = agentDoor({
    client: { baseUrl: nodeUrl, key, chainId: clientChain },
    spool: new Spool(systemFiles, folder),
    spending: (chainId) =>
      new Spending({
        files: systemFiles,
        folder,
        clock: systemClock,
        limits: limitsOf(settings, chainId === chainIdOf(true)),
      }),
    startCheck: (question) => startCheck(nodeUrl, io, question),
    allowed: settings.tools,
    onFault: (error) =>
      io.err(`fault: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  });
  await serveOnStdio(door, (end) => io.onStopSignal(end));
}

export const mcp: Command = {
  name: 'mcp',
  summary: 'tools for a model: MCP on standard input and output',
  about: `Offers the tools of one agent to a program that speaks the Model Context Protocol (revisions 2024-11-05
to 2026-07-28), which starts this command and talks to it over standard input and output. The key stays
here: the model never sees it, and cannot change the limits below. A key file that does not exist is made,
with its folder.
Each signed request is kept in the spool before it is sent, so that a repeated call with the same
idempotency_key cannot pay twice, also after a crash. Without --key only the reading tools are offered.
See docs/guides/mcp.md.`,
  options: [],
  settings: 'mcp',
  examples: [
    'vws mcp --node http://127.0.0.1:8338 --key ~/.vws/agent.key',
    'VWS_MCP_MAX_PER_CALL=5 VWS_MCP_MAX_PER_DAY=20 vws mcp --key agent.key',
  ],
  async run(context) {
    await serve(context);
    return EXIT.DONE;
  },
};
