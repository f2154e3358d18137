// Programs that want to harm whoever runs them: to run for ever, to take memory or stack, or to be dear for an engine's
// compiler. Each is refused, or ends by its fuel or its stack (protocol 14.3 to 14.6).
// Keeps: one catalogue for the test, which asks how each ends, and for the benchmark, which asks what it costs.

import type { End } from '../../host/programs/execute.ts';
import {
  MAX_CODE_BYTES,
  MAX_LABELS,
  MAX_LOCALS,
  MAX_NESTING,
  MAX_TABLE,
} from '../../host/programs/limits.ts';
import { call, forever, get, i32, i64, long, module, num, type Parts, set, times } from './wat.ts';

export interface Hostile {
  name: string;
  parts: Parts;
  /** How it ends at any fuel; or why it is refused. */
  ends: End | RegExp;
}

const DONE = long(0);
const [DROP, END, BR, BR_IF, BR_TABLE, IF, BLOCK, EMPTY] = [0x1a, 0x0b, 0x0c, 0x0d, 0x0e, 0x04, 0x02, 0x40];
const PAGES = 128;
const LAST_WORD = 0x7f_fff0;
const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
const u32 = (value: number): number[] => get(value).slice(1);
const LOCALS: [number, number][] = [
  [2, i32],
  [2, i64],
];
/** A br_table of so many labels, all of them the same. */
const table = (labels: number, depth: number): number[] => [
  BR_TABLE,
  ...u32(labels),
  ...many(labels + 1, u32(depth)).flat(),
];
const STRAIGHT = many(5_400, 0).flatMap((_, i) => [
  ...[...get(i % 9), ...get((i * 5) % 9), 0x7e],
  ...[...get(i % 7), 0x7c, ...set(i % 8)],
]);
const calls = (count: number): number[] => many(count, 0).flatMap((_, i) => call(i + 2));

/** Each line of the memory once, in an order that nothing foresees: where to go next is what was found there. */
const CHASE: Parts = {
  run: [
    ...times(
      3,
      PAGES * 1024,
      ...[...get(2), ...num(6), 0x74],
      ...[...get(2), ...num(1_664_525), 0x6c, ...num(1_013_904_223), 0x6a],
      ...[...num(PAGES * 1024 - 1), 0x71, 0x22, 2, ...num(6), 0x74, 0x36, 0, 0],
    ),
    ...[...num(0), ...set(2)],
    ...forever(...get(2), ...many(400, [0x28, 0, 0]).flat(), ...set(2)),
    ...DONE,
  ],
  runLocals: LOCALS,
  pages: [PAGES],
};

/** They run for as long as they are let. */
const ENDLESS: Readonly<Record<string, Parts>> = {
  'an endless loop': { run: [...forever(), ...DONE] },
  'endless divisions': {
    run: [...forever(...long(-7), ...long(3), 0x7f, DROP), ...DONE],
    runLocals: LOCALS,
  },
  'endless loads, each from where the one before says': CHASE,
  // The next address is the last one times an odd number, so that no prefetch helps.
  'endless loads from everywhere': {
    run: [
      ...forever(
        ...[...get(2), ...num(1_664_525), 0x6c, ...num(12_345), 0x6a, 0x22, 2],
        ...[...num(LAST_WORD), 0x71, 0x29, 3, 0, DROP],
      ),
      ...DONE,
    ],
    runLocals: LOCALS,
    pages: [PAGES],
  },
  'endless stores to everywhere': {
    run: [
      ...forever(...get(2), ...num(4096), 0x6a, 0x22, 2, ...num(LAST_WORD), 0x71, ...get(4), 0x37, 3, 0),
      ...DONE,
    ],
    runLocals: LOCALS,
    pages: [PAGES],
  },
  'endless fills': {
    run: [...forever(...num(0), ...num(1), ...num(8_388_608), 0xfc, 11, 0), ...DONE],
    pages: [PAGES],
  },
  'endless growth of memory': { run: [...forever(...num(1), 0x40, 0, DROP), ...DONE] },
  'endless calls': {
    run: [...forever(...call(2)), ...DONE],
    functions: [{ type: 2, locals: [[100, i64]], body: [] }],
  },
  'endless indirect calls': {
    run: [...forever(...num(0), 0x11, 2, 0), ...DONE],
    functions: [{ type: 2, body: [] }],
    elements: [2],
  },
};

/** Within all limits, and as dear for a compiler as these allow; then called for ever. */
const DEAR: Readonly<Record<string, Parts>> = {
  'as many branches as there may be': {
    functions: many(5, {
      type: 2,
      locals: [[3, i32]],
      body: many(200, [...get(0), IF, EMPTY, ...get(1), ...set(2), END]).flat(),
    }),
    run: [...forever(...calls(5)), ...DONE],
  },
  'as many locals as there may be, in branches': {
    functions: [{ type: 2, locals: [[MAX_LOCALS, i64]], body: many(22, [...num(0), IF, EMPTY, END]).flat() }],
    run: [...forever(...calls(1)), ...DONE],
  },
  'tables of as many labels as there may be': {
    functions: many(4, { type: 2, body: [BLOCK, EMPTY, ...num(7), ...table(MAX_LABELS, 0), END] }),
    run: [...forever(...calls(4)), ...DONE],
  },
  'blocks as deep as they may be, left from the innermost': {
    functions: [
      {
        type: 2,
        body: [
          ...many(MAX_NESTING - 1, [BLOCK, EMPTY]).flat(),
          ...many(MAX_NESTING - 1, 0).flatMap((_, i) => [...num(0), BR_IF, ...u32(i)]),
          ...many(MAX_NESTING - 1, END),
        ],
      },
    ],
    run: [...forever(...calls(1)), ...DONE],
  },
  'loops as deep as they may be': {
    functions: [
      {
        type: 2,
        body: [...many(MAX_NESTING - 1, [0x03, EMPTY]).flat(), ...many(MAX_NESTING - 1, END)],
      },
    ],
    run: [...forever(...calls(1)), ...DONE],
  },
  'as much straight code as there may be, in few loops': {
    functions: many(2, { type: 2, locals: [[9, i64]], body: [...num(0), DROP, ...forever(...STRAIGHT)] }),
    run: [...forever(...calls(2)), ...DONE],
  },
  'as much straight code as there may be, called': {
    functions: many(2, { type: 2, locals: [[9, i64]], body: STRAIGHT }),
    run: [...forever(...calls(2)), ...DONE],
  },
  'as many functions as may be called': {
    functions: many(850, { type: 2, body: [] }),
    run: [...forever(...calls(850)), ...DONE],
  },
};

const DEEP: Readonly<Record<string, Parts>> = {
  'endless recursion': { run: [...call(2), ...DONE], functions: [{ type: 2, body: call(2) }] },
  'endless recursion with many locals': {
    run: [...call(2), ...DONE],
    functions: [{ type: 2, locals: [[1_000, i64]], body: call(2) }],
  },
  'recursion of two in turn': {
    run: [...call(2), ...DONE],
    functions: [
      { type: 2, body: call(3) },
      { type: 2, body: call(2) },
    ],
  },
  'recursion through the table': {
    run: [...call(2), ...DONE],
    functions: [{ type: 2, body: [...num(0), 0x11, 2, 0] }],
    elements: [2],
  },
  'recursion, again and again': {
    run: [...forever(...call(2)), ...DONE],
    functions: [{ type: 2, body: [...num(1), DROP, ...call(2)] }],
  },
};

const REFUSED: Readonly<Record<string, [RegExp, Parts]>> = {
  'locals beyond 2^32': [
    /locals/,
    {
      runLocals: [
        [0xffff_ffff, i32],
        [0xffff_ffff, i32],
      ],
    },
  ],
  'many branches over many locals': [
    /compiled/,
    {
      runLocals: [[700, i32]],
      run: [...many(12_000, [...num(0), IF, EMPTY, END]).flat(), ...DONE],
    },
  ],
  'a little of it in each of many functions': [
    /compiled/,
    {
      functions: many(60, {
        type: 2,
        locals: [[200, i64]],
        body: many(10, [...num(0), IF, EMPTY, END]).flat(),
      }),
    },
  ],
  'many tables of many labels': [
    /compiled/,
    {
      functions: many(8, { type: 2, body: [BLOCK, EMPTY, ...num(7), ...table(MAX_LABELS, 0), END] }),
    },
  ],
  'a table of a million labels': [
    /0xe is not allowed/,
    { run: [BLOCK, EMPTY, ...num(0), BR_TABLE, ...u32(1_000_000), ...many(1_000, 0), END, ...DONE] },
  ],
  'ten thousand blocks inside one another': [
    /blocks inside/,
    { run: [...many(10_000, [BLOCK, EMPTY]).flat(), ...many(10_000, END), ...DONE] },
  ],
  'blocks that are never closed': [/blocks inside/, { run: many(30_000, [BLOCK, EMPTY]).flat() }],
  'a stack of operands without end': [/operands/, { run: many(20_000, num(0)).flat() }],
  'a huge table': [/size of the table/, { table: 0xffff_ffff }],
  'a table beyond its bound': [/size of the table/, { table: MAX_TABLE + 1 }],
  'four GiB of memory': [/size of the memory/, { pages: [65_536] }],
  'more code than there may be': [
    /bytes of code/,
    { functions: many(3, { type: 2, body: many(MAX_CODE_BYTES / 2 - 100, 0x01) }) },
  ],
  'ten thousand functions': [/functions/, { functions: many(10_000, { type: 2, body: [] }) }],
  'a branch out of everything': [/label|block/, { run: [BR, ...u32(1_000_000), ...DONE] }],
};

const all = (group: Readonly<Record<string, Parts>>, ends: End): Hostile[] =>
  Object.entries(group).map(([name, parts]) => ({ name, parts, ends }));

export const HOSTILE: readonly Hostile[] = [
  ...all(ENDLESS, 'out_of_fuel'),
  ...all(DEAR, 'out_of_fuel'),
  ...all(DEEP, 'out_of_stack'),
  ...Object.entries(REFUSED).map(([name, [ends, parts]]) => ({ name, parts, ends })),
];

/** The module; one of other bytes for each number, since engines keep what they compiled. */
export const hostileModule = ({ parts }: Hostile, variant = 0): Uint8Array<ArrayBuffer> =>
  module({ ...parts, run: [...num(variant), DROP, ...(parts.run ?? DONE)] });
