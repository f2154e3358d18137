// Small modules for tests and benchmarks, put together from bodies of instructions.
// `module` has memory, table, the two entries of protocol 14.2 and whatever a test adds.

import { ByteWriter } from '../../host/programs/byte-writer.ts';
import { I32, I64 } from '../../host/programs/signatures.ts';

export const [i32, i64] = [I32, I64];
const EMPTY = 0x40;

function constant(op: number, value: number): number[] {
  return [...new ByteWriter().byte(op).s32(value).finish()];
}
export const num = (value: number): number[] => constant(0x41, value);
export const long = (value: number): number[] => constant(0x42, value);
const u32 = (value: number): number[] => [...new ByteWriter().u32(value).finish()];
export const get = (index: number): number[] => [0x20, ...u32(index)];
export const set = (index: number): number[] => [0x21, ...u32(index)];
export const call = (index: number): number[] => [0x10, ...u32(index)];
/** Does its body for ever. */
export const forever = (...body: number[]): number[] => [0x03, EMPTY, ...body, 0x0c, 0, 0x0b];
/** Does its body that often, counting down in a local. */
export const times = (local: number, count: number, ...body: number[]): number[] => [
  ...num(count),
  ...set(local),
  ...[0x03, EMPTY, ...body, ...get(local), ...num(1), 0x6b, 0x22, ...u32(local), 0x0d, 0, 0x0b],
];

export interface Parts {
  types?: { params: number[]; results: number[] }[];
  /** Type index, locals as pairs of count and type, instructions without the last end; the third function is 2. */
  functions?: { type: number; locals?: [number, number][]; body: number[] }[];
  /** Body of vws_run: of type (i32, i32) -> i64. Default: an empty output. */
  run?: number[];
  runLocals?: [number, number][];
  pages?: number[];
  table?: number;
  elements?: number[];
  exports?: [string, number, number][];
  /** Sections put in front of the one with that number, as they are. */
  before?: Record<number, number[]>;
}

export const EXPORTS: [string, number, number][] = [
  ['memory', 2, 0],
  ['vws_input', 0, 0],
  ['vws_run', 0, 1],
];

/** Type 0 is (i32) -> i32, 1 (i32, i32) -> i64, 2 () -> (); function 0 is vws_input, 1 is vws_run. */
export function module(parts: Parts = {}): Uint8Array<ArrayBuffer> {
  const { pages = [1], table = 4, elements = [], exports = EXPORTS, before = {} } = parts;
  const types = [
    { params: [i32], results: [i32] },
    { params: [i32, i32], results: [i64] },
    { params: [], results: [] },
    ...(parts.types ?? []),
  ];
  const functions = [
    { type: 0, locals: [], body: num(16) },
    { type: 1, locals: parts.runLocals ?? [], body: parts.run ?? long(0) },
    ...(parts.functions ?? []),
  ];
  const out = new ByteWriter().bytes([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]);
  function section<Item>(id: number, items: readonly Item[], write: (item: Item) => void): void {
    out.bytes(before[id] ?? []);
    if (items.length > 0) out.section(id, items, write);
  }
  section(1, types, ({ params, results }) => {
    out.byte(0x60).u32(params.length).bytes(params).u32(results.length).bytes(results);
  });
  section(3, functions, ({ type }) => out.u32(type));
  section(4, [table], (size) => out.byte(0x70).byte(0).u32(size));
  section(5, pages, (size) => out.byte(0).u32(size));
  section(7, exports, ([name, kind, index]) => out.name(name).byte(kind).u32(index));
  section(9, elements.length > 0 ? [elements] : [], (list) => {
    out.u32(0).bytes(num(0)).byte(0x0b).u32(list.length);
    for (const index of list) out.u32(index);
  });
  section(10, functions, ({ locals = [], body }) => {
    out.sized(() => {
      out.u32(locals.length);
      for (const [count, type] of locals) out.u32(count).byte(type);
      out.bytes(body).byte(0x0b);
    });
  });
  return out.finish();
}
