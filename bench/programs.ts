// Suite `programs`: standard checks beside the same judgement in plain JavaScript and in QuickJS in WebAssembly, a metered
// program beside the same module without metering, admission beside the engine's own validation, hostile programs.
// Keeps: both sides judge the same bytes and come to the same result; a program is compiled before it is timed, a new
// instance is part of each run, as in a node.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { useNativeHash } from '../host/crypto/native-hash.ts';
import type { CheckName } from '../host/modules/module-digests.ts';
import { admitProgram } from '../host/programs/admit.ts';
import { type CheckInput, packInput, readOutcome } from '../host/programs/check-job.ts';
import { driveNow } from '../host/programs/check-steps.ts';
import { type Execution, execute } from '../host/programs/execute.ts';
import { MAX_FUEL, MAX_OUTPUT_BYTES } from '../host/programs/limits.ts';
import { InlineRunner } from '../host/programs/runner.ts';
import { vectorSteps } from '../host/programs/vectors.ts';
import { toBase64 } from '../host/wire/base64.ts';
import { builtPath } from '../tools/load/built.ts';
import { hostileRows } from './hostile.ts';
import { compare } from './micro.ts';
import { openQuickJs } from './quickjs.ts';
import { type Row, row, type SuiteRun, sameWork } from './row.ts';

const SUITE = 'programs';
const PLAIN = 'plain JavaScript';
const QUICKJS = 'QuickJS in WebAssembly';
const LIMITS = { fuel: MAX_FUEL, outputBytes: MAX_OUTPUT_BYTES };
/** Deliveries whose SHA-256 takes 1, 10 and 100 million units of fuel; the first is mostly the price of an instance. */
const HASHED_BYTES = [6_900, 69_000, 690_000];

/** Inputs of the row `vectors`. */
const VECTORS = 8;

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
const moduleOf = (name: CheckName): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(builtPath(`checks/${name}.wasm`)));

interface Case {
  check: CheckName;
  parameters: unknown;
  delivery: string;
  /** The same judgement without a program; an arrow function, whose source QuickJS takes. */
  plain: (delivery: string) => boolean;
}

const TEXT = 'Die Lieferung von Zürich nach Genève ist vollständig. '.repeat(20);
const NUMBERS = JSON.stringify({
  lines: Array.from({ length: 20 }, (_, i) => ({ item: `i${i}`, price: i + 0.5 })),
});
const TABLE = `net,tax,gross\n${Array.from({ length: 40 }, (_, i) => `${i}.00,0.50,${i}.50`).join('\n')}\n`;

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 0.005;

const CASES: readonly Case[] = [
  {
    check: 'equals',
    parameters: { hash: sha256(TEXT) },
    delivery: TEXT,
    plain: (text) => sha256(text) === sha256(TEXT),
  },
  {
    check: 'size',
    parameters: { max_chars: 2000 },
    delivery: TEXT,
    plain: (text) => [...text].length <= 2000,
  },
  {
    check: 'contains',
    parameters: { all: ['Zürich', 'vollständig'], none: ['TODO'] },
    delivery: TEXT,
    plain: (text) => text.includes('Zürich') && text.includes('vollständig') && !text.includes('TODO'),
  },
  {
    check: 'number',
    parameters: { path: '/lines/7/price', value: '7.5', tolerance: '0.005' },
    delivery: NUMBERS,
    plain: (text) => isNear(JSON.parse(text).lines[7].price, 7.5),
  },
  {
    check: 'json-shape',
    parameters: {
      properties: { lines: { items: { required: ['item'], properties: { price: { minimum: 0 } } } } },
    },
    delivery: NUMBERS,
    plain: (text) =>
      (JSON.parse(text).lines as { item?: string; price: number }[]).every(
        (l) => l.item !== undefined && l.price >= 0,
      ),
  },
  {
    check: 'regex',
    parameters: { pattern: '(?:[\\w.,üèä]+ )+' },
    delivery: TEXT,
    plain: (text) => /^(?:[\w.,üèä]+ )+$/u.test(text),
  },
  {
    check: 'csv',
    parameters: {
      columns: ['net', 'tax', 'gross'].map((name) => ({ name, type: 'decimal', required: true })),
      row_sums: [{ total: 'gross', of: ['net', 'tax'], tolerance: '0.005' }],
    },
    delivery: TABLE,
    plain: (text) =>
      text
        .trim()
        .split('\n')
        .slice(1)
        .every((line) => {
          const [net, tax, gross] = line.split(',').map(Number);
          return isNear(net! + tax!, gross!);
        }),
  },
];

function inputOf({ parameters, delivery }: Pick<Case, 'parameters' | 'delivery'>): Uint8Array {
  const input: CheckInput = {
    parameters: utf8(JSON.stringify(parameters)),
    fields: utf8('{}'),
    delivery: utf8(delivery),
    seed: new Uint8Array(0),
  };
  return packInput(input);
}

/** The source of a judgement with what it calls. `equals` has none: QuickJS has no SHA-256. */
const sourceOf = ({ plain }: Case): string =>
  `(text) => { const isNear = ${isNear.toString()}; return (${plain.toString()})(text); }`;

async function checks(run: SuiteRun): Promise<Row[]> {
  const rows: Row[] = [];
  const quick = await openQuickJs();
  for (const one of CASES) {
    const [runner, program, input] = [new InlineRunner(), moduleOf(one.check), inputOf(one)];
    const ours = () => readOutcome(runner.runNow({ program, input, limits: LIMITS }));
    const { end, fuel } = ours();
    const source = sourceOf(one);
    const peers: Record<string, () => boolean> = { [PLAIN]: () => one.plain(one.delivery) };
    if (one.check !== 'equals') peers[QUICKJS] = () => quick.judge(source, one.delivery);
    const answers = Object.entries(peers).map(([name, judge]) => [name, `${judge()}`]);
    sameWork(run, one.check, { ours: `${end === 'pass'}`, ...Object.fromEntries(answers) });
    const figures = await compare(one.check, { ours, ...peers }, run.small);
    const params = { bytes: utf8(one.delivery).length, fuel };
    for (const name of Object.keys(peers)) {
      const peer = { name, value: figures[name as 'ours'].perSecond };
      rows.push(row(SUITE, one.check, params, '/s', figures.ours.perSecond, peer));
    }
  }
  return rows;
}

/** The output of a program that does not count. */
function unmetered(module: WebAssembly.Module, input: Uint8Array): Uint8Array {
  const { memory, vws_input, vws_run } = new WebAssembly.Instance(module).exports as unknown as {
    memory: WebAssembly.Memory;
    vws_input(length: number): number;
    vws_run(at: number, length: number): bigint;
  };
  const at = vws_input(input.length);
  new Uint8Array(memory.buffer).set(input, at);
  const range = vws_run(at, input.length);
  const from = Number(range >> 32n);
  return new Uint8Array(memory.buffer).slice(from, from + Number(range & 0xffff_ffffn));
}

/** The kind that the runner does itself: a delivered module, SHA-256 by the check `equals`, on inputs with known outputs. */
async function vectors(run: SuiteRun): Promise<Row[]> {
  const [runner, program] = [new InlineRunner(), moduleOf('equals')];
  const inputs = Array.from({ length: VECTORS }, (_, i) => {
    const delivery = `${TEXT}${i}`;
    return inputOf({ parameters: { hash: sha256(delivery) }, delivery });
  });
  const outputs = (): Uint8Array[] =>
    inputs.map((input) => runner.runNow({ program, input, limits: LIMITS }).output);
  const wanted = outputs();
  const parameters = { vectors: inputs.map((input, i) => ({ input, output: wanted[i]! })) };
  const given = { delivery: utf8(toBase64(program)), seed: new Uint8Array(0) };
  const ours = () => driveNow(vectorSteps(parameters, MAX_FUEL, given, undefined), runner);
  const { end, fuel } = ours();
  if (end !== 'pass') throw new Error(`the check of ${VECTORS} vectors ended as ${end}`);
  const figures = await compare('vectors', { ours, plain: outputs }, run.small);
  const peer = { name: 'the same runs alone', value: figures.plain.perSecond };
  return [row(SUITE, 'vectors', { vectors: VECTORS, fuel }, '/s', figures.ours.perSecond, peer)];
}

async function metering(run: SuiteRun): Promise<Row[]> {
  const bytes = moduleOf('equals');
  const [metered, plain] = [new WebAssembly.Module(admitProgram(bytes)), new WebAssembly.Module(bytes)];
  const rows: Row[] = [];
  for (const size of HASHED_BYTES) {
    const delivery = 'x'.repeat(size);
    const input = inputOf({ parameters: { hash: sha256(delivery) }, delivery });
    const ours = (): Execution => execute(metered, input, LIMITS);
    const { output, fuel } = ours();
    sameWork(run, `${size} bytes`, { metered: sha256(output), plain: sha256(unmetered(plain, input)) });
    const figures = await compare('metering', { ours, plain: () => unmetered(plain, input) }, run.small);
    const peer = { name: 'the same without metering', value: figures.plain.medianMs };
    rows.push(row(SUITE, 'SHA-256', { fuel, bytes: size }, 'ms', figures.ours.medianMs, peer));
  }
  return rows;
}

async function admission(run: SuiteRun): Promise<Row[]> {
  const bytes = moduleOf('csv');
  const figures = await compare(
    'admission',
    { ours: () => admitProgram(bytes), engine: () => WebAssembly.validate(bytes) },
    run.small,
  );
  const peer = { name: 'WebAssembly.validate', value: figures.engine.perSecond };
  return [row(SUITE, 'admit', { bytes: bytes.length }, '/s', figures.ours.perSecond, peer)];
}

export async function run(suite: SuiteRun): Promise<Row[]> {
  useNativeHash();
  return [
    ...(await checks(suite)),
    ...(await vectors(suite)),
    ...(await metering(suite)),
    ...(await admission(suite)),
    ...hostileRows(suite),
  ];
}
