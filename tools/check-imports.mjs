// Checks the import rules: dependencies point one way.
// In assembly/ and host/ a folder imports only itself and folders above it in the list below; host/ reaches into
// assembly/ only for the modules' constants; host/wire, host/scoring, host/programs, host/proofs, host/client and
// host/web import no Node module; host/web sees the node as any client does.

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
/** Modules of their own, which have only lib/ in common with the others. */
const OWN_MODULES = ['assembly/ed25519/', 'assembly/checks/'];
const moduleOf = (path) => OWN_MODULES.find((folder) => path.startsWith(folder));
/** A built module whose address the page is told. */
const MODULE_FILE = /^build\/[a-z0-9-]+\.wasm\?url$/;
/** What host/ may see of the modules: their constants. */
const DOORS = ['assembly/abi.ts', 'assembly/ed25519/layout.ts', 'assembly/consensus/abi.ts'];
const HOST = [
  'wire',
  'world',
  'config',
  'scoring',
  'core',
  'crypto',
  'modules',
  'programs',
  'store',
  'ordering',
  'execution',
  'sequencer',
  'views',
  'duties',
  'webhooks',
  'net',
  'proofs',
  'api',
  'ingress',
  'client',
  'audit',
  'packages',
  'export',
  'mcp',
  'node',
  'web',
  'cli',
];
/** Below it in the list, and yet not for it: views answer for what the sequencer brings, each without the other. */
const APART = { views: ['sequencer'] };
/** Files at the top of host/ that everybody may use. */
const HOST_BASE = ['errors.ts', 'log.ts', 'metric-table.ts', 'metric-values.ts', 'metrics.ts', 'tally.ts'];
/** Folders that run in browsers: no Node module. */
const ISOMORPHIC = [
  'host/wire/',
  'host/scoring/',
  'host/programs/',
  'host/proofs/',
  'host/client/',
  'host/audit/',
  'host/web/',
];
/** The page sees the node from outside: through the client, the verifier, and what they share with the node. */
const WEB_SEES = ['wire', 'client', 'crypto', 'modules', 'audit', 'world'];
/** What a node touches of the machine it touches through the World that it is handed: these belong to host/world alone. */
const MACHINE_MODULES = [
  'node:child_process',
  'node:dns',
  'node:fs',
  'node:http2',
  'node:net',
  'node:perf_hooks',
  'node:timers',
  'node:tls',
  'node:worker_threads',
  'piscina',
];
/** Pure functions that Node keeps in such a module. */
const PURE_NAMES = ['BlockList', 'isIP'];
const MACHINE_CODE = [
  /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b/,
  /\b(setTimeout|setInterval|setImmediate)\(|\bAbortSignal\.timeout\b/,
  /\bMath\.random\b|\bgetRandomValues\b|\bimport \{[^}]*\brandom\w+[^}]*\} from 'node:crypto'/,
  /(?<![\w.#])fetch\(/,
  /\bprocess\.(?!argv)/,
];
/** Where the machine is real all the same: the command line, and one reading of the environment. */
const MACHINE_HOMES = ['host/world/', 'host/cli/'];
const MACHINE_FILES = {
  'host/api/docs-programs.ts': 'holds programs for readers, as texts',
  'host/config/config.ts': 'reads the environment, once',
  'host/modules/load-modules.ts': 'loads the modules in a browser',
  'host/crypto/worker.ts': 'is started as a thread of its own',
};
/** Who may name the system's world instead of being handed one. */
const SYSTEM_USERS = [
  'host/world/',
  'host/cli/',
  'host/crypto/key-file.ts',
  'host/crypto/client-key-file.ts',
  'host/crypto/node-key-file.ts',
  'host/crypto/token-key.ts',
  'host/crypto/sealed-seed.ts',
  'host/crypto/key-pair.ts',
  'host/crypto/worker.ts',
  'host/ingress/thread.ts',
  'host/modules/node.ts',
  'host/packages/verify-node.ts',
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
  else if (b > a || APART[from]?.includes(to))
    problems.push(`${file}: imports ${target}, which stands below it`);
}

function checkMachine(file, code) {
  const isHome = MACHINE_HOMES.some((home) => file.startsWith(home)) || file in MACHINE_FILES;
  if (!isHome) {
    for (const [, names, name] of code.matchAll(/import (?!type\b)([^;]*?) from '([^']+)'/g)) {
      const bound = names.replace(/[{}]/g, '').split(',');
      const taken = bound.map((one) => one.trim()).filter((one) => one !== '' && !one.startsWith('type '));
      const isMachine = MACHINE_MODULES.some((m) => name === m || name.startsWith(`${m}/`));
      if (isMachine && taken.some((one) => !PURE_NAMES.includes(one)))
        problems.push(`${file}: imports ${name}, which belongs in host/world/`);
    }
    for (const pattern of MACHINE_CODE) {
      const found = pattern.exec(code);
      if (found) problems.push(`${file}: ${found[0]} belongs in host/world/`);
    }
  }
  if (/world\/system\//.test(code) && !SYSTEM_USERS.some((user) => file.startsWith(user)))
    problems.push(`${file}: names the system's world; it is to be handed one`);
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
        if (moduleOf(file) !== moduleOf(target)) {
          if (!target.startsWith('assembly/lib/')) problems.push(`${file}: imports ${target} across modules`);
        } else if (moduleOf(file) === undefined) checkOrder(file, target, 'assembly', ASSEMBLY);
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
    checkMachine(file, code);
  }
}
for (const problem of problems) console.error(problem);
console.log(`import rules: ${problems.length} problems`);
process.exit(problems.length > 0 ? 1 : 0);
