// npm run programs-fuzz: the standard checks and random programs in every runtime available on this machine: the same end,
// output and fuel in all. Needs a build.

import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { admitProgram } from '../build/host/programs/admit.js';
import { packInput } from '../build/host/programs/check-job.js';
import { execute } from '../build/host/programs/execute.js';
import { DEFAULT_FUEL, MAX_OUTPUT_BYTES } from '../build/host/programs/limits.js';
import { randomProgram } from '../build/tools/programs/random-program.js';
import { hosts, named } from './embed-hosts.mjs';
import { lastLines, perform, prepare, Skipped } from './embed-prepare.mjs';

const HELP = `npm run programs-fuzz: random programs in every runtime available on this machine.

Usage: npm run programs-fuzz -- [flags]

Flags:
  --count <n>    programs [default 10000]
  --seed <n>     seed of the first; the next have the numbers behind it [default 1]
  --only <texts> only runtimes whose name contains one of these, e.g. Go,Chromium [default all]
  --all          fail instead of skipping a runtime that is not available here
  --help, -h     show this text`;
/** Enough for most programs to end, little enough for endless ones. */
const FUEL = 100_000;
const INPUT = Uint8Array.from({ length: 64 }, (_, i) => (i * 37) & 255);
const FILE = 'build/programs.txt';

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        count: { type: 'string', default: '10000' },
        seed: { type: 'string', default: '1' },
        only: { type: 'string', default: '' },
        all: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const [count, seed] = [Number(values.count), Number(values.seed)];
    if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(seed) || seed < 0)
      throw new Error('--count and --seed are whole numbers');
    return { ...values, count, seed, asked: named(runtimes(), values.only.split(',')) };
  } catch (error) {
    console.error(`error: ${error.message}\nSee: npm run programs-fuzz -- --help`);
    process.exit(2);
  }
}

const hex = (bytes) => Buffer.from(bytes).toString('hex');
const shown = (bytes) =>
  bytes.length > 64 ? createHash('sha256').update(bytes).digest('hex').slice(0, 32) : hex(bytes);

/** Each standard check with parameters, a delivery that passes and one that does not. */
const CHECKS = [
  ['equals', { hash: createHash('sha256').update('42').digest('hex'), trim: true }, ' 42\n', '43'],
  ['size', { max_chars: 4, min_lines: 1 }, 'コード化', 'コード化!'],
  ['contains', { all: ['Zürich'], none: ['todo'], ignore_case: true }, 'Von Zürich', 'Zürich, TODO'],
  ['number', { path: '/sum', value: '0.3', tolerance: '0.005' }, '{"sum":0.305}', '{"sum":0.31}'],
  ['json-shape', { items: { type: 'integer', minimum: -1 } }, '[1,2.0,-1]', '[1,{"a":[]}]'],
  ['regex', { pattern: '(?:[A-Z][a-zè]+ ?)+' }, 'Von Genève', 'nach Genève'],
  [
    'csv',
    {
      columns: ['a', 'b'].map((name) => ({ name, type: 'decimal' })),
      column_sums: [{ column: 'a', equals: 'b' }],
    },
    'a,b\n0.1,0.25\n0.2,0.05\n',
    'a,b\n0.1,"0.25"\n0.2,0.06\n',
  ],
];
const utf8 = (text) => new TextEncoder().encode(text);

/** The module, fuel and input of each line. */
function* questions({ count, seed }) {
  for (const [name, parameters, ...deliveries] of CHECKS) {
    const metered = admitProgram(readFileSync(`build/checks/${name}.wasm`));
    for (const delivery of deliveries) {
      const parts = { fields: utf8('{}'), delivery: utf8(delivery), seed: new Uint8Array(0) };
      const input = packInput({ parameters: utf8(JSON.stringify(parameters)), ...parts });
      yield { metered, fuel: DEFAULT_FUEL, input };
    }
  }
  for (let i = 0; i < count; i++)
    yield { metered: admitProgram(randomProgram(seed + i)), fuel: FUEL, input: INPUT };
}

/** Writes the programs with what came of them here; how many lines, how many ended in which way, a digest of all answers. */
function write(options) {
  const ends = {};
  const answers = createHash('sha256');
  let lines = 0;
  mkdirSync('build', { recursive: true });
  const file = openSync(FILE, 'w');
  for (const { metered, fuel, input } of questions(options)) {
    const limits = { fuel, outputBytes: MAX_OUTPUT_BYTES };
    const { end, fuel: used, output } = execute(new WebAssembly.Module(metered), input, limits);
    ends[end] = (ends[end] ?? 0) + 1;
    lines++;
    const answer = `${end} ${used} ${shown(output)}\n`;
    answers.update(answer);
    writeSync(file, `${hex(metered)} ${fuel} ${hex(input)} = ${answer}`);
  }
  closeSync(file);
  return { ends, lines, digest: answers.digest('hex').slice(0, 32) };
}

/** The runtimes; those on V8 with each of its compilers alone besides. */
function runtimes() {
  const found = hosts();
  const own = found[0];
  const withFlag = (flag) => ({
    ...own,
    name: `${own.name} ${flag}`,
    run: [own.run[0], flag, ...own.run.slice(1)],
  });
  return [own, withFlag('--liftoff-only'), withFlag('--no-liftoff'), ...found.slice(1)];
}

/** A runtime that answers otherwise because of a fault of its own that is known. */
class KnownFault extends Error {}

/** The digest of what a runtime answered to all lines. Throws if one of them differs, or was not run. */
async function run(host, count) {
  await prepare(host);
  const { ok, stdout, stderr } = await perform([...host.run, '--programs', FILE]);
  const line = /^programs cases=(\d+) mismatches=(\d+) answers=([0-9a-f]+)$/m;
  const [, cases, mismatches, answers] = line.exec(stdout) ?? [];
  if (Number(mismatches) > 0 && host.knownFault)
    throw new KnownFault(`${mismatches} differ: ${host.knownFault}`);
  if (!ok || Number(mismatches) > 0) throw new Error(`answers differ:\n    ${lastLines(stderr)}`);
  if (Number(cases) !== count) throw new Error(`ran ${cases} of ${count} lines`);
  return answers;
}

const options = readOptions();
if (options.help) {
  console.log(HELP);
  process.exit(0);
}
const { ends, lines, digest } = write(options);
console.log(`${lines} runs, ${options.count} random programs from seed ${options.seed}:`, ends);
console.log(`  ${'answers'.padEnd(32)}  runtime\n  ${digest}  this process`);
let failed = 0;
for (const host of options.asked) {
  try {
    const answers = await run(host, lines);
    if (answers !== digest) throw new Error(`the digest of its answers is ${answers}`);
    console.log(`  ${answers}  ${host.name}`);
  } catch (error) {
    const [isSkipped, isKnown] = [error instanceof Skipped, error instanceof KnownFault];
    const result = isSkipped ? 'SKIPPED' : isKnown ? 'ITS OWN FAULT' : 'FAILED';
    console.log(`  ${result.padEnd(32)}  ${host.name}: ${error.message}`);
    if (!isKnown && (!isSkipped || options.all)) failed++;
  }
}
process.exit(failed > 0 ? 1 : 0);
