// A node as a process: start it, say so, wait, stop it in time.
// Keeps: standard output has the lines of DECISIONS 12.1 and `ready` once writes are taken; a signal
// stops the node cleanly within 10 s, also one that arrives while it starts; a node that fails ends
// the process with exit code 1.

import { type Config, VERSION } from '../config/config.ts';
import type { KeyPair } from '../crypto/key-pair.ts';
import type { Logger } from '../log.ts';
import type { Genesis } from '../wire/genesis.ts';
import { systemClock } from '../world/system/clock.ts';
import type { CommandContext } from './command.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { GenesisSource } from './genesis-source.ts';

/** DECISIONS 12.1 gives 10 s; the rest is for the process itself. */
const STOP_LIMIT_MS = 9_500;

export interface RunningNode {
  /** agent_id of the seat's operator: the node's identity in the ledger. */
  operatorAgentId: string;
  /** Base URL of the API, with the port as bound. */
  apiAddress: string;
  /** host:port as bound, or why there is none. */
  listenAddress: string;
  stop(): Promise<void>;
  /** Resolves when the node can go on no longer. */
  failed: Promise<Error>;
}

export type StartNode = (options: {
  config: Config;
  identity: KeyPair;
  genesis: Genesis;
  log: Logger;
}) => Promise<RunningNode>;

export interface NodeRun {
  config: Config;
  key: KeyPair;
  source: GenesisSource;
  log: Logger;
  /** Called after `ready`, with what to tell the user besides. */
  onReady?: (node: RunningNode) => void;
}

/** Runs until a signal or a failure. Rejects with what kept it from starting or made it fail. */
export async function runNode(context: CommandContext, run: NodeRun): Promise<ExitCode> {
  const { io } = context;
  const { config, key, source, log } = run;
  let stopAsked = false;
  const signalled = new Promise<void>((resolve) => {
    io.onStopSignal((signal) => {
      // A terminal and npm each deliver Ctrl-C, so a second signal means nothing new.
      if (stopAsked) return;
      stopAsked = true;
      log.info({ signal }, 'stopping');
      limitStop(context);
      resolve();
    });
  });

  const node = await context.startNode({ config, identity: key, genesis: source.genesis, log });
  if (!stopAsked) {
    io.out(`vws ${VERSION}`);
    io.out(`AgentID: ${node.operatorAgentId}`);
    io.out(`Chain: ${source.genesis.chainId}`);
    io.out(`Listening: ${node.listenAddress}`);
    io.out(`API: ${node.apiAddress}`);
    io.out('ready');
    run.onReady?.(node);
  }

  const failure = await Promise.race([signalled, node.failed]);
  if (!failure) {
    await node.stop();
    return EXIT.DONE;
  }
  limitStop(context);
  // What can't be closed after a failure is a consequence of it: the failure itself is what the operator must read.
  await node.stop().catch((error) => log.error({ err: error }, 'while stopping after the failure'));
  throw failure;
}

/** A shutdown that hangs must not keep the process: what is durable is durable already. */
function limitStop(context: CommandContext): void {
  systemClock.setTimer(() => {
    context.io.err('error: the node did not stop in time (failed)');
    context.io.abandon(EXIT.FAILED);
  }, STOP_LIMIT_MS);
}
