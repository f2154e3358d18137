// vws check: a new check compiles and judges its examples; what is wrong with a check or a command line is said. Needs a build.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { COMPILER_VERSION } from '../../../../host/cli/check/compile.ts';
import { CHECK_DIGESTS } from '../../../../host/modules/module-digests.ts';
import { sha256Hex } from '../../../../host/wire/hash.ts';
import { scratch, vws } from '../harness.ts';

/** A check as `vws check new` makes it. */
async function made(): Promise<string> {
  const folder = join(scratch(), 'invoices');
  const { code, out } = await vws(['check', 'new', folder]);
  expect([code, out]).toEqual([0, expect.stringContaining('vws check test')]);
  return folder;
}

/** A project of that kind without a source, so that nothing is compiled. */
async function standard(settings: object): Promise<string> {
  const folder = await made();
  writeFileSync(join(folder, 'check.json'), JSON.stringify({ program: 'json-shape', ...settings }));
  return folder;
}
const SHAPE = { parameters: { properties: { total: { minimum: 0 } }, required: ['total'] } };

describe('a new check', () => {
  it('passes its own test, and compiles to the same program in any folder', async () => {
    const [one, two] = [await made(), await made()];
    const tested = await vws(['check', 'test', one]);
    expect(tested.err).toBe('');
    expect(tested.code).toBe(0);
    expect(tested.out).toMatch(/^good\/tenths\.json +pass +pass +10000 +\d+/m);
    expect(tested.out).toMatch(/^bad\/wrong-sum\.json +fail +fail +0 +\d+ +the amounts do not add up/m);
    expect(tested.out).toMatch(/^7 of 7 as they must be; most fuel \d+ of 1000000$/m);

    const [first, second] = [
      await vws(['check', 'build', one]),
      await vws(['check', 'build', two, '--json']),
    ];
    const program = new Uint8Array(readFileSync(join(one, 'build/check.wasm')));
    const facts = JSON.parse(second.out);
    expect(first.out).toContain(`Program: ${sha256Hex(program)}`);
    expect(facts).toMatchObject({
      program: sha256Hex(program),
      bytes: program.length,
      memory_pages: 8,
      fuel_weight: 1,
    });
    expect(facts.code_bytes).toBeLessThan(program.length);
    expect(facts.compile_work).toBeLessThan(98_304);
    // The compiler of the standard checks, which is the one that is named where there is none.
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(facts.compiler).toBe(`assemblyscript ${devDependencies.assemblyscript}`);
    expect(COMPILER_VERSION).toBe(devDependencies.assemblyscript);
  });

  it('says how often a contract counts its fuel where it asks for more memory', async () => {
    const folder = await made();
    const config = join(folder, 'asconfig.json');
    writeFileSync(config, readFileSync(config, 'utf8').replaceAll(': 8,', ': 64,'));
    expect((await vws(['check', 'build', folder])).out).toContain('Fuel weight: 8');
    const tested = await vws(['check', 'test', folder]);
    expect(tested.out).toMatch(/of 1000000, which a contract counts 8 times, for 64 pages of memory$/m);
    // What the standard checks do with their memory is known.
    const known = await vws(['check', 'test', await standard(SHAPE), '--json']);
    expect(JSON.parse(known.out).fuel_weight).toBe(1);
  });

  it('is not written over what is there', async () => {
    const { code, err } = await vws(['check', 'new', await made()]);
    expect([code, err]).toEqual([2, expect.stringContaining('exists')]);
  });

  it('shows what the compiler says', async () => {
    const folder = await made();
    writeFileSync(join(folder, 'check.ts'), 'export function vws_run(): u64 { return nothing; }');
    const { code, err } = await vws(['check', 'build', folder]);
    expect([code, err]).toEqual([2, expect.stringContaining("Cannot find name 'nothing'")]);
  });

  it('is refused by its limits before it is written', async () => {
    const folder = await made();
    const config = join(folder, 'asconfig.json');
    writeFileSync(config, readFileSync(config, 'utf8').replaceAll(': 8,', ': 129,'));
    const { code, err } = await vws(['check', 'build', folder]);
    expect([code, err]).toEqual([1, expect.stringContaining('size of the memory')]);
  });
});

describe('a test', () => {
  it('fails if a good example fails, a bad one passes, or ends for another reason', async () => {
    const folder = await standard({ ...SHAPE, reasons: { 'bad/no-total.json': 'because of the moon' } });
    const { code, out } = await vws(['check', 'test', folder, '--json']);
    const { examples, is_right } = JSON.parse(out);
    const faults = Object.fromEntries(
      examples.map((one: { example: string; fault: string }) => [one.example, one.fault]),
    );
    expect([code, is_right]).toEqual([1, false]);
    expect(faults).toEqual({
      'good/nothing-bought.json': '',
      'good/tenths.json': '',
      'good/two-lines.json': '',
      'bad/another-currency.json': 'must fail',
      'bad/no-total.json': 'the reason lacks "because of the moon"',
      'bad/nothing': '',
      'bad/wrong-sum.json': 'must fail',
    });
  });

  it('fails if a bad example only runs out of fuel, or finds the parameters wrong', async () => {
    for (const settings of [{ ...SHAPE, fuel: 100 }, { parameters: { nothing: 1 } }]) {
      const { code, out } = await vws(['check', 'test', await standard(settings)]);
      expect(code).toBe(1);
      expect(out).toMatch(/^bad\/nothing .*<- must fail$/m);
      expect(out).toMatch(/^0 of 7 as they must be/m);
    }
  });

  it.each(['good', 'bad'])('needs %s examples', async (kind) => {
    const folder = await standard(SHAPE);
    rmSync(join(folder, 'examples', kind), { recursive: true });
    const { code, err } = await vws(['check', 'test', folder]);
    expect([code, err]).toEqual([2, expect.stringContaining('holds no example')]);
  });

  it.each([
    ['an unknown member', { fule: 1 }, 'unknown member "fule"'],
    ['a source besides a program', { source: 'check.ts' }, 'either source or program'],
    ['too much fuel', { fuel: 200_000_001 }, 'fuel is not an integer'],
    ['half a seed', { seed: '00' }, 'seed is not 64 hex digits'],
    ['a reason for nothing', { reasons: { 'bad/none': 'x' } }, 'no example "bad/none"'],
    ['a program that is not there', { program: 'regexp' }, 'neither a file nor a standard check'],
  ])('says that check.json has %s', async (_, settings, text) => {
    const { code, err } = await vws(['check', 'test', await standard(settings)]);
    expect([code, err]).toEqual([2, expect.stringContaining(text)]);
  });

  it('asks for a check', async () => {
    const { code, err } = await vws(['check', 'test', scratch()]);
    expect([code, err]).toEqual([2, expect.stringContaining('check.json is missing')]);
  });
});

describe('a run', () => {
  const delivered = (text: string): string => {
    const file = join(scratch(), 'delivery');
    writeFileSync(file, text);
    return file;
  };
  const run = (delivery: string, ...more: string[]) =>
    vws(['check', 'run', '--delivery', delivered(delivery), ...more]);
  const regex = ['--program', 'regex', '--parameters', '{"pattern":"[A-Z]+"}'];

  it('exits by what comes of it, and shows fuel and reason', async () => {
    const good = await run('ABC', ...regex, '--json');
    expect(good.code).toBe(0);
    expect(JSON.parse(good.out)).toEqual({
      program: CHECK_DIGESTS.regex,
      end: 'pass',
      score_bp: 10_000,
      reason: '',
      fuel: expect.any(Number),
      fuel_limit: 10_000_000,
    });
    const bad = await run('abc', ...regex);
    expect([bad.code, bad.out]).toEqual([1, expect.stringContaining('Reason: the delivery does not match')]);
    const short = await run('ABC', ...regex, '--fuel', '50');
    expect([short.code, short.out]).toEqual([1, expect.stringMatching(/End: out_of_fuel[\s\S]*Fuel: 50\n/)]);
  });

  it('takes a program by hash and by file, parameters from a file', async () => {
    const parameters = delivered('{"pattern":"[A-Z]+"}');
    for (const program of [CHECK_DIGESTS.regex, 'build/checks/regex.wasm']) {
      const { code } = await run('ABC', '--program', program, '--parameters', parameters);
      expect(code, program).toBe(0);
    }
  });

  it.each([
    [['--program', 'a'.repeat(64)], 'no standard check has the hash'],
    [['--program', 'package.json'], 'no WebAssembly'],
    [['--program', 'size', '--parameters', '[1]'], '--parameters: '],
    [['--program', 'size', '--parameters', '{"'], '--parameters: '],
    [['--program', 'size', '--seed', 'ab'], '--seed'],
    [['--program', 'size', '--fuel', '0'], '--fuel'],
    [[], 'needs --program'],
  ])('says what is wrong with %j', async (words, text) => {
    const { code, err } = await run('x', ...words);
    expect(code).not.toBe(0);
    expect(err).toContain(text);
  });
});

test('a third word is refused', async () => {
  const { code, err } = await vws(['check', 'test', 'a', 'b']);
  expect([code, err]).toEqual([2, expect.stringContaining('unexpected word "b"')]);
});
