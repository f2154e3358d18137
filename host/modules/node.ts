// The package's ./core on Node, where modules are files.

import { readFile } from 'node:fs/promises';
import { moduleUrl } from './load-modules.ts';
import { MODULE_DIGESTS } from './module-digests.ts';
import { compileModules, type ModuleName, type Modules } from './modules.ts';

export * from './index.ts';

/** `base`: folder with the .wasm files, if they were moved. Errors: LogFault `module` for bytes of another version. */
export async function loadModules(base?: string | URL): Promise<Modules> {
  const read = async (name: ModuleName) => new Uint8Array(await readFile(moduleUrl(name, base)));
  const [core, consensus, ed25519] = await Promise.all([read('core'), read('consensus'), read('ed25519')]);
  return compileModules({ core, consensus, ed25519 }, MODULE_DIGESTS);
}
