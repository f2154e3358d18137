// The standard checks as they are built (protocol 14.7): each worked example, and what lies at the borders. Needs a build.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { CHECK_DIGESTS, type CheckName } from '../../../host/modules/module-digests.ts';
import { type CheckOutcome, packInput, readOutcome } from '../../../host/programs/check-job.ts';
import { DEFAULT_FUEL, MAX_OUTPUT_BYTES } from '../../../host/programs/limits.ts';
import { InlineRunner } from '../../../host/programs/runner.ts';
import { utf8 } from '../../../host/wire/bytes.ts';

const runner = new InlineRunner();
const moduleOf = (name: CheckName) => new Uint8Array(readFileSync(`build/checks/${name}.wasm`));
const NONE = new Uint8Array(0);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

function run(
  name: CheckName,
  parameters: unknown,
  delivery: string | Uint8Array,
  fuel = DEFAULT_FUEL,
): CheckOutcome {
  const input = packInput({
    parameters: utf8(typeof parameters === 'string' ? parameters : JSON.stringify(parameters)),
    fields: utf8('{}'),
    delivery: typeof delivery === 'string' ? utf8(delivery) : delivery,
    seed: NONE,
  });
  return readOutcome(
    runner.runNow({ program: moduleOf(name), input, limits: { fuel, outputBytes: MAX_OUTPUT_BYTES } }),
  );
}
/** The end, and the reason if there is one. */
const told = (name: CheckName, parameters: unknown, delivery: string | Uint8Array): string => {
  const { end, reason } = run(name, parameters, delivery);
  return reason === '' ? end : `${end}: ${reason}`;
};
const NAMES = Object.keys(CHECK_DIGESTS) as CheckName[];

test('are the seven of the document, by the digests of this version', () => {
  expect(NAMES.sort()).toEqual(['contains', 'csv', 'equals', 'json-shape', 'number', 'regex', 'size']);
  for (const name of NAMES) {
    expect(createHash('sha256').update(moduleOf(name)).digest('hex'), name).toBe(CHECK_DIGESTS[name]);
  }
});

describe.each(NAMES)('%s', (name) => {
  it.each([
    ['no JSON', 'x'],
    ['an array', '[]'],
    ['nothing', ''],
    ['an unknown member', '{"no such member":1}'],
    ['half a text', '{"'],
  ])('says that parameters are invalid: %s', (_, parameters) => {
    const { end, reason } = run(name, parameters, 'x');
    expect(end).toBe('bad_parameters');
    expect(reason).toMatch(/^parameters: ./);
  });
});

const hash = sha256('pepper42');
const EQUALS: [unknown, string, string][] = [
  [{ hash, salt: Buffer.from('pepper').toString('hex') }, '42', 'pass'],
  [
    { hash, salt: Buffer.from('pepper').toString('hex') },
    '42\n',
    'fail: the delivery is not the expected one',
  ],
  [{ hash, salt: Buffer.from('pepper').toString('hex'), trim: true }, ' \t42\r\n', 'pass'],
  [{ hash: sha256('42') }, '42', 'pass'],
  [{ hash: sha256('') }, '', 'pass'],
  [{ hash: 'ab' }, '42', 'bad_parameters: parameters: hash is not the hex it must be'],
  [{ salt: '00' }, '42', 'bad_parameters: parameters: hash is missing'],
];
const SIZE: [unknown, string, string][] = [
  [{ min_chars: 4, max_chars: 4 }, 'コード化'.slice(0, 4), 'pass'],
  [{ max_bytes: 11 }, 'コード化', 'fail: 12 bytes, at most 11'],
  [{ min_chars: 2 }, '😀', 'fail: 1 characters, at least 2'],
  [{ min_lines: 2, max_lines: 2 }, 'a\nb\n', 'pass'],
  [{ max_lines: 0 }, '', 'pass'],
  [{ min_bytes: 1 }, '', 'fail: 0 bytes, at least 1'],
  [{}, '', 'bad_parameters: parameters: nothing is asked'],
  [{ min_bytes: 2, max_bytes: 1 }, '', 'bad_parameters: parameters: a minimum above its maximum'],
  [{ min_bytes: -1 }, '', 'bad_parameters: parameters: min_bytes is no count'],
];
const CONTAINS: [unknown, string, string][] = [
  [{ all: ['Zürich', 'Genève'], none: ['TODO'] }, 'Von Zürich nach Genève', 'pass'],
  [{ all: ['Bern', 'Chur'] }, 'Bern', 'fail: does not contain "Chur"'],
  [{ none: ['todo'], ignore_case: true }, 'A TODO here', 'fail: contains "todo"'],
  [{ any: ['a', 'b'] }, 'xyb', 'pass'],
  [{ any: ['a', 'b'] }, 'xyz', 'fail: contains none of the texts of which one is needed'],
  [{ all: ['aab'] }, 'aaab', 'pass'],
  [{ all: ['abcabd'] }, 'abcabcabd', 'pass'],
  [{ all: ['\u202e\n'] }, '', 'fail: does not contain "??"'],
  [{ all: [''] }, '', 'bad_parameters: parameters: all has an empty text'],
  [{ all: [1] }, '', 'bad_parameters: parameters: all has an element that is no text'],
];
const near = { path: '/result/sum', value: '0.3', tolerance: '0.005' };
const NUMBER: [unknown, string, string][] = [
  [near, '{"result":{"sum":0.305}}', 'pass'],
  [
    near,
    '{"result":{"sum":0.30500000000000000000000001}}',
    'fail: "0.30500000000000000000000001" is not the expected number',
  ],
  [near, '{"result":{"sum":"0.295"}}', 'pass'],
  [near, '{"result":{"sums":1}}', 'fail: nothing at "/result/sum"'],
  [near, '{"result":{"sum":null}}', 'fail: no number at "/result/sum"'],
  [near, '{"result":{"sum":1,"sum":0.3}}', 'fail: no JSON: a member occurs twice'],
  [{ value: 1200 }, ' 1.2e3\n', 'pass'],
  [{ value: '-0' }, '0.000', 'pass'],
  [{ value: '9007199254740993' }, '9007199254740992', 'fail: "9007199254740992" is not the expected number'],
  [{ value: '1' }, '1,0', 'fail: "1,0" is no number that can be compared'],
  [{ value: '1' }, '1e64', 'fail: "1e64" is no number that can be compared'],
  [{ value: '1e62', tolerance: '2e62' }, '-1e62', 'pass'],
  [{ hash: sha256('salt-12.5'), salt: Buffer.from('salt').toString('hex') }, '-1250e-2', 'pass'],
  [
    { hash: sha256('salt-12.5'), salt: Buffer.from('salt').toString('hex') },
    '-12.51',
    'fail: "-12.51" is not the expected number',
  ],
  [{ hash: sha256('0') }, '-0.0', 'pass'],
  [{ hash: sha256('0.001') }, '1e-3', 'pass'],
  [{ path: '/a~1b/0', value: 7 }, '{"a/b":[7]}', 'pass'],
  [{ path: '/a/01', value: 7 }, '{"a":[6,7]}', 'fail: nothing at "/a/01"'],
  [{ path: 'a', value: 7 }, '7', 'bad_parameters: parameters: path is no JSON Pointer'],
  [{ value: 1, hash }, '1', 'bad_parameters: parameters: either value or hash must be stated'],
  [{ hash, tolerance: 1 }, '1', 'bad_parameters: parameters: a hash has no tolerance'],
  [{ value: 1, tolerance: -1 }, '1', 'bad_parameters: parameters: tolerance is below zero'],
];
const invoice = {
  type: 'object',
  required: ['number', 'total', 'lines'],
  additionalProperties: false,
  properties: {
    number: { type: 'string', minLength: 1, maxLength: 4 },
    total: { type: 'number', minimum: 0, maximum: '1000000.00' },
    currency: { enum: ['CHF', 'EUR', null] },
    lines: {
      type: 'array',
      minItems: 1,
      maxItems: 3,
      items: { type: 'object', required: ['price'], properties: { price: { type: 'integer' } } },
    },
  },
};
const good = { number: '請求書1', total: 12.5, currency: 'CHF', lines: [{ price: 3 }] };
const SHAPE: [unknown, string, string][] = [
  [invoice, JSON.stringify(good), 'pass'],
  [invoice, JSON.stringify({ ...good, number: '請求書12' }), 'fail: /"number" is too long'],
  [invoice, JSON.stringify({ ...good, total: -0.01 }), 'fail: /"total" is below its minimum'],
  [invoice, JSON.stringify({ ...good, total: 1_000_000.01 }), 'fail: /"total" is above its maximum'],
  [invoice, JSON.stringify({ ...good, total: '1' }), 'fail: /"total" is of another type'],
  [
    invoice,
    JSON.stringify({ ...good, currency: 'USD' }),
    'fail: /"currency" is none of the values it may be',
  ],
  [invoice, JSON.stringify({ ...good, currency: null }), 'pass'],
  [invoice, JSON.stringify({ ...good, lines: [] }), 'fail: /"lines" has too few elements'],
  [
    invoice,
    JSON.stringify({ ...good, lines: [{ price: 1 }, { price: 1.5 }] }),
    'fail: /"lines"/1/"price" is of another type',
  ],
  [invoice, '{"number":"1","total":1,"lines":[{"price":1.0e1}]}', 'pass'],
  [invoice, JSON.stringify({ ...good, lines: [{}] }), 'fail: /"lines"/0/"price" is missing'],
  [invoice, JSON.stringify({ ...good, more: 1 }), 'fail: /"more" is not expected'],
  [invoice, '{}', 'fail: /"number" is missing'],
  [invoice, '[]', 'fail: the value is of another type'],
  [invoice, '{"number":}', 'fail: no JSON: no value where one must be'],
  [{ items: { type: 'integer' } }, '[1,1.5]', 'fail: /1 is of another type'],
  [{ const: 1 }, '1.0', 'pass'],
  [{ const: 'é' }, '"\\u00e9"', 'pass'],
  [{ const: '😀' }, '"\\ud83d\\ude00"', 'pass'],
  [{ type: ['null', 'boolean'] }, 'false', 'pass'],
  [{ type: 'integer' }, '9007199254740993', 'pass'],
  [{ type: 'text' }, '1', 'bad_parameters: parameters: type is not known'],
  [{ properties: { a: { pattern: 'x' } } }, '{}', 'bad_parameters: parameters: unknown member "pattern"'],
  [{ items: 1 }, '[]', 'bad_parameters: parameters: a schema is no object'],
  [{ enum: [[]] }, '[]', 'bad_parameters: parameters: enum is no scalar'],
];
const REGEX: [unknown, string, string][] = [
  [{ pattern: '\\d{4}-\\d{2}-\\d{2}' }, '2026-11-22', 'pass'],
  [{ pattern: '\\d{4}-\\d{2}-\\d{2}' }, '2026-11-22\n', 'fail: the delivery does not match'],
  [{ pattern: '(?:\\w+@\\w+(?:\\.\\w+)+)', match: 'lines' }, 'a@b.c\r\nd@e.f\n', 'pass'],
  [{ pattern: '[a-z]+', match: 'lines' }, 'ab\nc1\n', 'fail: line 2 does not match: "c1"'],
  [{ pattern: '[a-z]+', match: 'lines' }, '', 'fail: there are no lines'],
  [{ pattern: 'Zür.ch$', match: 'search' }, 'in Zürich', 'pass'],
  [{ pattern: '^Zür', match: 'search' }, 'in Zürich', 'fail: no part of the delivery matches'],
  [{ pattern: '[^а-я]*' }, 'abc', 'pass'],
  [{ pattern: '[^а-я]*' }, 'abг', 'fail: the delivery does not match'],
  [{ pattern: '\\u{1f600}\\u00e9.' }, '😀é😀', 'pass'],
  [{ pattern: '' }, '', 'pass'],
  [{ pattern: '(', match: 'whole' }, '', 'bad_parameters: parameters: pattern: a ( without its )'],
  [{ pattern: ')' }, '', 'bad_parameters: parameters: pattern: a ) without its ('],
  [{ pattern: 'a**' }, '', 'bad_parameters: parameters: pattern: two repetitions in a row'],
  [{ pattern: 'a*?' }, '', 'bad_parameters: parameters: pattern: two repetitions in a row'],
  [{ pattern: '(a)\\1' }, '', 'bad_parameters: parameters: pattern: an unknown escape'],
  [{ pattern: '(?=a)' }, '', 'bad_parameters: parameters: pattern: of groups with ? there is only (?:'],
  [
    { pattern: '((a{1000}){1000}){1000}' },
    '',
    'bad_parameters: parameters: pattern: too long once repetitions are written out',
  ],
  [{ pattern: 'a{2,1}' }, '', 'bad_parameters: parameters: pattern: a malformed {n,m}'],
  [{ pattern: '[z-a]' }, '', 'bad_parameters: parameters: pattern: a range that is none'],
  [{ pattern: 'a', match: 'some' }, '', 'bad_parameters: parameters: match is not known'],
];
const table = {
  columns: [
    { name: 'item', required: true },
    { name: 'day', type: 'date' },
    { name: 'net', type: 'decimal', minimum: 0 },
    { name: 'tax', type: 'decimal' },
    { name: 'gross', type: 'decimal', required: true },
    { name: 'kind', enum: ['a', 'b'] },
  ],
  min_rows: 1,
  max_rows: 3,
  row_sums: [{ total: 'gross', of: ['net', 'tax'], tolerance: '0.005' }],
  column_sums: [{ column: 'gross', value: '33.30' }],
};
const head = 'item,day,net,tax,gross,kind\n';
const CSV: [unknown, string, string][] = [
  [table, `${head}"x, ""y""",2024-02-29,10,1.10,11.10,a\nz,,20.20,2,22.20,b\n`, 'pass'],
  [table, `kind,item,day,net,tax,gross\r\n,é,,0.3,33,33.30\r\n`, 'pass'],
  [table, `${head}x,2023-02-29,10,1.10,11.10,a\n`, 'fail: row 2, "day" is no date'],
  [table, `${head}x,,10,1.11,11.10,a\n`, 'fail: row 2, "gross" is not the sum that it must be'],
  [table, `${head}x,,10,1,11,a\n`, 'fail: column "gross" is not the sum that it must be'],
  [table, `${head}x,,-1,1,0,a\n`, 'fail: row 2, "net" is below its minimum'],
  [table, `${head},,10,1,11,a\n`, 'fail: row 2, "item" is empty'],
  [table, `${head}x,,ten,1,11,a\n`, 'fail: row 2, "net" is no number'],
  [table, `${head}x,,10,1,11,c\n`, 'fail: row 2, "kind" is none of the values it may be'],
  [table, `${head}x,,10,1\n`, 'fail: row 2: not as many fields as names'],
  [table, `${head}x,"",10,1,11,"a" \n`, 'fail: row 2: text behind a quoted field'],
  [table, `${head}x,"2024-01-01\n`, 'fail: row 2: a quote is not closed'],
  [table, head, 'fail: 0 rows, at least 1'],
  [table, '', 'fail: row 0: there is nothing'],
  [table, 'item,net,tax,gross,kind\n', 'fail: row 1, "day" is missing'],
  [table, `x,${head}`, 'fail: there are columns that are not expected'],
  [{ ...table, column_sums: [], additional: true }, `x,${head}1,a,,0,0,0,\n`, 'pass'],
  [
    {
      columns: [
        { name: 'a', type: 'integer' },
        { name: 'b', type: 'decimal' },
      ],
      separator: '\t',
      column_sums: [{ column: 'a', equals: 'b', tolerance: '0.3' }],
    },
    'a\tb\n1\t0.9\n2\t1.8\n',
    'pass',
  ],
  [
    {
      columns: [
        { name: 'net', type: 'decimal' },
        { name: 'gross', type: 'decimal' },
      ],
      row_sums: [{ total: 'gross', of: ['net'], tolerance: '0.01' }],
    },
    'net,gross\n1.00,1.02',
    'fail: row 2, "gross" is not the sum that it must be',
  ],
  [{ columns: [{ name: 'a', type: 'integer' }] }, 'a\n1.5\n', 'fail: row 2, "a" is no integer'],
  [
    { columns: [{ name: 'a' }], row_sums: [{ total: 'a', of: [] }] },
    'a\n',
    'bad_parameters: parameters: total is no column of numbers',
  ],
  [
    { columns: [{ name: 'a' }, { name: 'a' }] },
    'a\n',
    'bad_parameters: parameters: columns has a name twice',
  ],
  [
    { columns: [{ name: 'a', type: 'integer' }], column_sums: [{ column: 'a' }] },
    'a\n',
    'bad_parameters: parameters: column_sums needs either value or equals',
  ],
  [
    { columns: [{ name: 'a', minimum: 1 }] },
    'a\n',
    'bad_parameters: parameters: minimum or maximum of a column without numbers',
  ],
  [{ columns: [], separator: ';;' }, 'a\n', 'bad_parameters: parameters: separator is not one character'],
];

describe.each([
  ['equals', EQUALS],
  ['size', SIZE],
  ['contains', CONTAINS],
  ['number', NUMBER],
  ['json-shape', SHAPE],
  ['regex', REGEX],
  ['csv', CSV],
] as const)('%s', (name, cases) => {
  it.each(cases)('%j of %j: %s', (parameters, delivery, expected) => {
    expect(told(name, parameters, delivery)).toBe(expected);
  });
});

describe('text that is not UTF-8', () => {
  const bad = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe4, 0xb8], [0x80]];
  it.each(bad)('%j %j %j %j', (...bytes) => {
    const delivery = Uint8Array.from(bytes.filter((b) => b !== undefined));
    expect(told('size', { min_chars: 0 }, delivery)).toBe('fail: the delivery is not UTF-8');
    expect(told('regex', { pattern: '.*' }, delivery)).toBe('fail: the delivery is not UTF-8');
    expect(told('json-shape', {}, delivery)).toBe('fail: no JSON: not UTF-8');
    expect(told('csv', { columns: [] }, delivery)).toBe('fail: the delivery is not UTF-8');
  });
  it('U+FFFD itself is', () => {
    expect(told('size', { max_chars: 2 }, '\ufffd\ufffd')).toBe('pass');
  });
});

describe('patterns', () => {
  const PATTERNS = [
    'a',
    'ab|cd|',
    '(a|b)*c',
    'a{2,4}',
    'a{0,2}b',
    'a{3,}',
    '(ab?){2}',
    '(a*)*b',
    '(a|ab)(c|bcd)(d*)',
    '[ab]{1,3}|c+d?',
    'x?y?z?',
    '(a{0}b)+',
    '((a|b){2}){0,2}c',
    '^a|b$',
    'a(^b|c)$',
    '(|a)+b',
    '[^ab]?\\w',
  ];
  it('match what the engine of JavaScript matches', () => {
    let state = 7;
    const random = (n: number) => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state >>> 8) % n;
    };
    let matched = 0;
    for (const pattern of PATTERNS) {
      for (let i = 0; i < 60; i++) {
        const text = Array.from({ length: random(7) }, () => 'abcdxyz'[random(i % 2 === 0 ? 3 : 7)]).join('');
        for (const match of ['whole', 'search']) {
          const expected = new RegExp(match === 'whole' ? `^(?:${pattern})$` : pattern, 'u').test(text);
          expect(run('regex', { pattern, match }, text).end, `${pattern} ${match} ${text}`).toBe(
            expected ? 'pass' : 'fail',
          );
          if (expected) matched++;
        }
      }
    }
    expect(matched).toBeGreaterThan(300);
  });

  it('take time in proportion to the text, whatever the pattern', () => {
    const evil = (length: number) =>
      run('regex', { pattern: '(a|a)*(a*)*b' }, 'a'.repeat(length), 100_000_000).fuel;
    const [one, two] = [evil(2000), evil(4000)];
    expect(two / one).toBeLessThan(2.1);
  });
});

test('a large delivery is checked, or ends by fuel', () => {
  const megabyte = 'abcdefgh'.repeat(131_072);
  expect(run('size', { min_bytes: 1 }, megabyte).end).toBe('pass');
  expect(run('equals', { hash: sha256(megabyte) }, megabyte, 200_000_000).end).toBe('pass');
  expect(run('equals', { hash: sha256(megabyte) }, megabyte).end).toBe('out_of_fuel');
  expect(run('contains', { all: ['hgf'] }, megabyte, 100_000_000).end).toBe('fail');
  expect(run('json-shape', {}, `[${'1,'.repeat(500_000)}1]`, 100_000_000).reason).toBe(
    'no JSON: more than 131,072 values',
  );
  expect(run('json-shape', {}, '['.repeat(100_000)).reason).toBe('no JSON: nested deeper than 64');
  expect(run('json-shape', {}, `{${Array.from({ length: 5000 }, (_, i) => `"k${i}":0`).join()}}`).end).toBe(
    'pass',
  );
});
