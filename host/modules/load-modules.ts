// Fetches the modules that are published next to the package's code: for browsers.

import { buildFor } from '../core/simd.ts';
import { MODULE_DIGESTS } from './module-digests.ts';
import { compileModules, type ModuleName, type Modules } from './modules.ts';

const HERE = import.meta.url;

/** URL of a module. Deliberately not in the form that bundlers detect, since the file is outside the bundle. */
export function moduleUrl(name: ModuleName, base: string | URL = new URL('../..', HERE)): URL {
  return new URL(name === 'consensus' ? 'consensus.wasm' : buildFor(name), base);
}

/** `base`: folder with the .wasm files, if they were moved. Errors: LogFault `module` for bytes of another version. */
export async function loadModules(base?: string | URL): Promise<Modules> {
  const read = async (name: ModuleName): Promise<Uint8Array<ArrayBuffer>> => {
    const url = moduleUrl(name, base);
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: status ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  };
  const [core, consensus, ed25519] = await Promise.all([read('core'), read('consensus'), read('ed25519')]);
  return compileModules({ core, consensus, ed25519 }, MODULE_DIGESTS);
}
