import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../host/errors.ts';
import { utf8 } from '../../../host/wire/bytes.ts';
import {
  checkJson,
  EMPTY_SHA256,
  hasFewParts,
  hasValue,
  jcs,
  MAX_JSON_PARTS,
  parseBody,
  parsedElsewhere,
} from '../../../host/wire/json.ts';
import { BODY_SHA256, JCS_BODY, RAW_BODY } from './vectors.ts';

const sha = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');
const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

/** A second implementation, for well-formed values only. */
function naiveJcs(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(naiveJcs).join(',')}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((n) => `${JSON.stringify(n)}:${naiveJcs((value as Record<string, unknown>)[n])}`).join(',')}}`;
}

describe('jcs', () => {
  test('the sample of RFC 8785 3.2.2 to 3.2.3', () => {
    const source =
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}';
    expect(jcs(JSON.parse(source))).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test('member order of RFC 8785 3.2.3 is by UTF-16 code units', () => {
    const source =
      '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}';
    expect(Object.values(JSON.parse(jcs(JSON.parse(source)))).length).toBe(7);
    const texts = [...jcs(JSON.parse(source)).matchAll(/:"([^"]+)"/g)].map((m) => m[1]!.split(' ')[0]);
    expect(texts).toEqual(['Carriage', 'One', 'Control', 'Latin', 'Euro', 'Emoji:', 'Hebrew']);
  });

  test.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('number sample of RFC 8785 appendix B: %s', (bits, text) => {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt(`0x${bits}`));
    expect(jcs(view.getFloat64(0))).toBe(text);
  });

  test('agrees with a second implementation on 10,000 values', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        expect(jcs(value)).toBe(naiveJcs(value));
      }),
      { numRuns: 10_000 },
    );
  });

  test('a value too deep for recursion has the same form as a shallow one', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const deep = { a: nested(40), b: value };
        expect(jcs(deep)).toBe(`{"a":${'['.repeat(40)}${']'.repeat(40)},"b":${naiveJcs(value)}}`);
      }),
    );
    const text = '{"k":['.repeat(200_000) + ']}'.repeat(200_000);
    expect(jcs(JSON.parse(text)) === text).toBe(true);
  });

  test.each([
    ['an unpaired high surrogate', '"\\ud800"'],
    ['an unpaired low surrogate', '"a\\udc00b"'],
    ['surrogates in the wrong order', '"\\udc00\\ud800"'],
    ['a surrogate behind a backslash', '"\\\\\\ud800"'],
    ['a surrogate in a member name', '{"\\udfff":1}'],
    ['a surrogate deep down', `${'['.repeat(50)}"\\ud900"${']'.repeat(50)}`],
    ['a number beyond the double range', '[1e400]'],
    ['a deep number beyond the double range', `${'['.repeat(50)}-1e999${']'.repeat(50)}`],
  ])('refuses %s', (_, source) => {
    expect(() => jcs(JSON.parse(source))).toThrow(TypeError);
  });

  test('text that merely resembles an escaped surrogate passes', () => {
    expect(jcs('\\ud800')).toBe('"\\\\ud800"');
    expect(jcs('\\\\ud800')).toBe('"\\\\\\\\ud800"');
    expect(jcs('😀')).toBe('"😀"');
  });

  test('refuses what is not JSON', () => {
    for (const value of [undefined, Number.NaN, Number.POSITIVE_INFINITY, 5n, () => 1]) {
      expect(() => jcs(value)).toThrow(TypeError);
    }
  });
});

describe('parseBody', () => {
  test('the worked example of protocol 5.2', () => {
    expect(parseBody(utf8(RAW_BODY))).toMatchObject({ sha256: BODY_SHA256, value: JSON.parse(RAW_BODY) });
    expect(jcs(JSON.parse(RAW_BODY))).toBe(JCS_BODY);
  });

  test('an empty body hashes nothing and is {}', () => {
    expect(parseBody(new Uint8Array(0))).toEqual({ sha256: sha(''), value: {}, isPadded: false });
    expect(EMPTY_SHA256).toBe(sha(''));
  });

  test('of duplicate member names the last counts, hashed and read', () => {
    expect(parseBody(utf8('{"amount":5,"amount":8}'))).toMatchObject({
      sha256: sha('{"amount":8}'),
      value: { amount: 8 },
    });
    const own = parseBody(utf8('{"__proto__":{"a":1}}'));
    expect(own.sha256).toBe(sha('{"__proto__":{"a":1}}'));
  });

  test.each([
    ['broken JSON', utf8('{"amount":1')],
    ['white space alone', utf8(' \n')],
    ['a byte order mark', Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d)],
    ['bytes that are not UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d)],
    ['an overlong encoding', Uint8Array.of(0x22, 0xc0, 0xaf, 0x22)],
    ['a surrogate encoded in UTF-8', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)],
    ['an escaped unpaired surrogate', utf8('{"a":"\\ud800"}')],
    ['a number beyond the double range', utf8('{"a":1e400}')],
  ])('%s: the raw bytes are hashed and there is no value', (_, raw) => {
    expect(parseBody(raw)).toEqual({ sha256: sha(raw), value: undefined, isPadded: false });
  });

  test('a million levels still have one hash', () => {
    const text = '['.repeat(500_000) + ']'.repeat(500_000);
    expect(parseBody(utf8(text)).sha256).toBe(sha(text));
  });
});

describe('a body that is longer than its canonical form', () => {
  const text = 'мир '.repeat(2_000);
  const escaped = JSON.stringify({ text }).replace(/[^ -~]/g, (c) => `\\u0${c.charCodeAt(0).toString(16)}`);
  const filled = (spaces: number) => `{${' '.repeat(spaces)}"a":1}`;

  test.each([
    ['in JCS form, however long', jcs({ text: 'x'.repeat(100_000) }), false],
    ['indented', JSON.stringify({ a: [{ b: [1, 2, 3] }], text }, undefined, 8), false],
    ['with every letter escaped', escaped, false],
    ['by three times and 1,024 bytes', filled(2 * 7 + 1_024), false],
    ['by a byte more', filled(2 * 7 + 1_025), true],
    ['by a member that another one replaces', `{"a":"${'x'.repeat(2_000)}","a":1}`, true],
    ['not JSON', ' '.repeat(5_000), false],
  ])('%s', (_, body, isPadded) => {
    const raw = utf8(body);
    const here = parseBody(raw);
    expect(here.isPadded).toBe(isPadded);
    expect(parsedElsewhere(raw, here.sha256, hasValue(here)).isPadded).toBe(isPadded);
  });
});

describe('parts of a body', () => {
  const list = (commas: number, more = '') => `{"a":[${'1,'.repeat(commas)}1]${more}}`;
  const most = MAX_JSON_PARTS - 2;

  test.each([
    ['2,048', list(most), true],
    ['2,049', list(most + 1), false],
    ['an empty container more', list(most - 1, ',"b":{}'), false],
    ['a megabyte of small members', `{${'"a":[1],'.repeat(100_000)}"z":1}`, false],
    ['brackets that no bracket closes', '['.repeat(MAX_JSON_PARTS + 1), false],
    ['a text of commas and brackets', list(1, `,"b":"${',[{'.repeat(9_000)}"`), true],
    ['quotes and backslashes in a text', list(most - 1, `,"b":"${'\\\\\\",'.repeat(9_000)}"`), true],
    [
      'a text that ends after two backslashes',
      list(most - 1, `,"b":"\\\\",${'1,'.repeat(9_000)}"c":1`),
      false,
    ],
  ])('%s', (_, text, isFew) => {
    expect(hasFewParts(utf8(text))).toBe(isFew);
  });

  test('a body of too many is not parsed, on any node: its hash is that of its bytes', () => {
    const raw = utf8(list(most + 1));
    expect(parseBody(raw)).toEqual({ sha256: sha(raw), value: undefined, isPadded: false });
    expect(parseBody(utf8(list(most))).value).toEqual({ a: new Array(most + 1).fill(1) });
  });
});

describe('checkJson', () => {
  const refused = (value: unknown) => {
    try {
      checkJson(value);
    } catch (error) {
      expect(error).toBeInstanceOf(ServiceError);
      expect((error as ServiceError).code).toBe('invalid_request');
      return true;
    }
    return false;
  };

  test('32 levels pass, 33 are refused, the value itself being the first', () => {
    expect(refused(nested(32))).toBe(false);
    expect(refused(nested(33))).toBe(true);
    expect(refused({ x: nested(31) })).toBe(false);
    expect(refused({ x: nested(32) })).toBe(true);
    expect(refused(nested(200_000))).toBe(true);
  });

  test('U+0000 and unpaired surrogates are refused in strings and member names', () => {
    for (const bad of ['\0', 'a\0', '\ud800', '\udc00', 'x\ud800y', '\udc00\ud800', '\ud83d\ud83d\ude00']) {
      expect(refused(bad)).toBe(true);
      expect(refused({ [bad]: 1 })).toBe(true);
      expect(refused({ a: [{ b: bad }] })).toBe(true);
    }
    for (const good of ['', '\u0001', '😀', 'a😀b', '\uffff', '\ue000'])
      expect(refused({ [good]: good })).toBe(false);
  });
});
