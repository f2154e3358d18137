// Runs a node as a process: start it, print its addresses, wait, stop it in time.
// Keeps: standard output has the lines of protocol 12.1, the last one `ready` once the node accepts writes; a signal
// stops the node cleanly within 10 s, even while it starts; a node that fails ends the process with exit code 1.

import { type Config, VERSION } from '../config/config.ts';
import type { KeyPair } from '../crypto/key-pair.ts';
import type { Logger } from '../log.ts';
import { systemClock } from '../world/system/clock.ts';
import { fewConnections } from '../world/system/open-files.ts';
import type { CommandContext } from './command.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { GenesisSource } from './genesis-source.ts';
import type { RunningNode } from './running-node.ts';
import { judgeRuntime } from './runtime-version.ts';

/** Protocol 12.1 allows 10 s; the rest is for the process itself. */
const STOP_LIMIT_MS = 9_500;

interface NodeRun {
  config: Config;
  key: KeyPair;
  /** The key of the seat's operator, where it is another one. */
  operator?: KeyPair | undefined;
  source: GenesisSource;
  log: Logger;
  /** Called after `ready`, to print more for the user. */
  onReady?: (node: RunningNode) => void;
}

/** Runs until a signal or a failure. Rejects with the reason why it did not start or why it failed. */
export async function runNode(context: CommandContext, run: NodeRun): Promise<ExitCode> {
  const { io } = context;
  const { config, key, operator, source, log } = run;
  const runtime = judgeRuntime(process.version);
  if (runtime.state !== 'good') log.warn(runtime.text);
  const few = fewConnections();
  if (few !== undefined) log.warn(few);
  let isStopping = false;
  const signalled = new Promise<void>((resolve) => {
    io.onStopSignal((signal) => {
      // A terminal and npm each deliver Ctrl-C, so a second signal means nothing new.
      if (isStopping) return;
      isStopping = true;
      log.info({ signal }, 'stopping');
      limitStop(context);
      resolve();
    });
  });

  const node = await context.startNode({ config, identity: key, operator, genesis: source.genesis, log });
  if (!isStopping) {
    io.out(`vws ${VERSION}`);
    io.out(`AgentID: ${node.operatorAgentId}`);
    io.out(`Chain: ${source.genesis.chainId}`);
    io.out(`Listening: ${node.listenAddress}`);
    io.out(`API: ${node.apiAddress}`);
    io.out(`Page: ${reachable(node.apiAddress)}/`);
    io.out(`Docs: ${reachable(node.apiAddress)}/docs`);
    io.out('ready');
    run.onReady?.(node);
  }

  const failure = await Promise.race([signalled, node.failed]);
  if (!failure) {
    await node.stop();
    log.info({}, 'stopped');
    return EXIT.DONE;
  }
  limitStop(context);
  // Errors while stopping follow from the failure, which is what the operator must read.
  await node.stop().catch((error) => log.error({ err: error }, 'while stopping after the failure'));
  throw failure;
}

/** An address to open or connect to from this machine: wildcard addresses are for listening only. */
export const reachable = (apiAddress: string): string =>
  apiAddress.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:)/, '//localhost');

/** A shutdown that hangs must not keep the process alive: durable data is on disk already. */
function limitStop(context: CommandContext): void {
  systemClock.setTimer(() => {
    context.io.err('error: the node did not stop in time (failed)');
    context.io.abandon(EXIT.FAILED);
  }, STOP_LIMIT_MS);
}
