// Bundles the explorer page (host/web) into build/web: index.html and its assets, with hashes in their names;
// compressible files also as .br and .gz, so that the node has nothing left to compress.
// Keeps: the page loads from the node alone, and its content security policy allows everything in the markup.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

export const WEB_OUT = 'build/web';
const VERIFIER_OUT = 'build/verifier';
const VERIFIER_FILE = 'vws-verifier.html';
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
      // Below host/web modules only define things: what the page does not name is left out, and loaded by who does.
      rolldownOptions: {
        treeshake: { moduleSideEffects: (id) => !/\/host\/(?!web\/)/.test(id) },
        // Which plugin took how long is nothing that whoever builds could change.
        checks: { bundlerTimings: false },
      },
    },
  });
}

/** The verifier as one file that loads nothing else, and its digest: what a release carries (docs/guides/auditor.md). */
export async function buildVerifier() {
  const { build } = await import('vite');
  rmSync(VERIFIER_OUT, { recursive: true, force: true });
  await build({
    configFile: false,
    root: resolve('host/web/one-file'),
    publicDir: false,
    logLevel: 'warn',
    resolve: {
      alias: [
        { find: /^\.\/verify\/open-worker\.ts$/, replacement: resolve('host/web/one-file/open-worker.ts') },
      ],
    },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    worker: { format: 'es' },
    build: {
      outDir: resolve(VERIFIER_OUT),
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      cssCodeSplit: false,
      modulePreload: { polyfill: false },
      sourcemap: false,
      reportCompressedSize: false,
      // One file: what other pages load later is in it from the start.
      chunkSizeWarningLimit: Number.MAX_SAFE_INTEGER,
      rolldownOptions: { checks: { ineffectiveDynamicImport: false, bundlerTimings: false } },
    },
  });
  const page = join(VERIFIER_OUT, 'index.html');
  const whole = inlined(readFileSync(page, 'utf8'));
  rmSync(VERIFIER_OUT, { recursive: true, force: true });
  mkdirSync(VERIFIER_OUT, { recursive: true });
  writeFileSync(join(VERIFIER_OUT, VERIFIER_FILE), whole);
  const digest = createHash('sha256').update(whole).digest('hex');
  writeFileSync(join(VERIFIER_OUT, `${VERIFIER_FILE}.sha256`), `${digest}  ${VERIFIER_FILE}\n`);
}

/** The page with its scripts and styles in place of the references to them. */
function inlined(html) {
  const textOf = (path) => readFileSync(join(VERIFIER_OUT, path), 'utf8');
  const scripts = [];
  const head = html
    .replace(
      /<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/g,
      (_, path) => `<style>${textOf(path)}</style>`,
    )
    .replace(/<script type="module"[^>]*src="([^"]+)"[^>]*><\/script>/g, (_, path) => {
      // In a script, only its own end tag would end it early.
      scripts.push(`<script type="module">${textOf(path).replaceAll('</script', '<\\/script')}</script>`);
      return '';
    });
  return head.replace('</body>', () => `${scripts.join('')}</body>`);
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

/** The frame of the page is in its markup: style goes before script on a slow line, so that it is seen at once. */
function paintFirst() {
  const page = join(WEB_OUT, 'index.html');
  const html = readFileSync(page, 'utf8');
  const urgent = '<script type="module"';
  if (html.split(urgent).length !== 2) throw new Error('the page has not one script');
  const preload = '<link rel="modulepreload"';
  const calm = html
    .replace(urgent, `${urgent} fetchpriority="low"`)
    .replaceAll(preload, `${preload} fetchpriority="low"`);
  writeFileSync(page, calm);
}

/** Removes the old page first, so that an interrupted build leaves none. */
export async function buildWeb() {
  rmSync(WEB_OUT, { recursive: true, force: true });
  await buildVerifier();
  await bundle(WEB_OUT);
  paintFirst();
  compress(WEB_OUT);
}
