// What is a program and what is not (protocol 14.3, 14.4), and that the metered module is valid and always the same.

import { describe, expect, it, test } from 'vitest';
import { admitProgram } from '../../../host/programs/admit.ts';
import { ByteWriter } from '../../../host/programs/byte-writer.ts';
import * as limits from '../../../host/programs/limits.ts';
import { sha256Hex } from '../../../host/wire/hash.ts';
import { randomProgram } from '../../../tools/programs/random-program.ts';
import { call, EXPORTS, get, i32, i64, long, module, num, type Parts } from '../../../tools/programs/wat.ts';

const FLOAT = 0x7d;
const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
const leb = (value: number): number[] => [(value & 127) | 128, ((value >> 7) & 127) | 128, value >> 14];
/** A section of so many element segments, each as long. */
function elementSections(count: number, length: number): number[] {
  const out = new ByteWriter();
  const segment = [0, ...num(0), 0x0b, ...leb(length), ...many(length, 0)];
  return [...out.section(9, many(count, segment), (bytes) => out.bytes(bytes)).finish()];
}

const REFUSED: Record<string, [Parts, RegExp]> = {
  'a float constant': [{ run: [0x43, 0, 0, 0, 0, 0x1a, ...long(0)] }, /0x43 is not allowed/],
  'a float load': [{ run: [...num(0), 0x2a, 0, 0, 0x1a, ...long(0)] }, /0x2a is not allowed/],
  'a conversion of floats': [{ run: [...num(0), 0xb2, 0x1a, ...long(0)] }, /0xb2 is not allowed/],
  'a saturating conversion': [{ run: [0xfc, 0, ...long(0)] }, /0xfc 0 is not allowed/],
  'a float local': [{ runLocals: [[1, FLOAT]] }, /value type 0x7d/],
  'a float parameter': [{ types: [{ params: [FLOAT], results: [] }] }, /value type 0x7d/],
  'a vector': [{ run: [0xfd, 12, ...many(16, 0), 0x1a, ...long(0)] }, /0xfd 12 is not allowed/],
  'an atomic instruction': [{ run: [0xfe, 3, 0, ...long(0)] }, /0xfe is not allowed/],
  'a tail call': [{ run: [0x12, 1] }, /0x12 is not allowed/],
  'a reference': [{ run: [0xd2, 0, 0x1a, ...long(0)] }, /0xd2 is not allowed/],
  'a table instruction': [{ run: [0xfc, 12, 0, 0, ...long(0)] }, /not allowed/],
  'memory.init': [
    { run: [...num(0), ...num(0), ...num(0), 0xfc, 8, 0, 0, ...long(0)] },
    /0xfc 8 is not allowed/,
  ],
  'a typed select': [{ run: [...long(0), ...long(0), ...num(0), 0x1c, 1, i64] }, /0x1c is not allowed/],
  'two results': [{ types: [{ params: [], results: [i32, i32] }] }, /results of a function/],
  'a block of a type': [{ run: [0x02, 2, 0x0b, ...long(0)] }, /parameters or results/],
  'an import': [{ before: { 3: [2, 7, 1, 1, 97, 1, 98, 0, 2] } }, /imports/],
  'a section of tags': [{ before: { 7: [13, 1, 0] } }, /section 13/],
  'no memory': [{ pages: [], exports: EXPORTS.slice(1) }, /memory/],
  'two memories': [{ pages: [1, 1] }, /memories/],
  'too much memory': [{ pages: [limits.MAX_MEMORY_PAGES + 1] }, /size of the memory/],
  'a huge table': [{ table: limits.MAX_TABLE + 1 }, /size of the table/],
  'elements outside of the table': [{ table: 1, elements: [0, 0] }, /outside of the table/],
  'an element that does not exist': [{ elements: [9] }, /does not exist/],
  // An engine fills the table with each instance: 250,000 elements took 10 ms of it.
  'more elements than a table has, in several segments': [
    {
      table: limits.MAX_TABLE,
      before: { 10: elementSections(2, limits.MAX_TABLE / 2 + 1) },
    },
    /elements/,
  ],
  'no vws_run': [{ exports: EXPORTS.slice(0, 2) }, /vws_run/],
  'vws_run of another type': [{ exports: [...EXPORTS.slice(0, 2), ['vws_run', 0, 0]] }, /another type/],
  'an export twice': [{ exports: [...EXPORTS, ['memory', 2, 0]] }, /twice/],
  'too many types': [{ types: many(limits.MAX_TYPES, { params: [], results: [] }) }, /types/],
  'too many parameters': [
    { types: [{ params: many(limits.MAX_PARAMS + 1, i32), results: [] }] },
    /parameters/,
  ],
  'too many functions': [{ functions: many(limits.MAX_FUNCTIONS, { type: 2, body: [] }) }, /functions/],
  'many locals': [{ runLocals: [[limits.MAX_LOCALS, i32]] }, /locals/],
  'locals beyond 2^32': [
    {
      runLocals: [
        [0xffff_ffff, i32],
        [0xffff_ffff, i32],
      ],
    },
    /locals/,
  ],
  'deep nesting': [
    {
      run: [...many(limits.MAX_NESTING, [0x02, 0x40]).flat(), ...many(limits.MAX_NESTING, 0x0b), ...long(0)],
    },
    /blocks inside/,
  ],
  'a huge br_table': [
    { run: [...num(0), 0x0e, ...leb(limits.MAX_LABELS + 1), ...many(limits.MAX_LABELS + 2, 0)] },
    /br_table|labels/,
  ],
  'many operands': [
    {
      run: [
        ...many(limits.MAX_OPERANDS + 1, num(0)).flat(),
        ...many(limits.MAX_OPERANDS + 1, 0x1a),
        ...long(0),
      ],
    },
    /operands/,
  ],
  'a huge function': [{ run: [...many(limits.MAX_FUNCTION_BYTES, 0x01), ...long(0)] }, /bytes in a function/],
  'too much code': [{ functions: many(3, { type: 2, body: many(50_000, 0x01) }) }, /bytes of code/],
  // 700 locals and 12,000 places where control flow parts: quadratic work for a compiler that keeps a state for each.
  'many branches over many locals': [
    { runLocals: [[700, i32]], run: [...many(12_000, [...num(0), 0x04, 0x40, 0x0b]).flat(), ...long(0)] },
    /compiled/,
  ],
  'a call of nothing': [{ run: [...call(7), ...long(0)] }, /does not exist/],
  'an operand too few': [{ run: [0x6a, ...long(0)] }, /operand is missing/],
  'an operand of another type': [{ run: [...num(0)] }, /another type/],
  'an operand too many': [{ run: [...num(0), ...long(0)] }, /leaves operands/],
  'a local that does not exist': [{ run: [...get(2), 0x1a, ...long(0)] }, /local does not exist/],
  'an alignment above the natural one': [{ run: [...num(0), 0x28, 3, 0, 0x1a, ...long(0)] }, /alignment/],
  'a second memory': [{ run: [0x3f, 1, 0x1a, ...long(0)] }, /memory does not exist/],
  'instructions after the end': [{ run: [...long(0), 0x0b, 0x01] }, /after its end/],
};

describe('a module is refused for', () => {
  it.each(Object.entries(REFUSED))('%s', (_, [parts, reason]) => {
    expect(() => admitProgram(module(parts))).toThrow(reason);
  });

  it('a module without its end, at every length', () => {
    const whole = module({ functions: [{ type: 2, body: [...num(300), 0x1a] }], elements: [2] });
    expect(admitProgram(whole).length).toBeGreaterThan(whole.length);
    for (let length = 0; length < whole.length; length++) {
      expect(() => admitProgram(whole.subarray(0, length)), `${length}`).toThrow();
    }
  });

  it('more than 256 KiB', () => {
    const custom = [0, ...leb(limits.MAX_MODULE_BYTES & 0x1fffff)];
    const bytes = [...module(), ...custom, ...new Uint8Array(limits.MAX_MODULE_BYTES)];
    expect(() => admitProgram(Uint8Array.from(bytes))).toThrow(/262144 bytes/);
  });
});

test('a validated module with any byte changed is refused, or valid for the engine too', () => {
  let admitted = 0;
  for (let seed = 0; seed < 6; seed++) {
    const bytes = randomProgram(seed);
    for (let at = 0; at < bytes.length; at += 1 + (seed % 3)) {
      const changed = bytes.slice();
      changed[at]! ^= 1 << ((at + seed) % 8);
      let metered: Uint8Array<ArrayBuffer>;
      try {
        metered = admitProgram(changed);
      } catch (error) {
        expect((error as Error).name, `${seed} ${at}`).toBe('ProgramFault');
        continue;
      }
      admitted++;
      expect(WebAssembly.validate(changed), `${seed} ${at}`).toBe(true);
      expect(WebAssembly.validate(metered), `${seed} ${at}`).toBe(true);
    }
  }
  expect(admitted).toBeGreaterThan(100);
});

test('metering is the same bytes for the same program', () => {
  const hashes = Array.from({ length: 20 }, (_, seed) => sha256Hex(admitProgram(randomProgram(seed))));
  expect(hashes).toEqual(
    Array.from({ length: 20 }, (_, seed) => sha256Hex(admitProgram(randomProgram(seed)))),
  );
  // A change of metering is a change of the protocol: all nodes must have it at once.
  expect(sha256Hex(hashes.join())).toMatchInlineSnapshot(
    `"602db4f2aef044a8be2a6fa67630c73705e521d49159155b54f7ec6c16f5b14c"`,
  );
});
