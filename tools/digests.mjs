// The digests of the built modules, by which a verifier knows that a node serves the modules that validators run.
// Usage: node tools/digests.mjs [--write]   without --write: compares the list in the sources with the build

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const LIST = 'host/modules/module-digests.ts';
const MODULES = 'host/modules/check-modules.ts';
const BUILDS = {
  core: ['core', 'core-scalar'],
  consensus: ['consensus'],
  ed25519: ['ed25519', 'ed25519-scalar'],
};

const digestOf = (name) =>
  createHash('sha256')
    .update(readFileSync(`build/${name}.wasm`))
    .digest('hex');
const rows = Object.entries(BUILDS).map(([name, builds]) => {
  const digests = builds.map((build) => `'${digestOf(build)}'`);
  const list = digests.length === 1 ? digests[0] : `\n${digests.map((d) => `    ${d},\n`).join('')}  `;
  return `  ${name}: [${list}],\n`;
});
const quoted = (name) => (/^\w+$/.test(name) ? name : `'${name}'`);
const checkNames = readdirSync('assembly/checks')
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -3))
  .sort();
const checks = checkNames.map((name) => `  ${quoted(name)}: '${digestOf(`checks/${name}`)}',\n`);
const text = `// SHA-256 of the modules that this version of the program runs: made by tools/digests.mjs, compared by npm run check.

import type { Digests } from './modules.ts';

/** core and ed25519: with SIMD and without; both give the same results. */
export const MODULE_DIGESTS: Digests = {
${rows.join('')}};

/** The standard checks (protocol 14.7): programs, so these are also their names. */
export const CHECK_DIGESTS = {
${checks.join('')}} as const;

export type CheckName = keyof typeof CHECK_DIGESTS;
`;

const modules = checkNames
  .map(
    (name) => `  ${quoted(name)}:\n    '${readFileSync(`build/checks/${name}.wasm`).toString('base64')}',\n`,
  )
  .join('');
const modulesText = `// biome-ignore-all format: made by a tool.
// The modules of the standard checks in base64, so that every runtime has them: made by tools/digests.mjs, compared by
// npm run check.

export const CHECK_MODULES = {
${modules}} as const;
`;

for (const [file, wanted] of [
  [LIST, text],
  [MODULES, modulesText],
]) {
  if (process.argv.includes('--write')) writeFileSync(file, wanted);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== wanted) {
    console.error(`${file} is not that of the built modules: run node tools/digests.mjs --write`);
    process.exit(1);
  }
}
