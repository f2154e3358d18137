// What the package needs besides the build: its entry points as modules that a plain HTML page can load, with all
// their dependencies. Runs before npm pack.

import { resolve } from 'node:path';
import { buildLibrary } from './packages.mjs';

const ENTRIES = {
  core: 'host/modules/index.ts',
  client: 'host/client/index.ts',
  verify: 'host/packages/verify.ts',
  ed25519: 'host/packages/ed25519.ts',
};

export async function bundleDoors(outDir = 'build/browser') {
  await buildLibrary({
    outDir,
    emptyOutDir: true,
    lib: {
      entry: Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, resolve(path)])),
      formats: ['es'],
    },
    // The same depth as in build/host, so that relative paths to the wasm files work in both.
    rolldownOptions: {
      output: { entryFileNames: '[name]/index.js', chunkFileNames: 'shared/[name]-[hash].js' },
      // The entry points export what the page alone loads later.
      checks: { ineffectiveDynamicImport: false },
    },
  });
}

if (process.argv[1]?.endsWith('package.mjs')) await bundleDoors();
