// Fetches the modules that are published next to the package's code: for browsers.

import { buildFor } from '../core/simd.ts';
import { MODULE_DIGESTS } from './module-digests.ts';
import { compileModules, type ModuleName, type Modules } from './modules.ts';

const HERE = import.meta.url;
/** What begins every module. */
const MAGIC = [0, 0x61, 0x73, 0x6d];
const ADVICE = 'serve the .wasm files of the package and give loadModules the URL of their folder';

/** `folder`: relative ones are of the page, in a worker of its script; a slash at the end may be missing. */
function folderUrl(folder: string | URL): URL {
  const { document, location } = globalThis as { document?: Document; location?: Location };
  const url = new URL(folder, document?.baseURI ?? location?.href);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/** URL of a module. Deliberately not in the form that bundlers detect, since the file is outside the bundle. */
export function moduleUrl(name: ModuleName, base: string | URL = new URL('../..', HERE)): URL {
  return new URL(name === 'consensus' ? 'consensus.wasm' : buildFor(name), folderUrl(base));
}

/**
 * `base`: folder with the .wasm files, where they are not beside the code, as in a page that a bundler made.
 * Errors: LogFault `module` for bytes of another version.
 */
export async function loadModules(base?: string | URL): Promise<Modules> {
  const read = async (name: ModuleName): Promise<Uint8Array<ArrayBuffer>> => {
    const url = moduleUrl(name, base);
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: status ${response.status}; ${ADVICE}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    // Many servers answer a path that they do not know with their page.
    if (MAGIC.some((byte, i) => bytes[i] !== byte))
      throw new Error(`${url}: no WebAssembly module; ${ADVICE}`);
    return bytes;
  };
  const [core, consensus, ed25519] = await Promise.all([read('core'), read('consensus'), read('ed25519')]);
  return compileModules({ core, consensus, ed25519 }, MODULE_DIGESTS);
}
