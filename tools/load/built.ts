// Paths of compiled files. Child processes and worker threads run what was compiled, also when the caller runs from
// its sources, as tests do.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Absolute path of a file in the build folder, e.g. `host/cli/main.js`. Throws when nothing was built. */
export function builtPath(name: string): string {
  const up = import.meta.url.endsWith('.ts') ? '../../build/' : '../../';
  const path = fileURLToPath(new URL(up + name, import.meta.url));
  if (!existsSync(path)) throw new Error(`${path} is missing: run npm run build`);
  return path;
}
