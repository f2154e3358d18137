// Finds and compiles a built WebAssembly module on Node.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Loads a built module: it is next to the compiled host, or in build/ when the host runs from its sources. */
export async function loadModule(name: string): Promise<WebAssembly.Module> {
  const places = [`../../${name}`, `../../build/${name}`].map((p) =>
    fileURLToPath(new URL(p, import.meta.url)),
  );
  const path = places.find(existsSync);
  if (!path) throw new Error(`build/${name} is missing: run npm run build`);
  return WebAssembly.compile(await readFile(path));
}
