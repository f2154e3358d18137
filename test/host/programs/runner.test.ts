// Checks as bytes, the runner on this thread and the one on worker threads (protocol 14.2). Needs a build.

import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { runCheck } from '../../../host/programs/check.ts';
import { type CheckInput, packInput, readOutcome } from '../../../host/programs/check-job.ts';
import { DEFAULT_FUEL, MAX_INPUT_BYTES, MAX_OUTPUT_BYTES } from '../../../host/programs/limits.ts';
import { Memories } from '../../../host/programs/memories.ts';
import { createProgramPool } from '../../../host/programs/pool.ts';
import { InlineRunner } from '../../../host/programs/runner.ts';
import { utf8 } from '../../../host/wire/bytes.ts';
import { systemWorld } from '../../../host/world/system/world.ts';
import { randomProgram } from '../../../tools/programs/random-program.ts';
import { forever, get, i32, i64, long, module, num, set, times } from '../../../tools/programs/wat.ts';

const limits = { fuel: DEFAULT_FUEL, outputBytes: MAX_OUTPUT_BYTES };
const INPUT: CheckInput = {
  parameters: utf8('{"a":1}'),
  fields: utf8('{}'),
  delivery: utf8('done'),
  seed: new Uint8Array(0),
};
const ECHO = module({ run: [...get(0), 0xad, ...long(32), 0x86, ...get(1), 0xad, 0x84] });
const answered = (...output: number[]) =>
  readOutcome({ end: 'returned', output: Uint8Array.from(output), fuel: 7 });

test('the parts of an input lie where its table says', () => {
  const bytes = packInput(INPUT);
  const view = new DataView(bytes.buffer);
  expect([view.getUint32(0, true), view.getUint32(4, true)]).toEqual([1, 4]);
  const parts = [0, 1, 2, 3].map((i) => {
    const at = view.getUint32(8 + 8 * i, true);
    return new TextDecoder().decode(bytes.subarray(at, at + view.getUint32(12 + 8 * i, true)));
  });
  expect(parts).toEqual(['{"a":1}', '{}', 'done', '']);
  expect(bytes.length).toBe(40 + 7 + 2 + 4);
});

describe('an outcome', () => {
  it('is a verdict, a score and a reason', () => {
    expect(answered(1, 0, 0x10, 0x27, 0x6f, 0x6b)).toEqual({
      end: 'pass',
      scoreBps: 10_000,
      reason: 'ok',
      fuel: 7,
    });
    expect(answered(0, 0, 0, 0)).toEqual({ end: 'fail', scoreBps: 0, reason: '', fuel: 7 });
    expect(answered(2, 0, 0, 0).end).toBe('bad_parameters');
    expect(answered(0, 0, 0, 0, ...utf8('中'.repeat(66))).reason).toBe('中'.repeat(66));
  });

  it.each([
    ['nothing', []],
    ['three bytes', [1, 0, 0]],
    ['another verdict', [3, 0, 0, 0]],
    ['a byte that is not zero', [1, 1, 0, 0]],
    ['a score above 10,000', [1, 0, 0x11, 0x27]],
    ['201 bytes of reason', [1, 0, 0, 0, ...new Uint8Array(201).fill(97)]],
    ['half a character', [1, 0, 0, 0, 0xe4, 0xb8]],
    ['a surrogate', [1, 0, 0, 0, 0xed, 0xa0, 0x80]],
    ['a line break', [1, 0, 0, 0, 10]],
    ['a delete', [1, 0, 0, 0, 0x7f]],
    ['a C1 control', [1, 0, 0, 0, 0xc2, 0x9b]],
    ['text turned around', [1, 0, 0, 0, ...utf8('\u202e')]],
  ])('of %s is bad output', (_, output) => {
    expect(answered(...output)).toEqual({ end: 'bad_output', scoreBps: 0, reason: '', fuel: 7 });
  });
});

describe('the runner on this thread', () => {
  it('keeps what it compiled, within bounds, and answers the same again', async () => {
    const runner = new InlineRunner();
    // 2 MB of data each, so that only a few fit.
    const large = Array.from({ length: 40 }, (_, i) =>
      module({
        run: [...num(i), 0x1a, ...long(0)],
        before: {},
        functions: Array.from({ length: 20 }, () => ({
          type: 2,
          body: Array.from({ length: 6000 }, () => 1),
        })),
      }),
    );
    const job = (program: Uint8Array) => ({ program, input: packInput(INPUT), limits });
    for (const program of large) expect((await runner.run(job(program))).end).toBe('returned');
    expect(runner.count).toBeGreaterThan(20);
    expect(runner.count).toBeLessThan(40);
    expect((await runner.run(job(large[0]!))).end).toBe('returned');
    const kept = runner.count;
    await runner.run(job(large[0]!));
    expect(runner.count).toBe(kept);
    await runner.close();
    expect(runner.count).toBe(0);
  });

  it('refuses what is no program, and too large an input', async () => {
    const runner = new InlineRunner();
    await expect(runner.run({ program: utf8('no'), input: new Uint8Array(0), limits })).rejects.toThrow(
      'no WebAssembly',
    );
    const input = new Uint8Array(MAX_INPUT_BYTES + 1);
    await expect(runner.run({ program: ECHO, input, limits })).rejects.toThrow('2097152');
  });

  it('lets no run see what another left', async () => {
    const count = module({
      run: [...num(64), ...num(64), 0x28, 2, 0, ...num(1), 0x6a, 0x36, 2, 0, ...num(64), 0x29, 3, 0],
    });
    const runner = new InlineRunner();
    for (let i = 0; i < 3; i++)
      expect((await runner.run({ program: count, input: new Uint8Array(0), limits })).output.length).toBe(1);
  });

  it.each([
    ['returned', []],
    ['trapped', [...num(1), ...num(0), 0x6d, 0x1a]],
    ['out_of_fuel', forever()],
  ])('hands on no byte of a run that %s to another program', async (end, last) => {
    const [pages, input, runner] = [2, new Uint8Array(0), new InlineRunner()];
    const bytes = pages * 65_536;
    const soil = module({
      pages: [pages],
      run: [...num(0), ...num(255), ...num(bytes), 0xfc, 11, 0, ...last, ...long(0)],
    });
    // Is 1 if no word of the memory has a bit.
    const look = module({
      pages: [pages],
      runLocals: [
        [1, i32],
        [1, i64],
      ],
      run: [
        ...times(
          2,
          bytes / 8,
          ...[...get(3), ...get(2), ...num(3), 0x74, ...num(8), 0x6b, 0x29, 3, 0, 0x84, ...set(3)],
        ),
        ...[...get(3), 0x50, 0xad],
      ],
    });
    for (let i = 0; i < 3; i++) {
      expect((await runner.run({ program: soil, input, limits })).end).toBe(end);
      expect((await runner.run({ program: look, input, limits })).output.length).toBe(1);
    }
  });
});

test('memories are kept within a bound, and one is in one hand only', () => {
  const memories = new Memories();
  const [one, two] = [memories.take(128), memories.take(128)];
  expect(one).not.toBe(two);
  for (const memory of [one, two]) memories.give(memory);
  expect([memories.take(128), memories.take(128)].sort()).toEqual([two, one].sort());
  expect(memories.take(128)).not.toBe(one);
  // A third of that size pushes out the first.
  const three = memories.take(128);
  for (const memory of [one, two, three]) memories.give(memory);
  expect([memories.take(128), memories.take(128)]).not.toContain(one);
  expect(memories.take(1).buffer.byteLength).toBe(65_536);
});

test('one check of one delivery, with the fuel that is stated', async () => {
  const runner = new InlineRunner();
  const program = new Uint8Array(readFileSync('build/checks/contains.wasm'));
  const input = { ...INPUT, parameters: utf8('{"all":["done"]}') };
  expect(await runCheck(runner, { program }, input)).toMatchObject({ end: 'pass', scoreBps: 10_000 });
  expect(await runCheck(runner, { program }, { ...input, delivery: utf8('') })).toMatchObject({
    end: 'fail',
  });
  expect(await runCheck(runner, { program, fuel: 100 }, input)).toMatchObject({
    end: 'out_of_fuel',
    fuel: 100,
  });
  const empty = { ...input, parameters: utf8('{"all":[]}'), delivery: utf8('') };
  expect(await runCheck(runner, { program }, empty)).toMatchObject({ end: 'bad_parameters' });
  expect(await runCheck(runner, { program: ECHO }, input)).toMatchObject({ end: 'bad_output', scoreBps: 0 });
});

describe('the runner on a worker thread', () => {
  const open = (maxWaiting: number) =>
    createProgramPool({
      name: 'programs',
      maxWaiting,
      workerFile: systemWorld.program.path('host/programs/worker.js'),
      world: systemWorld,
    });

  it('answers what the runner on this thread answers', async () => {
    const [pool, inline] = [open(100), new InlineRunner()];
    const jobs = Array.from({ length: 60 }, (_, seed) => ({
      program: randomProgram(seed),
      input: packInput(INPUT),
      limits: { ...limits, fuel: 50_000 },
    }));
    const answers = await Promise.all(jobs.map((job) => pool.run(job)));
    expect(answers).toEqual(jobs.map((job) => inline.runNow(job)));
    await expect(pool.run({ program: utf8('no'), input: new Uint8Array(0), limits })).rejects.toMatchObject({
      name: 'ProgramFault',
    });
    await pool.close();
  });

  it('refuses when too many wait', async () => {
    const pool = open(1);
    const endless = module({ run: [...forever(), ...long(0)] });
    const first = pool.run({ program: endless, input: packInput(INPUT), limits });
    await expect(pool.run({ program: ECHO, input: packInput(INPUT), limits })).rejects.toMatchObject({
      code: 'overloaded',
    });
    expect((await first).end).toBe('out_of_fuel');
    expect((await pool.run({ program: ECHO, input: packInput(INPUT), limits })).output).toEqual(
      packInput(INPUT),
    );
    await pool.close();
  });
});
