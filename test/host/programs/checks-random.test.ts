// Numbers and texts of the standard checks against other implementations: BigInt, and JSON.parse. Needs a build.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packInput, readOutcome } from '../../../host/programs/check-job.ts';
import { MAX_FUEL, MAX_OUTPUT_BYTES } from '../../../host/programs/limits.ts';
import { InlineRunner } from '../../../host/programs/runner.ts';
import { utf8 } from '../../../host/wire/bytes.ts';
import { jcs } from '../../../host/wire/json.ts';

const runner = new InlineRunner();
const moduleOf = (name: string) => new Uint8Array(readFileSync(`build/checks/${name}.wasm`));
const [NUMBER, SHAPE, CSV] = ['number', 'json-shape', 'csv'].map(moduleOf) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
function endOf(program: Uint8Array, parameters: object, delivery: string): string {
  const parts = { fields: utf8('{}'), delivery: utf8(delivery), seed: new Uint8Array(0) };
  const input = packInput({ parameters: utf8(jcs(parameters)), ...parts });
  const limits = { fuel: MAX_FUEL, outputBytes: MAX_OUTPUT_BYTES };
  return readOutcome(runner.runNow({ program, input, limits })).end;
}

const PLACES = 63;
const digits = (max: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: max });
/** A number as a text, and what it is times 10^63. */
const decimal = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: fc.oneof(digits(3), digits(12), digits(20)),
    part: fc.option(fc.oneof(digits(2), digits(11), digits(20))),
    exponent: fc.option(fc.integer({ min: -20, max: 20 })),
  })
  .map(({ sign, whole, part, exponent }) => {
    const shift = PLACES - (part?.length ?? 0) + (exponent ?? 0);
    const text = `${sign}${whole}${part === null ? '' : `.${part}`}${exponent === null ? '' : `e${exponent}`}`;
    return { text, value: BigInt(`${whole}${part ?? ''}`) * 10n ** BigInt(shift) * (sign === '' ? 1n : -1n) };
  });
const size = (value: bigint): bigint => (value < 0n ? -value : value);
/** A value times 10^63 as a text. */
function textOf(value: bigint): string {
  const all = size(value)
    .toString()
    .padStart(PLACES + 1, '0');
  return `${value < 0n ? '-' : ''}${all.slice(0, -PLACES)}.${all.slice(-PLACES)}`;
}

test('numbers are compared exactly, near and far', () => {
  fc.assert(
    fc.property(decimal, decimal, fc.constantFrom(-1n, 0n, 1n), (a, b, more) => {
      const apart = size(a.value - b.value) + more;
      if (apart < 0n) return;
      const parameters = { value: b.text, tolerance: textOf(apart) };
      expect(endOf(NUMBER, parameters, a.text)).toBe(more < 0n ? 'fail' : 'pass');
    }),
    { numRuns: 300 },
  );
});

test('sums are exact, whatever the order of their parts', () => {
  fc.assert(
    fc.property(fc.array(decimal, { minLength: 1, maxLength: 6 }), fc.constantFrom(0n, 1n), (parts, more) => {
      const sum = parts.reduce<bigint>((total, { value }) => total + value, more);
      const parameters = {
        columns: [{ name: 'a', type: 'decimal' }],
        column_sums: [{ column: 'a', value: textOf(sum) }],
      };
      const table = ['a', ...parts.map(({ text }) => text)].join('\n');
      expect(endOf(CSV, parameters, table)).toBe(more === 0n ? 'pass' : 'fail');
    }),
    { numRuns: 200 },
  );
});

test('JSON texts are what JSON.parse makes of them', () => {
  const some = fc.string({ unit: fc.constantFrom(...'ab"\\/\n\t\u0001é中😀'), maxLength: 30 });
  fc.assert(
    fc.property(some, some, fc.boolean(), (text, other, isEscaped) => {
      const plain = JSON.stringify(text);
      const json = isEscaped
        ? plain.replace(/[^\\"\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
        : plain;
      expect(JSON.parse(json)).toBe(text);
      expect(endOf(SHAPE, { const: text }, json)).toBe('pass');
      expect(endOf(SHAPE, { const: other }, json)).toBe(text === other ? 'pass' : 'fail');
      const chars = [...text].length;
      expect(endOf(SHAPE, { minLength: chars, maxLength: chars }, json)).toBe('pass');
    }),
    { numRuns: 200 },
  );
});

test('a name that occurs twice is found among few and among many', () => {
  for (const count of [2, 3, 8, 9, 40]) {
    const names = Array.from({ length: count }, (_, i) => `a longer name ${(i * 7) % count}`);
    const members = (list: string[]) => `{${list.map((name) => `${JSON.stringify(name)}:1`).join()}}`;
    expect(endOf(SHAPE, {}, members(names)), `${count}`).toBe('pass');
    for (const at of [0, count >> 1, count - 1])
      expect(endOf(SHAPE, {}, members([...names, names[at]!])), `${count} ${at}`).toBe('fail');
  }
});

test('more values than may be are refused, wherever they are; commas in a text are none', () => {
  const list = (count: number) => `[${Array.from({ length: count - 1 }, () => 1).join()}]`;
  expect(endOf(SHAPE, {}, list(131_072))).toBe('pass');
  expect(endOf(SHAPE, {}, list(131_073))).toBe('fail');
  expect(endOf(SHAPE, {}, JSON.stringify(','.repeat(200_000)))).toBe('pass');
});
