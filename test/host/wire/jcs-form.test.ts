// What is recognised as JCS form has exactly the hash that parsing and writing it anew gives; what the client sends is
// recognised.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8 } from '../../../host/wire/bytes.ts';
import { sha256Hex } from '../../../host/wire/hash.ts';
import { isJcsForm } from '../../../host/wire/jcs-form.ts';
import { jcs, parseBody } from '../../../host/wire/json.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The hash by definition (protocol 5.2): of the JCS form; of the bytes, where JSON or JCS cannot take them. */
function hashByDefinition(raw: Uint8Array): string {
  try {
    return sha256Hex(utf8(jcs(JSON.parse(decoder.decode(raw)))));
  } catch {
    return sha256Hex(raw);
  }
}

const names = fc.string({ unit: fc.constantFrom(...'abAB01_ ~!é\u2028"\\'), maxLength: 4 });
const numbers = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 999999999999999, 1e15),
);
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    numbers,
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.constantFrom(true, false, null, '', '\b\t\n\f\r"\\/\u0000\u001f\u007f\u2028😀', {}, []),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4 }),
  ),
})).value;
const objects = fc.dictionary(names, values, { maxKeys: 5 });

describe('isJcsForm', () => {
  it('recognises what jcs writes, where every name is plain', () => {
    const plain = fc.dictionary(fc.string({ unit: fc.constantFrom(...'abAB01_ ~!'), maxLength: 4 }), numbers);
    fc.assert(
      fc.property(plain, (value) => isJcsForm(utf8(jcs(value)))),
      { numRuns: 2_000 },
    );
    for (const value of [{}, { a: [] }, { a: [{}, [1, { b: 'é"\\\n\u0001' }], null, true, false, -1.5e-9] }])
      expect(isJcsForm(utf8(jcs(value)))).toBe(true);
  });

  it('is never wrong: 20,000 values as JCS, as JSON, and with bytes changed at random', () => {
    const changes = fc.array(
      fc.tuple(fc.nat(), fc.constantFrom(...utf8('"\\,:{}[] 01-+.eEau\u0000é')), fc.nat(2)),
      {
        maxLength: 3,
      },
    );
    fc.assert(
      fc.property(objects, fc.boolean(), changes, (value, isJcs, edits) => {
        let text: string;
        try {
          text = isJcs ? jcs(value) : JSON.stringify(value);
        } catch {
          return;
        }
        let bytes = [...utf8(text)];
        for (const [at, byte, kind] of edits) {
          const i = at % bytes.length;
          bytes = [
            ...bytes.slice(0, i),
            ...(kind === 2 ? [] : [byte]),
            ...bytes.slice(kind === 1 ? i : i + 1),
          ];
        }
        const raw = Uint8Array.from(bytes);
        expect(parseBody(raw).sha256).toBe(hashByDefinition(raw));
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    ['white space', '{"a": 1}'],
    ['white space behind', '{"a":1} '],
    ['a line end before', '\n{}'],
    ['names that descend', '{"b":1,"a":2}'],
    ['a name twice', '{"a":1,"a":1}'],
    ['a name and its beginning', '{"ab":1,"a":2}'],
    ['an escape in a name', '{"\\u0061":1}'],
    ['an escape that JCS does not write', '{"a":"\\/"}'],
    ['an escaped letter', '{"a":"\\u0061"}'],
    ['a control character with a short escape', '{"a":"\\u000a"}'],
    ['capitals in an escape', '{"a":"\\u001F"}'],
    ['an escaped pair', '{"a":"\\ud83d\\ude00"}'],
    ['minus zero', '{"a":-0}'],
    ['a leading zero', '{"a":01}'],
    ['a fraction of zero', '{"a":1.0}'],
    ['an exponent that is not needed', '{"a":1e3}'],
    ['a capital E', '{"a":1E+21}'],
    ['more digits than a double has', '{"a":12345678901234567890}'],
    ['a number that is none', '{"a":-}'],
    ['a comma too many', '{"a":[1,]}'],
    ['no comma', '{"a":[1 2]}'],
    ['brackets that do not match', '{"a":[1}]'],
    ['nothing closed', '{"a":[1'],
    ['two values', '{}{}'],
    ['another value than an object', '[]'],
    ['a word that is none', '{"a":nul}'],
    ['33 levels', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`],
    ['1,001 fractions', `{"a":[${'0.5,'.repeat(1000)}0.5]}`],
  ])('does not take %s, and the hash is right all the same', (_, text) => {
    expect(isJcsForm(utf8(text))).toBe(false);
    expect(parseBody(utf8(text)).sha256).toBe(hashByDefinition(utf8(text)));
  });

  it.each([
    ['bytes that are not UTF-8', [0xff]],
    ['an overlong encoding', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
  ])('%s in a string: the hash is that of the bytes, and there is no value', (_, inside) => {
    const raw = Uint8Array.from([...utf8('{"a":"'), ...inside, ...utf8('"}')]);
    const { sha256, value } = parseBody(raw);
    expect({ sha256, value }).toEqual({ sha256: sha256Hex(raw), value: undefined });
    expect(hashByDefinition(raw)).toBe(sha256Hex(raw));
  });

  it('32 levels and 1,000 fractions are enough', () => {
    expect(isJcsForm(utf8(`${'{"a":'.repeat(32)}1${'}'.repeat(32)}`))).toBe(true);
    expect(isJcsForm(utf8(`{"a":[${'0.5,'.repeat(999)}0.5]}`))).toBe(true);
  });
});

describe('parseBody', () => {
  it('parses a body in JCS form only when its value is asked for, and asks before it writes another one anew', () => {
    const asked: number[] = [];
    const value = { a: 'x'.repeat(10_000), b: [1, 2, 3] };
    const body = parseBody(utf8(jcs(value)), (bytes) => asked.push(bytes));
    expect(asked).toEqual([]);
    expect(body.value).toEqual(value);
    expect(body.value).toBe(body.value);
    parseBody(utf8(JSON.stringify(value, null, 1)), (bytes) => asked.push(bytes));
    expect(asked).toHaveLength(1);
    const refused = (): never => {
      throw new RangeError('too dear');
    };
    expect(() => parseBody(utf8('{ }'), refused)).toThrow(RangeError);
  });
});
