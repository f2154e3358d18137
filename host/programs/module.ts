// A program's module, decoded section by section (core specification 5.5), with everything refused that 14.3 and 14.4 do
// not allow.
// Keeps: linear time; a count is compared with its bound before anything is reserved; what was decoded is valid in the
// sense of the core specification, chapter 3, but for function bodies, which function-check.ts examines.

import { demand } from './fault.ts';
import { InstructionReader, OP } from './instructions.ts';
import * as limits from './limits.ts';
import { PAGE_BYTES } from './limits.ts';
import { I32, I64 } from './signatures.ts';

export interface FunctionType {
  params: readonly number[];
  /** 0 if there is none. */
  result: number;
}

export interface Global {
  type: number;
  isMutable: boolean;
}

/** A part of the module's bytes. */
export interface Span {
  from: number;
  to: number;
}

export interface ProgramModule {
  bytes: Uint8Array;
  types: FunctionType[];
  /** Type index of each function. */
  functions: number[];
  /** Elements of the table; undefined: there is none. */
  tableSize: number | undefined;
  memoryPages: number;
  globals: Global[];
  /** Their bytes, type and initial value. */
  globalSpans: Span[];
  /** Function indices of what the runner calls. */
  entries: { input: number; run: number; start: number | undefined };
  elements: Span[];
  data: Span[];
  bodies: Span[];
}

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
/** Sections in the order they must have (5.5.16); 2 and 12 are read only to be refused or dropped. */
const ORDER = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 10, 11];
const NAMES = [
  'custom',
  'type',
  'import',
  'function',
  'table',
  'memory',
  'global',
  'export',
  'start',
  'element',
];
const MEMORY_SECTION = 5;
const FUNCREF = 0x70;
export const INPUT_TYPE: FunctionType = { params: [I32], result: I32 };
export const RUN_TYPE: FunctionType = { params: [I32, I32], result: I64 };
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads the parts of a section; every fault throws. */
class SectionReader {
  private readonly bytes: Uint8Array;
  at: number;
  readonly end: number;

  constructor(bytes: Uint8Array, at: number, end: number) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }
  byte(): number {
    demand(this.at < this.end, 'the module ends in the middle of something');
    return this.bytes[this.at++]!;
  }
  u32(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const b = this.byte();
      value += (b & 127) * 2 ** shift;
      if (b >= 128) continue;
      demand(value <= 0xffff_ffff, 'an integer has more than 32 bits');
      return value;
    }
    demand(false, 'an integer has more than 5 bytes');
  }
  /** A count with its bound. */
  count(most: number, what: string): number {
    const value = this.u32();
    demand(value <= most, `${value} ${what}, of which there may be ${most}`);
    return value;
  }
  span(length: number): Span {
    demand(length <= this.end - this.at, 'a part is longer than what contains it');
    const from = this.at;
    this.at += length;
    return { from, to: this.at };
  }
  name(): string {
    const { from, to } = this.span(this.u32());
    demand(to - from <= limits.MAX_NAME_BYTES, `a name has more than ${limits.MAX_NAME_BYTES} bytes`);
    try {
      return decoder.decode(this.bytes.subarray(from, to));
    } catch {
      demand(false, 'a name is not UTF-8');
    }
  }
  valueType(): number {
    const type = this.byte();
    demand(type === I32 || type === I64, `value type 0x${type.toString(16)}: only i32 and i64 are allowed`);
    return type;
  }
  /** A constant expression: one constant and the end (3.3.10). The value is exact for i32. */
  constant(type: number): number {
    const reader = new InstructionReader(this.bytes, this.at, this.end);
    const expected = type === I32 ? OP.i32Const : OP.i64Const;
    demand(reader.readOnly(expected), 'an initial value is not a constant');
    const value = reader.first;
    demand(reader.readOnly(OP.end), 'an initial value is not a single constant');
    this.at = reader.next;
    return value;
  }
}

const isSameType = (a: FunctionType, b: FunctionType): boolean =>
  a.result === b.result &&
  a.params.length === b.params.length &&
  a.params.every((type, i) => type === b.params[i]);

/** Decodes one module. Throws ProgramFault. */
class ModuleDecoder {
  readonly module: ProgramModule;
  private readonly exports = new Map<string, { kind: number; index: number }>();
  private start: number | undefined;
  private hasMemory = false;
  private dataCount: number | undefined;
  private elementCount = 0;

  constructor(bytes: Uint8Array) {
    this.module = {
      bytes,
      types: [],
      functions: [],
      tableSize: undefined,
      memoryPages: 0,
      globals: [],
      globalSpans: [],
      entries: { input: 0, run: 0, start: undefined },
      elements: [],
      data: [],
      bodies: [],
    };
  }

  decode(): ProgramModule {
    const { bytes } = this.module;
    demand(bytes.length <= limits.MAX_MODULE_BYTES, `more than ${limits.MAX_MODULE_BYTES} bytes`);
    demand(
      HEADER.every((b, i) => bytes[i] === b),
      'no WebAssembly module of version 1',
    );
    const r = new SectionReader(bytes, HEADER.length, bytes.length);
    let last = -1;
    while (r.at < r.end) {
      const id = r.byte();
      const { from, to } = r.span(r.u32());
      if (id === 0) continue;
      const place = ORDER.indexOf(id);
      demand(place >= 0, `section ${id} is not known`);
      demand(place > last, `section ${id} is out of place`);
      last = place;
      const section = new SectionReader(bytes, from, to);
      this.section(id, section);
      demand(section.at === section.end, `the ${NAMES[id] ?? id} section has bytes left over`);
    }
    return this.finish();
  }

  private section(id: number, r: SectionReader): void {
    const { types, functions, globals, globalSpans, data, bodies } = this.module;
    switch (id) {
      case 1:
        for (let n = r.count(limits.MAX_TYPES, 'types'); n > 0; n--) types.push(this.type(r));
        return;
      case 2:
        demand(r.u32() === 0, 'there are imports');
        return;
      case 3:
        for (let n = r.count(limits.MAX_FUNCTIONS, 'functions'); n > 0; n--) {
          functions.push(r.count(types.length - 1, 'is the type of a function'));
        }
        return;
      case 4:
        if (r.count(1, 'tables') === 1) this.table(r);
        return;
      case 5:
        if (r.count(1, 'memories') === 1) this.memory(r);
        return;
      case 6:
        for (let n = r.count(limits.MAX_GLOBALS, 'globals'); n > 0; n--) {
          const from = r.at;
          const type = r.valueType();
          const flag = r.count(1, 'is a mutability');
          r.constant(type);
          globals.push({ type, isMutable: flag === 1 });
          globalSpans.push({ from, to: r.at });
        }
        return;
      case 7:
        for (let n = r.count(limits.MAX_EXPORTS, 'exports'); n > 0; n--) this.export(r);
        return;
      case 8:
        this.start = r.u32();
        demand(this.start < functions.length, 'the start function does not exist');
        return;
      case 9:
        for (let n = r.count(limits.MAX_SEGMENTS, 'element segments'); n > 0; n--) this.element(r);
        return;
      case 10:
        demand(r.end - r.at <= limits.MAX_CODE_BYTES, `more than ${limits.MAX_CODE_BYTES} bytes of code`);
        demand(r.u32() === functions.length, 'there are not as many bodies as functions');
        for (let n = functions.length; n > 0; n--) {
          bodies.push(r.span(r.count(limits.MAX_FUNCTION_BYTES, 'bytes in a function')));
        }
        return;
      case 11:
        for (let n = r.count(limits.MAX_SEGMENTS, 'data segments'); n > 0; n--) data.push(this.segment(r));
        return;
      default:
        this.dataCount = r.u32();
    }
  }

  private type(r: SectionReader): FunctionType {
    demand(r.byte() === 0x60, 'a type is not that of a function');
    const params: number[] = [];
    for (let n = r.count(limits.MAX_PARAMS, 'parameters'); n > 0; n--) params.push(r.valueType());
    const results = r.count(1, 'results of a function');
    return { params, result: results === 1 ? r.valueType() : 0 };
  }

  /** Least size of a table or memory; a maximum must be valid, and is not used. */
  private size(r: SectionReader, most: number, what: string): number {
    const flag = r.byte();
    demand(flag <= 1, `the ${what} is shared or of 64 bits`);
    const least = r.count(most, `is the size of the ${what}`);
    if (flag === 1) demand(r.u32() >= least, `the maximum of the ${what} is below its size`);
    return least;
  }

  private table(r: SectionReader): void {
    demand(r.byte() === FUNCREF, 'the table does not hold functions');
    this.module.tableSize = this.size(r, limits.MAX_TABLE, 'table');
  }

  private memory(r: SectionReader): void {
    this.module.memoryPages = this.size(r, limits.MAX_MEMORY_PAGES, 'memory');
    this.hasMemory = true;
  }

  private export(r: SectionReader): void {
    const name = r.name();
    demand(!this.exports.has(name), `${JSON.stringify(name)} is exported twice`);
    const [kind, index] = [r.byte(), r.u32()];
    const { functions, globals, tableSize } = this.module;
    const counts = [
      functions.length,
      tableSize === undefined ? 0 : 1,
      this.hasMemory ? 1 : 0,
      globals.length,
    ];
    demand(index < (counts[kind] ?? 0), `the export ${JSON.stringify(name)} does not exist`);
    this.exports.set(name, { kind, index });
  }

  private element(r: SectionReader): void {
    const from = r.at;
    const { tableSize, functions } = this.module;
    demand(r.u32() === 0 && tableSize !== undefined, 'an element segment does not simply fill the table');
    const offset = r.constant(I32) >>> 0;
    const length = r.u32();
    this.elementCount += length;
    demand(
      this.elementCount <= limits.MAX_ELEMENTS,
      `${this.elementCount} elements, of which there may be ${limits.MAX_ELEMENTS}`,
    );
    demand(offset + length <= tableSize, 'an element segment is outside of the table');
    for (let n = length; n > 0; n--) demand(r.u32() < functions.length, 'an element does not exist');
    this.module.elements.push({ from, to: r.at });
  }

  private segment(r: SectionReader): Span {
    const from = r.at;
    demand(r.u32() === 0 && this.hasMemory, 'a data segment does not simply fill the memory');
    const offset = r.constant(I32) >>> 0;
    const length = r.u32();
    r.span(length);
    demand(
      offset + length <= this.module.memoryPages * PAGE_BYTES,
      'a data segment is outside of the memory',
    );
    return { from, to: r.at };
  }

  private entry(name: string, type: FunctionType): number {
    const found = this.exports.get(name);
    demand(found?.kind === 0, `there is no exported function ${name}`);
    const actual = this.module.types[this.module.functions[found.index]!]!;
    demand(isSameType(actual, type), `${name} has another type than 14.2 states`);
    return found.index;
  }

  private finish(): ProgramModule {
    const { module, start } = this;
    demand(module.bodies.length === module.functions.length, 'there are functions without bodies');
    demand(
      this.dataCount === undefined || this.dataCount === module.data.length,
      'data count differs from data',
    );
    demand(this.exports.get('memory')?.kind === 2, 'the memory is not exported as memory');
    if (start !== undefined) {
      const type = module.types[module.functions[start]!]!;
      demand(isSameType(type, { params: [], result: 0 }), 'the start function has parameters or a result');
    }
    module.entries = {
      input: this.entry('vws_input', INPUT_TYPE),
      run: this.entry('vws_run', RUN_TYPE),
      start,
    };
    return module;
  }
}

/** Pages of the memory of a module, of which nothing else is read; 0 without one. Errors: ProgramFault. */
export function memoryPagesOf(bytes: Uint8Array): number {
  const r = new SectionReader(bytes, HEADER.length, bytes.length);
  while (r.at < r.end) {
    const id = r.byte();
    const { from, to } = r.span(r.u32());
    if (id !== MEMORY_SECTION) continue;
    const section = new SectionReader(bytes, from, to);
    if (section.u32() === 0) return 0;
    section.byte();
    return section.u32();
  }
  return 0;
}

/** Decodes a module. Errors: ProgramFault. */
export const decodeModule = (bytes: Uint8Array): ProgramModule => new ModuleDecoder(bytes).decode();
