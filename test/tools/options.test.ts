// Options of the developer tools: what a table accepts and refuses, and that every tool follows its table.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { builtPath } from '../../tools/load/built.ts';
import { readOptions, type Values } from '../../tools/options.ts';

const TOOL = {
  name: 'brew',
  about: 'makes tea.',
  options: {
    cups: { kind: 'whole', range: [1, 12], fallback: 2, help: 'cups of it' },
    spoons: { kind: 'whole', range: [0, 9], defaultNote: 'none', help: 'sugar' },
    minutes: { kind: 'decimal', range: [0.5, 10], fallback: 3, help: 'in the pot' },
    leaf: { kind: 'choice', choices: ['green', 'black'], fallback: 'black', help: 'kind of tea' },
    with: { kind: 'choices', choices: ['milk', 'lemon'], help: 'besides' },
    guest: { kind: 'texts', value: 'name', fallback: 'me', help: 'who drinks' },
    pot: { kind: 'text', help: 'which one' },
    'to-go': { kind: 'flag', help: 'in a paper cup' },
    seed: { kind: 'seed', help: 'reads the leaves' },
    fixed: { kind: 'seed', fallback: 1, help: 'reads them again' },
  },
} as const;

const read = (...args: string[]) => readOptions(TOOL, args);

function valuesOf(...args: string[]): Values<typeof TOOL.options> {
  const reading = read(...args);
  if ('values' in reading) return reading.values;
  throw new Error(JSON.stringify(reading));
}

describe('values', () => {
  it('are the defaults if nothing is given, typed by the table', () => {
    const { seed, ...values } = valuesOf();
    expect(values).toEqual({
      cups: 2,
      spoons: undefined,
      minutes: 3,
      leaf: 'black',
      with: undefined,
      guest: ['me'],
      pot: undefined,
      'to-go': false,
      fixed: 1,
    });
    expectTypeOf(values.cups).toEqualTypeOf<number>();
    expectTypeOf(values.spoons).toEqualTypeOf<number | undefined>();
    expectTypeOf(values.leaf).toEqualTypeOf<'green' | 'black'>();
    expectTypeOf(values.with).toEqualTypeOf<readonly ('milk' | 'lemon')[] | undefined>();
    expectTypeOf(values.guest).toEqualTypeOf<readonly string[]>();
    expectTypeOf(values.pot).toEqualTypeOf<string | undefined>();
    expectTypeOf(values['to-go']).toEqualTypeOf<boolean>();
    expectTypeOf(seed).toEqualTypeOf<number>();
  });

  it.each([
    [['--cups', '12'], { cups: 12 }],
    [['--cups', '3', '--cups=4'], { cups: 4 }],
    [['--spoons', '0'], { spoons: 0 }],
    [['--minutes', '0.5'], { minutes: 0.5 }],
    [['--minutes', '10'], { minutes: 10 }],
    [['--leaf', 'green'], { leaf: 'green' }],
    [['--with', 'lemon,milk'], { with: ['lemon', 'milk'] }],
    [['--guest', 'ann', '--guest', 'ben'], { guest: ['ann', 'ben'] }],
    [['--pot', 'the blue one'], { pot: 'the blue one' }],
    [['--to-go'], { 'to-go': true }],
    [['--seed', '4294967295', '--fixed', '0'], { seed: 2 ** 32 - 1, fixed: 0 }],
  ])('%j', (args, expected) => expect(valuesOf(...args)).toMatchObject(expected));

  it('have another 32-bit seed each time if none is given', () => {
    const seeds = Array.from({ length: 8 }, () => valuesOf().seed);
    for (const seed of seeds) expect(seed >>> 0).toBe(seed);
    expect(new Set(seeds).size).toBeGreaterThan(1);
  });
});

describe('refused is', () => {
  it.each([
    [['--cups', '0'], '--cups: "0" is not an integer from 1 to 12'],
    [['--cups', '13'], '--cups: "13" is not an integer from 1 to 12'],
    [['--cups', '1.5'], '--cups: "1.5" is not an integer from 1 to 12'],
    [['--cups', 'many'], '--cups: "many" is not an integer from 1 to 12'],
    [['--cups='], '--cups is empty'],
    [['--cups'], "option '--cups <value>' argument missing"],
    [['--cups', '-1'], '--cups needs a value; one that begins with a dash is written --cups=-...'],
    [['--minutes', '0'], '--minutes: "0" is not a number from 0.5 to 10'],
    [['--minutes', '10.01'], '--minutes: "10.01" is not a number from 0.5 to 10'],
    [['--minutes', 'NaN'], '--minutes: "NaN" is not a number from 0.5 to 10'],
    [['--minutes', 'Infinity'], '--minutes: "Infinity" is not a number from 0.5 to 10'],
    [['--leaf', 'red'], '--leaf: unknown red; there are: green, black'],
    [['--with', 'milk,rum,gin'], '--with: unknown rum, gin; there are: milk, lemon'],
    [['--guest', 'ann', '--guest', ''], '--guest is empty'],
    [['--to-go=yes'], "option '--to-go' does not take an argument"],
    [['--seed', '4294967296'], '--seed: "4294967296" is not an integer from 0 to 4294967295'],
    [['--fixed', 'x'], '--fixed: "x" is not an integer from 0 to 4294967295'],
    [['--cup', '3'], "unknown option '--cup'"],
    [['-c'], "unknown option '-c'"],
    [['3'], "unexpected argument '3'"],
  ])('%j', (args, error) => expect(read(...args)).toEqual({ error }));
});

it('the help lists every option with its values, default and meaning', () => {
  const help = `npm run brew: makes tea.

Usage: npm run brew -- [flags]

Flags:
  --cups <n>         cups of it [1 to 12; default 2]
  --spoons <n>       sugar [0 to 9; default none]
  --minutes <n>      in the pot [0.5 to 10; default 3]
  --leaf <word>      kind of tea [green | black; default black]
  --with <word,...>  besides [milk | lemon]
  --guest <name>     who drinks [may be repeated; default me]
  --pot <text>       which one
  --to-go            in a paper cup
  --seed <n>         reads the leaves [default random]
  --fixed <n>        reads them again [default 1]
  --help, -h         show this text`;
  expect(read('--help')).toEqual({ help });
  // Help is shown whatever else is wrong.
  expect(read('--cups', '99', '-h')).toEqual({ help });
});

/** Options that people and documents rely on. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  'tools/attacks': ['only'],
  'bench/main': ['suite', 'json', 'small', 'many', 'data'],
  'tools/corpus': ['seed'],
  'tools/crash-test': ['kills', 'seed', 'writers'],
  'tools/demo': ['node', 'data'],
  'tools/economy': ['days', 'seed', 'agents', 'tasks', 'svg', 'each', 'attacks', 'disputes'],
  'tools/export-again': ['transactions', 'writes'],
  'tools/export-chaos': ['minutes', 'writers', 'seed'],
  'tools/export-compare': ['requests', 'load', 'seed'],
  'tools/export-depth': ['events', 'agents', 'documents'],
  'tools/fuzz-net': ['frames', 'seed'],
  'tools/histories': ['nodes', 'seconds', 'seed', 'sessions', 'faults', 'mutants', 'out'],
  'tools/judges': ['seed'],
  'tools/load': ['node', 'rate', 'connections', 'seconds', 'tasks', 'seed'],
  'tools/localnet': ['nodes', 'observers', 'data', 'load', 'seconds'],
  'tools/monitoring': [],
  'tools/mutants': ['only', 'skip-sound', 'list'],
  'tools/page-hour': ['minutes', 'nodes', 'load', 'route'],
  'tools/page-pictures': ['dir', 'first', 'format', 'only', 'scene', 'warm'],
  'tools/replay-test': ['transactions', 'seed'],
  'tools/sdk-python': [],
  'tools/scale': [
    'seats',
    'lines',
    'loads',
    'transaction-us',
    'vertex-us',
    'bytes',
    'cores',
    'apart',
    'secs',
  ],
  'tools/sim': ['seeds', 'seed', 'engine', 'over-limit', 'vertices', 'seats'],
  'tools/world': [
    'seeds',
    'seed',
    'first',
    'minutes',
    'seats',
    'faults',
    'over-limit',
    'processes',
    'each',
    'log',
  ],
  'tools/soak': ['nodes', 'minutes', 'kill-every', 'writers', 'rate', 'seed'],
};

function run(path: string, ...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.on('data', (part) => {
    out += part;
  });
  child.stderr.on('data', (part) => {
    err += part;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

/** Refused before anything ran, with one line and a hint. */
const REFUSAL = /^error: unknown option '--no-such'\.?\nSee: npm run [a-z:-]+ -- --help\n$/i;

describe('the tools', () => {
  it('are exactly those that package.json starts from build/', () => {
    const scripts = JSON.parse(readFileSync('package.json', 'utf8')).scripts as Record<string, string>;
    const started = Object.values(scripts).flatMap((line) =>
      [...line.matchAll(/node build\/((?:tools|bench)\/[\w-]+)\.js/g)].map(([, path]) => path),
    );
    expect(Object.keys(TOOLS).sort()).toEqual(started.sort());
  });

  it.each(Object.entries(TOOLS))('%s lists its options and refuses others', async (name, options) => {
    const path = builtPath(`${name}.js`);
    const help = await run(path, '--help');
    expect(help).toMatchObject({ code: 0, err: '' });
    const named = [...help.out.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, option]) => option);
    expect(named.sort()).toEqual([...options, 'help'].sort());

    expect(await run(path, '--no-such')).toEqual({ code: 2, out: '', err: expect.stringMatching(REFUSAL) });
    const stray = { code: 2, out: '', err: expect.stringContaining("unexpected argument 'stray'") };
    expect(await run(path, 'stray')).toEqual(stray);
  });

  it('tools/embed.mjs, which is not built, does the same', async () => {
    expect(await run('tools/embed.mjs', '--help')).toMatchObject({ code: 0, err: '' });
    const refused = { code: 2, out: '', err: expect.stringMatching(REFUSAL) };
    expect(await run('tools/embed.mjs', '--no-such')).toEqual(refused);
  });
});
