// Makes the small packages in build/packages: what a client, an auditor or an embedder needs, without the node and its
// native modules. One bundle without dependencies for Node, Deno, Bun, browsers and bundlers, its types, its modules.
// Usage: node tools/packages.mjs, after a build. `npm publish build/packages/client` publishes one.

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'vite';

const MODULES = ['core', 'core-scalar', 'consensus', 'ed25519', 'ed25519-scalar'];

/** `entry`: source of the bundle; `node`: that for Node where it reads files; `modules`: .wasm files beside it. */
export const PACKAGES = {
  client: {
    description: 'Client of a Verified Work Settlement node: post work, do it, be paid; signs every write',
    keywords: ['agents', 'payments', 'escrow', 'tasks'],
    entry: 'host/client/index.ts',
    modules: [],
  },
  core: {
    description: 'The deterministic WebAssembly core of Verified Work Settlement, with typed bindings',
    keywords: ['webassembly', 'consensus', 'ledger', 'deterministic'],
    entry: 'host/modules/index.ts',
    node: 'host/modules/node.ts',
    modules: MODULES,
  },
  verify: {
    description: 'Recomputes the log of a Verified Work Settlement node and compares its answers',
    keywords: ['audit', 'verification', 'webassembly', 'ledger'],
    entry: 'host/packages/verify.ts',
    node: 'host/packages/verify-node.ts',
    modules: MODULES,
  },
  ed25519: {
    description: 'Ed25519 signatures verified by ZIP-215 in WebAssembly, singly and in batches',
    keywords: ['ed25519', 'zip215', 'batch', 'webassembly'],
    entry: 'host/packages/ed25519.ts',
    modules: [],
  },
};

const root = JSON.parse(readFileSync('package.json', 'utf8'));
const base64 = (name) => readFileSync(`build/${name}.wasm`).toString('base64');

/** Gives the package ed25519 its module. */
const bytesInside = {
  name: 'bytes-inside',
  enforce: 'pre',
  load(id) {
    if (!id.endsWith('/ed25519-bytes.ts')) return null;
    return `export const simd = '${base64('ed25519')}';\nexport const scalar = '${base64('ed25519-scalar')}';`;
  },
};

/** Bundles a library that is to be read and bundled again; `more`: what else the bundler's `build` is told. */
export const buildLibrary = (more) =>
  build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [bytesInside],
    build: { target: 'es2022', minify: false, reportCompressedSize: false, ...more },
  });

/** Bundles one entry; the depth is that of build/host, so that relative paths to the .wasm files work in both. */
const bundle = (entry, file, outDir) =>
  buildLibrary({
    outDir,
    emptyOutDir: false,
    license: { fileName: 'THIRD-PARTY.md' },
    lib: { entry: resolve(entry), formats: ['es'], fileName: () => file },
    // One file, what is loaded later included.
    rolldownOptions: {
      external: [/^node:/],
      output: { codeSplitting: false },
      checks: { ineffectiveDynamicImport: false },
    },
  });

/** Copies the declarations that an entry reaches, and answers the path of its own. */
function copyTypes(entry, outDir) {
  const seen = new Set();
  const copy = (path) => {
    if (seen.has(path)) return;
    seen.add(path);
    const text = readFileSync(path, 'utf8');
    const out = join(outDir, 'types', relative('build', path));
    mkdirSync(dirname(out), { recursive: true });
    const made = text.replace(/((?:from|import)\s*\(?\s*['"])([^'"]+)(['"])/g, (_, before, name, after) => {
      if (!name.startsWith('.')) throw new Error(`${path}: the types of a package name ${name}`);
      copy(join(dirname(path), name.replace(/\.ts$/, '.d.ts')));
      return `${before}${name.replace(/\.ts$/, '.js')}${after}`;
    });
    writeFileSync(out, made.replace(/^\/\/# sourceMappingURL=.*$/m, ''));
  };
  const own = join('build', entry.replace(/\.ts$/, '.d.ts'));
  copy(own);
  return `./types/${relative('build', own)}`;
}

function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** Makes a package in `outDir`; answers its bytes. */
export async function makePackage(name, outDir = `build/packages/${name}`) {
  const { description, keywords, entry, node, modules } = PACKAGES[name];
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  await bundle(entry, `dist/${name}/index.js`, outDir);
  if (node) await bundle(node, `dist/${name}/node.js`, outDir);
  const types = copyTypes(entry, outDir);
  for (const module of modules) cpSync(`build/${module}.wasm`, join(outDir, `${module}.wasm`));
  cpSync('LICENSE', join(outDir, 'LICENSE'));
  cpSync(`sdk/npm/${name}.md`, join(outDir, 'README.md'));
  const main = `./dist/${name}/index.js`;
  const described = {
    name: `@vws/${name}`,
    version: root.version,
    description,
    keywords,
    license: root.license,
    type: 'module',
    engines: root.engines,
    sideEffects: false,
    exports: {
      '.': {
        ...(node ? { node: { types: copyTypes(node, outDir), default: `./dist/${name}/node.js` } } : {}),
        types,
        default: main,
      },
      ...(modules.length > 0 ? { './*.wasm': './*.wasm' } : {}),
      './package.json': './package.json',
    },
    files: ['dist', 'types', '*.wasm', 'THIRD-PARTY.md'],
    publishConfig: { access: 'public' },
  };
  writeFileSync(join(outDir, 'package.json'), `${JSON.stringify(described, null, 2)}\n`);
  return sizeOf(outDir);
}

if (process.argv[1]?.endsWith('packages.mjs')) {
  for (const name of Object.keys(PACKAGES))
    console.log(`build/packages/${name}: ${await makePackage(name)} bytes`);
}
