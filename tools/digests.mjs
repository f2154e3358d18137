// The digests of the built modules, by which a verifier knows that a node serves the modules that validators run.
// Usage: node tools/digests.mjs [--write]   without --write: compares the list in the sources with the build

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const LIST = 'host/modules/module-digests.ts';
const BUILDS = { core: ['core'], consensus: ['consensus'], ed25519: ['ed25519', 'ed25519-scalar'] };

const digestOf = (name) =>
  createHash('sha256')
    .update(readFileSync(`build/${name}.wasm`))
    .digest('hex');
const rows = Object.entries(BUILDS).map(([name, builds]) => {
  const digests = builds.map((build) => `'${digestOf(build)}'`);
  const list = digests.length === 1 ? digests[0] : `\n${digests.map((d) => `    ${d},\n`).join('')}  `;
  return `  ${name}: [${list}],\n`;
});
const text = `// SHA-256 of the modules that this version of the program runs: made by tools/digests.mjs, compared by npm run check.

import type { Digests } from './modules.ts';

/** ed25519: with SIMD and without; both give the same results. */
export const MODULE_DIGESTS: Digests = {
${rows.join('')}};
`;

if (process.argv.includes('--write')) writeFileSync(LIST, text);
else if (readFileSync(LIST, 'utf8') !== text) {
  console.error(`${LIST} does not list the built modules: run node tools/digests.mjs --write`);
  process.exit(1);
}
