// Paths of compiled files. Child processes and worker threads run compiled code, even if the caller runs from sources,
// as tests do.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Absolute path of a file in the build folder, e.g. `host/cli/main.js`. Throws if it was not built. */
export function builtPath(name: string): string {
  const up = import.meta.url.endsWith('.ts') ? '../../build/' : '../../';
  const path = fileURLToPath(new URL(up + name, import.meta.url));
  if (!existsSync(path)) throw new Error(`${path} is missing: run npm run build`);
  return path;
}
