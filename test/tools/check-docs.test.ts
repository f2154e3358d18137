// The checks of documents: none finds a fault in a project without one, and each finds the one it is there for.

import { describe, expect, it } from 'vitest';
import { checkDocs, type DocsReport } from '../../tools/docs/check.mjs';
import { type Change, writeProject } from './docs-tree.ts';

async function check(
  changes: readonly Change[],
  options: Parameters<typeof checkDocs>[1] = { run: false },
): Promise<DocsReport> {
  const { root, remove } = writeProject(changes);
  try {
    return await checkDocs(root, options);
  } finally {
    remove();
  }
}

const ENDPOINTS = 'docs/protocol/endpoints.md';
const OBJECTS = 'docs/protocol/objects.md';
const CATALOGUES = 'docs/protocol/catalogues.md';
const CONVENTIONS = 'docs/protocol/conventions.md';
const NODE = 'docs/protocol/node.md';
const NETWORK = 'docs/protocol/network.md';
const METRICS = 'docs/protocol/metrics.md';
const LIMITS = 'docs/protocol/limits.md';
const GUIDE = 'docs/guides/agent.md';
const block = (tag: string, text: string): string => `\n\`\`\`${tag}\n${text}\n\`\`\`\n`;

/** What is changed, and the faults that are found then. */
type Case = readonly [name: string, change: Change, ...faults: string[]];

function findsEach(cases: readonly Case[]): void {
  it.each(cases.map(([name, change, ...faults]) => ({ name, change, faults })))(
    '$name',
    async ({ change, faults }) => expect((await check([change])).faults).toEqual(faults),
  );
}

it('finds no fault in a project without one, and says what it looked at', async () => {
  const { faults, notes, totals } = await check([]);
  expect({ faults, notes }).toEqual({ faults: [], notes: [] });
  expect(totals).toMatch(/^docs: 7 citations, 1 error codes, .*, 2 routes, 2 members, .*, 0 faults$/);
});

describe('citations', () => {
  findsEach([
    [
      'a section that is not there',
      ['host/b.ts', '// protocol 6.14'],
      'host/b.ts:1: protocol 6.14 does not exist',
    ],
    [
      'one of a list, over the end of a line',
      ['host/b.ts', 'f(); // as in protocol 1.9, 2.1,\n// 2.7 and 12.8'],
      'host/b.ts:1: protocol 2.7 does not exist',
    ],
    [
      'of consensus, with a number of the protocol',
      ['test/b.ts', '// consensus 12.8'],
      'test/b.ts:1: consensus 12.8 does not exist',
    ],
    ['a pitfall', ['tools/b.mjs', '// pitfalls D2, D9'], 'tools/b.mjs:1: pitfall D9 does not exist'],
    ['a decision', ['README.md', '\ndecision 9\n'], 'README.md:5: decision 9 does not exist'],
    [
      'a decision whose number another one has',
      ['docs/decisions/0008-other.md', '# 8 Another one\n'],
      'docs/decisions/0008-other.md: decision 8 is the number of two files',
    ],
    [
      'a decision whose heading has another number',
      ['docs/decisions/0007-other.md', '# 9 Another one\n'],
      'docs/decisions/0007-other.md:1: the heading of decision 7 begins with another number',
    ],
    [
      'a name that the section does not have',
      ['host/b.ts', '// protocol 2.1 "event types", protocol 2.2 "colours"'],
      'host/b.ts:1: protocol 2.2 says nothing of "colours"',
    ],
    [
      'a number that two sections have',
      [OBJECTS, '\n## 2.1 Again\n'],
      `${OBJECTS}:10: protocol 2.1 is the number of two sections`,
    ],
  ]);

  it('takes no other number for a section', async () => {
    const text =
      '// protocol 99, a protocol of 3 steps; consensus 5.13, 20 ms later; protocol 1.9, 2 of them\n';
    expect((await check([['host/b.ts', text]])).faults).toEqual([]);
  });

  it('of the drafts are faults', async () => {
    const change: Change = ['host/api/b.ts', '// DECISIONS 1.2\nconst SPEC = 1; // as SPEC says\nf(SPEC);\n'];
    const { faults } = await check([change]);
    expect(faults).toEqual([
      'host/api/b.ts:1: cites the draft DECISIONS',
      'host/api/b.ts:2: cites the draft SPEC',
    ]);
  });
});

describe('tables', () => {
  findsEach([
    [
      'a code without a row',
      ['build/host/errors.js', 'ERRORS = { internal: [500],', 'ERRORS = {'],
      `${CATALOGUES}: error code internal is not described`,
    ],
    [
      'a code that is none',
      [CATALOGUES, '| 500 | `internal` |\n'],
      `${CATALOGUES}:14: error code internal does not exist`,
    ],
    [
      'a status',
      [CATALOGUES, '| 410 |', '| 404 |'],
      `${CATALOGUES}:13: the status of not_found is 404, not 410`,
    ],
    [
      'an event type',
      [CATALOGUES, '`unstake`', '`stake`'],
      `${CATALOGUES}:7: event type unstake does not exist`,
      `${CATALOGUES}: event type stake is not described`,
    ],
    [
      'the default of a parameter',
      [CONVENTIONS, '86,401', '86,400'],
      `${CONVENTIONS}:7: the default of day_secs is 86400, not 86401`,
    ],
    [
      'its range',
      [CONVENTIONS, '1..10^4', '1..10^3'],
      `${CONVENTIONS}:7: the range of day_secs is 1..1000, not 1..10000`,
    ],
    [
      'the default of a setting',
      [NODE, '`./here`', '`./data`'],
      `${NODE}:12: the default of data is ./data, not ./here`,
    ],
    [
      'its variable',
      [NODE, '`SERVICE_DIR`', '`SERVICE_DATA`'],
      `${NODE}:12: the variable of data is SERVICE_DATA, not SERVICE_DIR`,
    ],
    [
      'who uses it',
      [NODE, '`./data` | client |', '`./data` | try |'],
      `${NODE}:12: what uses data is try, not client`,
    ],
    [
      'a label',
      [METRICS, 'kind: any', 'type: event type'],
      `${METRICS}:7: vws_writes: label type is missing`,
    ],
    [
      'buckets',
      [METRICS, 'buckets 1 6', 'buckets 1 5'],
      `${METRICS}:8: the kind of vws_delay is histogram, buckets 1 5, not histogram, buckets 1 6`,
    ],
    [
      'a rate limit that is another',
      [LIMITS, 'unlimited | 4 |', 'unlimited | 3 |'],
      `${LIMITS}:7: the limit of POST /v1/agents is unlimited 3 3,000, not unlimited 4 3,000`,
    ],
    [
      'a limited endpoint without its row',
      [LIMITS, '', '| `POST /v1/agents` | unlimited | 3 | 3,000 |\n'],
      `${LIMITS}: the limit of POST /v1/agents is not described`,
    ],
    ['a key prefix', [NETWORK, '`m` |', '`m`, `v` |'], `${NETWORK}: key prefix v is not described`],
    [
      'a type of message',
      [NETWORK, '9, 8', '8, 9'],
      `${NETWORK}:5: the type of message ping is 8, not 9`,
      `${NETWORK}:5: the type of message pong is 9, not 8`,
    ],
  ]);
});

describe('commands', () => {
  findsEach([
    [
      'one without a row',
      [NODE, '`case open`', '`case open`, `case list`'],
      `${NODE}: command case list is not described`,
    ],
    [
      'one that is none',
      [NODE, '`case shut`', '`case open`'],
      `${NODE}:6: command case shut does not exist`,
      `${NODE}: command case open is not described`,
    ],
    [
      'a flag without a word',
      [NODE, '| `try` | `--data` |', '| `try` | `--data`, `--fast` |'],
      `${NODE}: flag --fast of try is not described`,
    ],
    ['a flag that is none', [NODE, '`--id`, `--slow`', '`--id`'], `${NODE}:6: case has no flag --slow`],
    [
      'in an example: a command',
      [GUIDE, block('sh norun', 'npx vws sell')],
      `${GUIDE}:25: vws has no command sell`,
    ],
    ['in an example: a verb', ['README.md', '\n`vws case shut`\n'], 'README.md:5: vws case has no shut'],
    [
      'in an example: a flag',
      [GUIDE, block('sh norun', 'vws try \\\n  --slow')],
      `${GUIDE}:25: vws try has no flag --slow`,
    ],
  ]);
});

describe('endpoints and objects', () => {
  findsEach([
    [
      'a route without a word',
      [ENDPOINTS, '`GET /v1/agents/{id}`', '`GET /v1/agents`'],
      `${ENDPOINTS}: route GET /v1/agents is not described`,
      `${ENDPOINTS}:23: route GET /v1/agents/{id} does not exist`,
    ],
    [
      'a route that is none',
      ['README.md', '\nDELETE /v1/agents\n'],
      'README.md:5: route DELETE /v1/agents does not exist',
    ],
    [
      'a field without a word',
      [ENDPOINTS, '| name |', '| name, key |'],
      `${ENDPOINTS}:3: POST /v1/agents: field key is not described`,
    ],
    [
      'a field that is none',
      [ENDPOINTS, '| name, key, age |', '| name, key |'],
      `${ENDPOINTS}:7: POST /v1/agents: field age does not exist`,
    ],
    [
      'a query',
      [ENDPOINTS, '| name |', '| name, paging |'],
      `${ENDPOINTS}:23: GET /v1/agents: query paging is not described`,
    ],
    [
      'an error',
      [ENDPOINTS, 'None.', 'Errors: 404 `not_found`.'],
      `${ENDPOINTS}:3: POST /v1/agents: error not_found is not described`,
    ],
    [
      'an example',
      [ENDPOINTS, '{"label": "alice"}', '{"id": "alice"}'],
      `${ENDPOINTS}:15: the example of POST /v1/agents is no body of it, and as an answer Agent.id is missing`,
    ],
    [
      'a member without a word',
      [OBJECTS, '', '| `label` | `str` | O |\n'],
      `${OBJECTS}:5: Agent.label is not described`,
    ],
    ['a member that is none', [OBJECTS, '| `age` | `int` | O |\n'], `${OBJECTS}:9: Agent.age does not exist`],
    ['a type', [OBJECTS, '`int` | O', '`str` | O'], `${OBJECTS}:8: Agent.label is str O, not int O`],
    [
      'an object',
      [OBJECTS, '**Person**', '**Agent**'],
      `${OBJECTS}:5: object Person does not exist`,
      `${OBJECTS}: object Agent is not described`,
    ],
  ]);
});

describe('links and paths', () => {
  findsEach([
    [
      'a file',
      ['README.md', '\n[more](docs/more.md)\n'],
      'README.md:5: link docs/more.md: there is no docs/more.md',
    ],
    [
      'a heading',
      [GUIDE, '\n[up](../consensus.md#514-safety)\n'],
      `${GUIDE}:25: link ../consensus.md#514-safety: docs/consensus.md has no heading #514-safety`,
    ],
    [
      'outside of the project',
      ['README.md', '\n[up](../b.md)\n'],
      'README.md:5: link ../b.md leads out of the project',
    ],
    [
      'a path in backticks',
      ['README.md', '\n`host/{a,b}.ts`, `docs/*/agent.md`\n'],
      'README.md:5: there is no host/b.ts',
    ],
    [
      'a path in a comment',
      ['tools/b.mjs', 'f(); // see host/c/ and host/a.ts\n'],
      'tools/b.mjs:1: there is no host/c/',
    ],
  ]);

  it('takes a heading by its anchor, also one of two that are alike', async () => {
    const text =
      '\n## What `vws` is, *now*\n\n## Twice\n\n## Twice\n\n[a](#what-vws-is-now) [b](#twice-1) [c](https://example.org/x#y)\n';
    expect((await check([['README.md', text]])).faults).toEqual([]);
  });
});

describe('examples as texts', () => {
  findsEach([
    ['a block without a tag', ['README.md', block('', 'x')], 'README.md:5: the block has no language tag'],
    [
      'a tag in another spelling',
      ['README.md', block('bash', 'x')],
      'README.md:5: the tag bash is written sh here',
    ],
    [
      'json',
      ['README.md', block('json', '[1, ...]')],
      expect.stringMatching(/^README.md:5: the json does not parse: /) as unknown as string,
    ],
    ['a script', ['README.md', '\nnpm run dance\n'], 'README.md:5: package.json has no script dance'],
    [
      'npm in a block that would run',
      ['README.md', block('sh', 'npm ci')],
      'README.md:5: a block that calls npm does not run: tag it `sh norun`',
    ],
  ]);
});

describe('examples that run', () => {
  const run = (changes: readonly Change[]) => check(changes, { run: true });

  it('those of a document share a folder and variables, and print what is said', async () => {
    const { faults, totals } = await run([]);
    expect(faults).toEqual([]);
    expect(totals).toContain('2 examples run');
  });

  it('one that fails ends its document', async () => {
    const { faults } = await run([
      [GUIDE, 'vws case list\nfalse\ntrue', 'npx vws case list --node http://127.0.0.1:8338'],
    ]);
    expect(faults).toEqual([
      `${GUIDE}:3: the sh example ended with 1 (1 later examples of this document were not run)`,
    ]);
  });

  it('what it prints is compared', async () => {
    const { faults } = await run([[GUIDE, 'hello bob', 'hello alice']]);
    expect(faults).toEqual([
      `${GUIDE}:17: the example above prints something else: "hello alice 0123456789abcdef01234567\\n"`,
    ]);
  });

  it('the default address is that of the node', async () => {
    const { faults } = await run([[GUIDE, 'http://127.0.0.1:8338', 'http://...']]);
    expect(faults).toEqual([
      `${GUIDE}:8: the example above prints something else: "vws case list --node http://127.0.0.1:7\\n"`,
    ]);
  });

  it('a package of python that is missing is said, and is no fault', async () => {
    const { faults, notes } = await run([['README.md', block('python', 'import no_such_package_at_all')]]);
    expect(faults).toEqual([]);
    expect(notes).toEqual([
      expect.stringMatching(/^README.md:5: NOT RUN, this machine lacks (no_such_package_at_all|python3)$/),
    ]);
  });
});
