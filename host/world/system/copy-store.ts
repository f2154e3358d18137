// A copy of a store at rest, in a folder of its own.

import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { synced } from './files.ts';
import { storePath } from './store-path.ts';

/** Both engines keep all files in one flat folder. It takes its name once it is whole. */
export async function copyStore(dataDir: string, name: string): Promise<string> {
  const [from, to] = [storePath(dataDir), join(dataDir, name)];
  if (existsSync(to)) return to;
  const part = `${to}.part`;
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { mode: 0o700 });
  for (const file of await readdir(from)) {
    await copyFile(join(from, file), join(part, file));
    await synced(join(part, file));
  }
  await synced(part);
  await rename(part, to);
  await synced(dataDir);
  return to;
}
