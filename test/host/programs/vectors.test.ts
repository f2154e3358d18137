// The check `vectors`: a delivered function, run on listed and on drawn inputs (protocol 14.11).

import { describe, expect, it } from 'vitest';
import { driveNow } from '../../../host/programs/check-steps.ts';
import { InlineRunner } from '../../../host/programs/runner.ts';
import { drawnInput, readVectors, vectorSteps } from '../../../host/programs/vectors.ts';
import { toBase64 } from '../../../host/wire/base64.ts';
import { toHex, utf8 } from '../../../host/wire/bytes.ts';
import { forever, get, long, module } from '../../../tools/programs/wat.ts';

/** Answers what it is given. */
const ECHO = module({ run: [...get(0), 0xad, ...long(32), 0x86, ...get(1), 0xad, 0x84] });
const SILENT = module();
const ENDLESS = module({ run: [...forever(), ...long(0)] });
const SEED = new Uint8Array(32).fill(7);
const FUEL = 200_000;
const REFERENCE = 'ab'.repeat(32);

const check = (
  delivered: Uint8Array | string,
  parameters: Record<string, unknown>,
  reference?: Uint8Array,
) => {
  const delivery = utf8(typeof delivered === 'string' ? delivered : toBase64(delivered));
  const steps = vectorSteps(readVectors(parameters)!, FUEL, { delivery, seed: SEED }, reference);
  return driveNow(steps, new InlineRunner());
};
const SAME = { vectors: ['', '00ff', '616263'].map((hex) => ({ input: hex, output: hex })) };
const DRAWN = { reference: REFERENCE, draws: 3, bytes: 40 };

it('passes a function that gives every output', () => {
  expect(check(ECHO, SAME)).toMatchObject({ end: 'pass', scoreBps: 10_000, reason: '' });
});

it('names the first input with another output', () => {
  expect(check(SILENT, SAME)).toMatchObject({ end: 'fail', scoreBps: 0, reason: 'vector 1: another output' });
});

it('compares with a reference program on drawn inputs', () => {
  expect(check(ECHO, DRAWN, ECHO).end).toBe('pass');
  expect(check(SILENT, DRAWN, ECHO)).toMatchObject({ end: 'fail', reason: 'vector 0: another output' });
  expect(check(ECHO, DRAWN, SILENT).end).toBe('fail');
});

it('draws inputs by the seed, each another one', () => {
  const drawn = [0, 1].map((i) => toHex(drawnInput(SEED, i, 40)));
  expect(new Set([...drawn, toHex(drawnInput(new Uint8Array(32), 0, 40))]).size).toBe(3);
  expect(drawn.map((hex) => hex.length)).toEqual([80, 80]);
});

it('has one fuel for all runs', () => {
  expect(check(ENDLESS, SAME)).toMatchObject({ end: 'out_of_fuel', fuel: FUEL });
  expect(check(ECHO, DRAWN, ENDLESS)).toMatchObject({ end: 'fail', fuel: FUEL });
});

it('counts the fuel of a module with a large memory once for each 8 pages', () => {
  const large = module({ pages: [128], run: [...forever(), ...long(0)] });
  const runs: number[] = [];
  const steps = vectorSteps(
    readVectors(SAME)!,
    200_000,
    { delivery: utf8(toBase64(large)), seed: SEED },
    undefined,
  );
  const runner = new InlineRunner();
  let step = steps.next();
  while (!step.done) {
    const ended = runner.runNow(step.value);
    runs.push(ended.fuel);
    step = steps.next(ended);
  }
  expect(runs).toEqual([12_500]);
  expect(step.value).toMatchObject({ end: 'out_of_fuel', fuel: 200_000 });
});

describe('a run takes fuel for what no instruction counts', () => {
  const used = (pages: number, vectors: object[]): number => {
    const steps = vectorSteps(
      readVectors({ vectors })!,
      1_000_000,
      { delivery: utf8(toBase64(module({ pages: [pages] }))), seed: SEED },
      undefined,
    );
    const { end, fuel } = driveNow(steps, new InlineRunner());
    expect(end).toBe('pass');
    return fuel;
  };
  const vector = (bytes: number): object => ({ input: '00'.repeat(bytes), output: '' });

  it('its instance, its memory and its input', () => {
    const one = used(1, [vector(0)]);
    // Its few instructions besides.
    expect(one - 20_000 - module({ pages: [1] }).length - 1_024).toBeLessThan(10);
    expect(used(1, [vector(0), vector(0)])).toBe(2 * one);
    expect(used(5, [vector(0)])).toBe(one + 4 * 1_024);
    expect(used(1, [vector(10)])).toBe(one + 10 * 16);
  });

  it('its output', () => {
    const steps = vectorSteps(
      readVectors({ vectors: [{ input: '00'.repeat(9), output: '00'.repeat(9) }] })!,
      FUEL,
      { delivery: utf8(toBase64(ECHO)), seed: SEED },
      undefined,
    );
    const silent = used(1, [vector(9)]);
    const longer = ECHO.length - module({ pages: [1] }).length;
    // ECHO has six instructions more than an empty answer.
    expect(driveNow(steps, new InlineRunner()).fuel - silent - longer).toBe(1 + 6);
  });

  // 64 vectors over 8 MiB took more than half a second for a thousand units of fuel.
  it('so that many runs of a large memory do not fit a little fuel', () => {
    const large = module({ pages: [128] });
    const vectors = Array.from({ length: 64 }, () => ({ input: '', output: '' }));
    expect(check(large, { vectors })).toMatchObject({ end: 'out_of_fuel', reason: 'vector 1', fuel: FUEL });
  });
});

it.each([
  ['plain text', 'not base64!'],
  ['nothing', ''],
  ['no program', toBase64(Uint8Array.of(1, 2, 3))],
])('fails %s', (_, delivered) => {
  expect(check(delivered, SAME).end).toBe('fail');
});

it.each([
  ['no vector', { vectors: [] }],
  ['half a byte', { vectors: [{ input: '0', output: '' }] }],
  ['another member', { vectors: SAME.vectors, draws: 1 }],
  ['too many draws', { ...DRAWN, draws: 65 }],
  ['no hash', { ...DRAWN, reference: 'echo' }],
])('does not take parameters with %s', (_, parameters) => {
  expect(readVectors(parameters)).toBeUndefined();
});
