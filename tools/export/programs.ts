// Servers of others that tests start: where they are, how they get here, and where they may listen.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** A program on the path or in further folders. */
export const onPath = (name: string, folders: readonly string[] = []): string | undefined =>
  [...(process.env.PATH ?? '').split(':'), ...folders]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));

/** Installs Debian's package, where this is root on Debian and it can be fetched. */
export function installed(name: string): void {
  if (process.getuid?.() !== 0 || !onPath('apt-get')) return;
  const quiet = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  try {
    execFileSync('apt-get', ['update', '-q'], quiet);
    execFileSync('apt-get', ['install', '-y', '-q', name], quiet);
  } catch {
    // Without a network: the caller sees that there is none.
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
