// All static checks: format and lint, types, import rules, what the built modules contain, and the documents, whose
// examples run. Needs a build.

import { spawnSync } from 'node:child_process';

const CHECKS = [
  ['format and lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']],
  ['types', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.test.json']],
  ['types of the page', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.web.json']],
  ['import rules', ['tools/check-imports.mjs']],
  ['core.wasm', ['tools/check-core.mjs']],
  ['digests', ['tools/digests.mjs']],
  ['documents', ['tools/check-docs.mjs']],
];

let failed = 0;
for (const [name, args] of CHECKS) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name}`);
  if (status !== 0) failed++;
}
process.exit(failed > 0 ? 1 : 0);
