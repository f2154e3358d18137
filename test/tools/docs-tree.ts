// A small made-up project, for tests of the checks of documents: documents, a source, and a build with one of everything.
// Without changes the checks find no fault in it.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const FENCE = '```';

const BUILT: Record<string, string> = {
  'api/routes': `export const ROUTES = [
    { method: 'GET', path: '/v1/agents', query: [{ kind: 'page' }, { kind: 'text', name: 'name' }], reply: 'Agent[]' },
    { method: 'POST', path: '/v1/agents', operation: 'register', reply: 'Agent', errors: ['not_found'], limit: 'agents' },
  ];`,
  'api/objects': `export const OBJECTS = { Agent: { id: ['str', 'A', 'id'], label: ['str', 'O', 'label'] } };`,
  'api/object-schema': `export const checkObject = (type, value) => (value.id === undefined ? [type + '.id is missing'] : []);`,
  'api/rate-table': `export const RATE_TABLE = { agents: { agent: Infinity, address: 3, node: 3000 } };`,
  'cli/command-table': `
    const row = (name, settings, options, words) => ({ name, settings, words, options: options.map((name) => ({ name })) });
    export const loadCommands = async () => [{ commands: [row('try', 'try', ['fast']), row('case', 'client', ['id', 'json'], 'open|list')] }];`,
  'config/settings': `export const SETTINGS = [
    { name: 'data', flag: 'data', env: 'SERVICE_DATA', fallback: './data', uses: ['try'] },
    { name: 'node', flag: 'node', env: 'SERVICE_NODE', defaultNote: 'this machine', uses: ['client'] },
  ];`,
  errors: `export const ERRORS = { not_found: [404, 'no such path'] };`,
  metrics: `export const METRICS = {
    vws_writes: { kind: 'counter', labels: ['type'] }, vws_delay: { kind: 'histogram', buckets: [1, 5] } };`,
  'net/messages': `export const CODES = { ping: 8, pong: 9 };`,
  'store/event-types': `export const EVENT_TYPES = ['stake'];`,
  'store/prefixes': `export const PREFIXES = { m: 'meta', v: 'vertex' };`,
  'wire/operations': `export const OPERATIONS = { register: { fields: { name: {}, key: {} } } };
    export const parseOperation = (match, value) => { if (value.name === undefined) throw new Error('name is missing'); };`,
  'wire/params': `export const PARAMS = { day_secs: { default: 86400, min: 1, max: 1000 }, open: { default: 0, isSwitch: true, min: 0, max: 1 } };`,
  // What `vws try` says, and what a client command would.
  'cli/main': `if (process.argv[2] === 'try') { console.log('API: http://127.0.0.1:7\\nready'); setInterval(() => {}, 1000); }
    else console.log('vws ' + process.argv.slice(2).join(' '));`,
};

const DOCUMENTS: Record<string, string> = {
  'README.md': `# A project

See [the objects](docs/protocol/objects.md#3-objects) and \`host/a.ts\`. \`npm run demo\` shows it.
`,
  'docs/consensus.md': '# Consensus\n\n## 5.13 Emission\n\nWhen a seat makes a vertex.\n',
  'docs/pitfalls.md': '| id | Fault |\n|---|---|\n| D1 | one |\n| D2 | two |\n',
  'docs/decisions/0008-flat-abi.md': '# 8 A flat ABI\n',
  'docs/guides/agent.md': `# Guide

${FENCE}sh
export NAME=alice
npx vws case list --node http://127.0.0.1:8338
${FENCE}

${FENCE}text
vws case list --node http://...
${FENCE}

${FENCE}js
import { hello } from 'vws/hello';
console.log(hello(process.env.NAME), '0123456789abcdef01234567');
${FENCE}

${FENCE}text
hello alice 00000000000000000000ffff
${FENCE}

${FENCE}sh norun
npm run demo
${FENCE}
`,
  'docs/protocol/conventions.md': `# 1 Conventions

## 1.9 Network parameters

| Name | Default | Range |
|---|---|---|
| \`day_secs\` | 86,400 | 1..10^3 |
| \`open\` | false | true, false |
`,
  'docs/protocol/catalogues.md': `# 2 Catalogues

## 2.1 Event types

| Type | Data |
|---|---|
| \`stake\` | amount |

## 2.2 Error codes

| Status | Code |
|---|---|
| 404 | \`not_found\` |
`,
  'docs/protocol/objects.md': `# 3 Objects

**Agent**

| Name | Type | P |
|---|---|---|
| \`id\` | \`str\` | A |
| \`label\` | \`str\` | O |
`,
  'docs/protocol/endpoints.md': `# 4 Endpoints

### \`POST /v1/agents\`

| Field | Type |
|---|---|
| name, key | str |

Errors: 404 \`not_found\`.

${FENCE}json
{"name": "alice"}
${FENCE}

${FENCE}json
{"id": "alice"}
${FENCE}

### Reads

| Endpoint | Query |
|---|---|
| \`GET /v1/agents\` | name, paging |
`,
  'docs/protocol/limits.md': `# 8 Limits

## 8.1 Rate limits

| Endpoint | Per agent | Per address | Whole node |
|---|---|---|---|
| \`POST /v1/agents\` | unlimited | 3 | 3,000 |
| every \`GET\` | - | 100 per second | - |
`,
  'docs/protocol/metrics.md': `# 11 Metrics

## 11.1 Table

| Name | Kind | Labels |
|---|---|---|
| \`vws_writes\` | counter | type: event type |
| \`vws_delay\` | histogram, buckets 1 5 | - |
`,
  'docs/protocol/node.md': `## 12.1 Commands

| Command | Flags |
|---|---|
| \`try\` | \`--data\`, \`--fast\` |
| \`case open\`, \`case list\` | \`--id\` |

## 12.2 Settings

| Setting | Flag | Variable | Default | Used by |
|---|---|---|---|---|
| \`data\` | \`--data\` | \`SERVICE_DATA\` | \`./data\` | try |
| \`node\` | \`--node\` | \`SERVICE_NODE\` | this machine | client |
`,
  'docs/protocol/network.md': `## 12.8 Node to node

| Type | Name |
|---|---|
| 8, 9 | \`ping\`, \`pong\` |

## 12.9 On disk

| Key | Row |
|---|---|
| \`m\`, \`v\` | JSON |
`,
};

const OTHER: Record<string, string> = {
  'package.json': `{ "name": "vws", "type": "module", "scripts": { "demo": "true" }, "exports": { "./hello": "./build/hello.js" } }`,
  'build/hello.js': "export const hello = (name) => 'hello ' + name;",
  'host/a.ts':
    '// What protocol 1.9, 2.1 and 12.8 say; consensus 5.13, pitfalls D1, D2 and decision 8. See host/a.ts.\n',
};

const BASE: Record<string, string> = {
  ...DOCUMENTS,
  ...OTHER,
  ...Object.fromEntries(Object.entries(BUILT).map(([name, text]) => [`build/host/${name}.js`, text])),
};

/** A change of one file: `from` becomes `to`; without `from` the text is put at its end, in a file of its own if need be. */
export type Change = readonly [path: string, to: string, from?: string];

/** Writes the project with these changes; returns its folder, which `remove` takes away. */
export function writeProject(changes: readonly Change[]): { root: string; remove: () => void } {
  const files = { ...BASE };
  for (const [path, to, from] of changes) {
    const text = files[path] ?? '';
    if (from !== undefined && !text.includes(from)) throw new Error(`${path} has no ${from}`);
    files[path] = from === undefined ? text + to : text.replace(from, () => to);
  }
  const root = mkdtempSync(join(tmpdir(), 'vws-docs-test-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
