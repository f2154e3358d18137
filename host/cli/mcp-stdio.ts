// Serves MCP on standard input and output until the client closes it.
// Loaded only by `vws mcp`: the library takes longer to load than the other commands to run.

import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type ServerParts, serverFactory } from '../mcp/server.ts';

/** Resolves when the client is gone. `onStop`: registers what ends it earlier. */
export async function serveOnStdio(parts: ServerParts, onStop: (end: () => void) => void): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    onStop(resolve);
  });
  const handle = serveStdio(serverFactory(parts), { onerror: parts.onFault });
  await gone;
  await handle.close();
}
