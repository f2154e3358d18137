// Ports of loopback for nodes that are started a moment later.
// Keeps: they lie below the range from which Linux, macOS and Windows take the ports of outgoing connections, so that no
// connection made meanwhile takes one of them.

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const HOST = '127.0.0.1';
const FIRST = 10_000;
/** Outgoing connections of Linux begin here, those of the others at 49,152. */
const END = 32_768;

/** Whether nobody listens on it now. */
function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, HOST, () => server.close(() => resolve(true)));
  });
}

/** Distinct ports that nobody listens on now. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = randomInt(FIRST, END);
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port!;
}
