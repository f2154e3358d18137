// Checks the import rules: dependencies point one way.
// In assembly/ and host/ a folder imports only itself and folders above it in the list below; host/ reaches into
// assembly/ only for the modules' constants; host/wire, host/scoring, host/client and host/web import
// no Node module; host/web sees the node as any client does.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const ASSEMBLY = [
  'lib',
  'dag',
  'consensus',
  'state',
  'ledger',
  'io',
  'credit',
  'reputation',
  'validators',
  'access',
  'settlement',
  'accounts',
  'cases',
  'tasks',
  'assurance',
  'router',
  'run',
];
/** A built module whose address the page is told. */
const MODULE_FILE = /^build\/[a-z0-9-]+\.wasm\?url$/;
/** What host/ may see of the modules: their constants. */
const DOORS = ['assembly/abi.ts', 'assembly/ed25519/layout.ts', 'assembly/consensus/abi.ts'];
const HOST = [
  'world',
  'config',
  'wire',
  'scoring',
  'core',
  'crypto',
  'modules',
  'store',
  'ordering',
  'execution',
  'sequencer',
  'views',
  'duties',
  'webhooks',
  'net',
  'api',
  'client',
  'audit',
  'node',
  'web',
  'cli',
];
/** Below it in the list, and yet not for it: views answer for what the sequencer brings, each without the other. */
const APART = { views: ['sequencer'] };
/** Files at the top of host/ that everybody may use. */
const HOST_BASE = ['errors.ts', 'log.ts', 'metrics.ts', 'tally.ts'];
/** Folders that run in browsers: no Node module. */
const ISOMORPHIC = ['host/wire/', 'host/scoring/', 'host/client/', 'host/audit/', 'host/web/'];
/** The page sees the node from outside: through the client, the verifier, and what they share with the node. */
const WEB_SEES = ['wire', 'client', 'crypto', 'modules', 'audit', 'world'];
/** Read the environment, the clock or chance only here. */
const SOURCES_OF_CHANGE = [
  [/\bDate\.now\b|\bperformance\.now\b|\bsetTimeout\(|\bsetInterval\(/, 'host/world/clock.ts'],
  [/\bMath\.random\b/, 'host/world/random.ts'],
  [/\bprocess\.env\b/, 'host/config/config.ts'],
];

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (/\.tsx?$/.test(entry.name)) yield path;
  }
}

const problems = [];
const folderOf = (path, root) => {
  const parts = path.split('/');
  return parts[0] === root && parts.length > 2 ? parts[1] : undefined;
};

function checkOrder(file, target, root, order) {
  // Constants that host and module share are for everybody.
  if (target.endsWith('/abi')) return;
  const from = folderOf(file, root);
  const to = folderOf(target, root);
  if (from === undefined || to === undefined || from === to) return;
  const [a, b] = [order.indexOf(from), order.indexOf(to)];
  if (a < 0) problems.push(`${file}: folder ${root}/${from} is not in the list of tools/check-imports.mjs`);
  else if (b < 0) problems.push(`${file}: imports ${target}, whose folder is not in the list`);
  else if (from === 'web' && !WEB_SEES.includes(to)) problems.push(`${file}: imports ${target}`);
  else if (b > a || APART[from]?.includes(to)) problems.push(`${file}: imports ${target}, which stands below it`);
}

for (const root of ['assembly', 'host']) {
  for (const file of files(root)) {
    const text = readFileSync(file, 'utf8');
    for (const match of text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      const name = match[1];
      if (!name.startsWith('.')) {
        const isomorphic = ISOMORPHIC.some((folder) => file.startsWith(folder));
        if (isomorphic && name.startsWith('node:'))
          problems.push(`${file}: imports ${name} in isomorphic code`);
        if (root === 'assembly') problems.push(`${file}: imports ${name} from outside`);
        continue;
      }
      const target = normalize(join(dirname(file), name));
      if (root === 'assembly') {
        if (!target.startsWith('assembly')) problems.push(`${file}: imports ${target} from outside the core`);
        if (file.startsWith('assembly/ed25519') !== target.startsWith('assembly/ed25519')) {
          if (!target.startsWith('assembly/lib')) problems.push(`${file}: imports ${target} across modules`);
        } else if (!file.startsWith('assembly/ed25519')) checkOrder(file, target, 'assembly', ASSEMBLY);
      } else if (target.startsWith('assembly')) {
        if (!DOORS.includes(target)) problems.push(`${file}: reaches into ${target}`);
      } else if (target.startsWith('host/')) {
        checkOrder(file, target, 'host', HOST);
        const top = target.slice(5);
        if (
          folderOf(file, 'host') &&
          !top.includes('/') &&
          !HOST_BASE.includes(top) &&
          !file.startsWith('host/cli/')
        ) {
          problems.push(`${file}: imports ${target}, which composes everything`);
        }
      } else if (!(file.startsWith('host/web/') && MODULE_FILE.test(target)))
        problems.push(`${file}: imports ${target} from outside host/`);
    }
    if (root !== 'host') continue;
    const code = text.replace(/\/\/.*$|\/\*[\s\S]*?\*\//gm, '');
    for (const [pattern, home] of SOURCES_OF_CHANGE) {
      if (pattern.test(code) && file !== home && !file.includes('host/client/')) {
        problems.push(`${file}: ${pattern.source} belongs in ${home}`);
      }
    }
  }
}
for (const problem of problems) console.error(problem);
console.log(`import rules: ${problems.length} problems`);
process.exit(problems.length > 0 ? 1 : 0);
