#!/usr/bin/env node
// The executable: hands the process to the command line and ends with its exit code.

import { readEnv } from '../config/config.ts';
import { processIo } from './io.ts';
import { runCommandLine } from './run.ts';

const exitCode = await runCommandLine(process.argv.slice(2), {
  io: processIo,
  env: readEnv(),
  // Loaded only by the commands that run a node, so that the others answer at once.
  startNode: async (options) => {
    const [{ startNode }, { systemWorld }] = await Promise.all([
      import('../node/node.ts'),
      import('../world/system/world.ts'),
    ]);
    return startNode({ ...options, world: systemWorld });
  },
});
// Explicit, because a socket kept alive by the client would hold the process for seconds.
process.exit(exitCode);
