// The package's ./core on Node, where modules are files.

import { pathToFileURL } from 'node:url';
import { readUrl } from '../world/system/files.ts';
import { moduleUrl } from './load-modules.ts';
import { MODULE_DIGESTS } from './module-digests.ts';
import { compileModules, type ModuleName, type Modules } from './modules.ts';

export * from './index.ts';

/** `base`: folder with the .wasm files, if they were moved, as a path or a URL. Errors: LogFault `module` for bytes of another version. */
export async function loadModules(base?: string | URL): Promise<Modules> {
  const isPath = typeof base === 'string' && !/^[a-z][a-z0-9+.-]+:/i.test(base);
  const folder = isPath ? pathToFileURL(base) : base;
  const read = (name: ModuleName) => readUrl(moduleUrl(name, folder));
  return compileModules(
    { core: read('core'), consensus: read('consensus'), ed25519: read('ed25519') },
    MODULE_DIGESTS,
  );
}
