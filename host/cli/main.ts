#!/usr/bin/env node
// The executable: runs the command line and exits with its code.

import { readEnv } from '../config/config.ts';
import { outliveReaders, processIo } from './io.ts';
import { runCommandLine } from './run.ts';

outliveReaders();
const exitCode = await runCommandLine(process.argv.slice(2), {
  io: processIo,
  env: readEnv(),
  // Loaded only by the commands that run a node, so that the others start fast.
  startNode: async (options) => {
    const [{ startNode }, { systemWorld }] = await Promise.all([
      import('../node/node.ts'),
      import('../world/system/world.ts'),
    ]);
    return startNode({ ...options, world: systemWorld });
  },
});
// Explicit, because a keep-alive socket of the client would keep the process running for seconds.
process.exit(exitCode);
