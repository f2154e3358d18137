// Bundles the explorer page (host/web) into build/web: index.html and its assets, with hashes in their names;
// compressible files also as .br and .gz, so that the node has nothing left to compress.
// Keeps: the page loads from the node alone, and its content security policy allows everything in the markup.

import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

export const WEB_OUT = 'build/web';
const COMPRESSED = /\.(?:html|js|css|json|svg|txt|wasm)$/;
/** Below this size the headers outweigh the savings. */
const MIN_BYTES = 256;

/** `alias`: modules to replace, for tests. */
export async function bundle(outDir, alias = []) {
  // Loaded here, so that only a build with something to do waits for the bundler.
  const { build } = await import('vite');
  await build({
    configFile: false,
    root: resolve('host/web'),
    publicDir: false,
    logLevel: 'warn',
    resolve: { alias },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    worker: { format: 'es' },
    build: {
      outDir: resolve(outDir),
      emptyOutDir: true,
      target: 'es2022',
      // Small files would become data: URLs, which the policy allows only for images.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      sourcemap: false,
      reportCompressedSize: false,
    },
  });
}

function* filesOf(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesOf(path);
    else yield path;
  }
}

function compress(folder) {
  for (const path of [...filesOf(folder)]) {
    const bytes = readFileSync(path);
    if (!COMPRESSED.test(path) || bytes.length < MIN_BYTES) continue;
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

/** True if no source is newer than the page; `sources` are files and folders. */
export function isWebFresh(sources) {
  const page = join(WEB_OUT, 'index.html.br');
  if (!existsSync(page)) return false;
  const made = statSync(page).mtimeMs;
  return sources.every((source) => {
    if (!statSync(source).isDirectory()) return statSync(source).mtimeMs < made;
    return [...filesOf(source)].every((path) => statSync(path).mtimeMs < made);
  });
}

/** Removes the old page first, so that an interrupted build leaves none. */
export async function buildWeb() {
  rmSync(WEB_OUT, { recursive: true, force: true });
  await bundle(WEB_OUT);
  compress(WEB_OUT);
}
