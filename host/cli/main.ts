#!/usr/bin/env node
// The executable: runs the command line and exits with its code.

import { readEnv } from '../config.ts';
import { processIo } from './io.ts';
import { runCommandLine } from './run.ts';

const exitCode = await runCommandLine(process.argv.slice(2), {
  io: processIo,
  env: readEnv(),
  // Loaded only by the commands that run a node, so that the others start fast.
  startNode: async (options) => (await import('../node.ts')).startNode(options),
});
// Explicit, because a keep-alive socket of the client would keep the process running for seconds.
process.exit(exitCode);
