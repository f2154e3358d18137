// Random programs: modules that validate and may do anything, from a seed alone.
// Keeps: every instruction that a program may contain is drawn; loops, recursion and bulk operations are common, and so are
// traps. What is drawn is well typed by construction, so a refusal is a fault of the validator or of this file.

import { ByteWriter } from '../../host/programs/byte-writer.ts';
import { OP } from '../../host/programs/instructions.ts';
import { I32, I64, SIGNATURES } from '../../host/programs/signatures.ts';
import { SeededRandom } from '../load/seeded-random.ts';

const EMPTY = 0x40;
const PAGES = 2;
const TABLE = 8;
const MAX_DEPTH = 6;
const [I32_AND, I64_AND] = [0x71, 0x83];
const GLOBAL_TYPES = [I32, I64, I32];

interface Signature {
  params: number[];
  result: number;
}

/** Instructions with plain operands by the type of their result; 0: none. */
const PLAIN = new Map<number, { op: number; operands: readonly number[]; align: number; cost: number }[]>();
for (const [op, { operands, result, align, cost }] of SIGNATURES) {
  if (op === OP.i32Const || op === OP.i64Const) continue;
  PLAIN.set(result, [...(PLAIN.get(result) ?? []), { op, operands, align, cost }]);
}

/** One function body, drawn as a tree of typed expressions. */
class BodyMaker {
  private readonly random: SeededRandom;
  private readonly out: ByteWriter;
  private readonly types: readonly Signature[];
  private readonly functions: readonly number[];
  private readonly locals: number[];
  /** Types that a branch to each label takes, the innermost last. */
  private readonly labels: number[] = [];
  private readonly own: number;
  private budget: number;

  constructor(
    random: SeededRandom,
    out: ByteWriter,
    types: readonly Signature[],
    functions: readonly number[],
    own: number,
  ) {
    this.own = own;
    this.random = random;
    this.out = out;
    this.types = types;
    this.functions = functions;
    this.locals = [];
    this.budget = 20 + this.below(120);
  }

  /** `mask`: what most results are cut to, so that they are of use to the runner. */
  write({ params, result }: Signature, mask: number): void {
    const { out } = this;
    const declared = Array.from({ length: this.below(6) }, () => this.type());
    this.locals.push(...params, ...declared);
    out.u32(declared.length);
    for (const type of declared) out.u32(1).byte(type);
    this.labels.push(result);
    this.statements(0);
    if (result !== 0) this.value(result, 0);
    if (mask !== 0) this.cut(result, mask);
    out.byte(OP.end);
  }

  /** And with a constant. */
  private cut(type: number, mask: number): void {
    if (type === I32) this.out.byte(OP.i32Const).s32(mask).byte(I32_AND);
    else this.out.byte(OP.i64Const).s32(mask).byte(I64_AND);
  }

  private below(count: number): number {
    return this.random.below(count);
  }
  private pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
  private type(): number {
    return this.below(3) === 0 ? I64 : I32;
  }

  private statements(depth: number): void {
    for (let n = 1 + this.below(4); n > 0 && this.budget > 0; n--) this.statement(depth);
  }

  private statement(depth: number): void {
    this.budget -= 1;
    const { out } = this;
    const draw = depth >= MAX_DEPTH ? 0 : this.below(16);
    if (draw <= 3) this.set(depth);
    else if (draw <= 6) this.plain(0, depth);
    else if (draw <= 8) this.loop(depth);
    else if (draw === 9) this.block(0, depth);
    else if (draw === 10) this.choice(0, depth);
    else if (draw === 11) this.call(0, depth);
    else if (draw === 12) this.exit(depth);
    else if (draw === 13) this.table(depth);
    else if (draw === 14) {
      const type = this.type();
      this.value(type, depth + 1);
      out.byte(OP.drop);
    } else out.byte(0x01);
  }

  private set(depth: number): void {
    const { out, locals } = this;
    if (locals.length > 0 && this.below(4) > 0) {
      const local = this.below(locals.length);
      this.value(locals[local]!, depth + 1);
      out.byte(OP.localSet).u32(local);
      return;
    }
    const global = this.below(2);
    this.value(GLOBAL_TYPES[global]!, depth + 1);
    out.byte(OP.globalSet).u32(global);
  }

  // A loop that a local ends in most cases; now and then one that only fuel ends.
  private loop(depth: number): void {
    const { out, labels, locals } = this;
    const counters = locals.flatMap((type, i) => (type === I32 ? [i] : []));
    out.byte(OP.loop).byte(EMPTY);
    labels.push(0);
    this.statements(depth + 1);
    if (counters.length > 0 && this.below(12) > 0) {
      const counter = this.pick(counters);
      out
        .byte(OP.localGet)
        .u32(counter)
        .byte(OP.i32Const)
        .s32(1 + this.below(9))
        .byte(OP.i32Add);
      out.byte(OP.localTee).u32(counter).byte(OP.i32Const).s32(this.below(1000)).byte(OP.i32LtS);
    } else this.value(I32, depth + 1);
    out.byte(OP.brIf).u32(0);
    labels.pop();
    out.byte(OP.end);
  }

  private block(result: number, depth: number): void {
    const { out, labels } = this;
    out.byte(OP.block).byte(result || EMPTY);
    labels.push(result);
    this.statements(depth + 1);
    if (result !== 0) this.value(result, depth + 1);
    labels.pop();
    out.byte(OP.end);
  }

  private choice(result: number, depth: number): void {
    const { out, labels } = this;
    this.value(I32, depth + 1);
    out.byte(OP.if).byte(result || EMPTY);
    labels.push(result);
    this.statements(depth + 1);
    if (result !== 0) this.value(result, depth + 1);
    if (result !== 0 || this.below(2) === 0) {
      out.byte(OP.else);
      this.statements(depth + 1);
      if (result !== 0) this.value(result, depth + 1);
    }
    labels.pop();
    out.byte(OP.end);
  }

  // Leaves by a branch, a return or a trap, inside an if, so that what follows is reached as a rule.
  private exit(depth: number): void {
    const { out, labels } = this;
    this.value(I32, depth + 1);
    out.byte(OP.if).byte(EMPTY);
    labels.push(0);
    const draw = this.below(20);
    if (draw === 0) out.byte(OP.unreachable);
    else {
      const label = draw < 3 ? labels.length - 1 : this.below(labels.length);
      const type = labels[labels.length - 1 - label]!;
      if (type !== 0) this.value(type, depth + 1);
      if (draw < 3) out.byte(OP.return);
      else out.byte(OP.br).u32(label);
    }
    if (this.below(2) === 0) this.plain(0, MAX_DEPTH);
    labels.pop();
    out.byte(OP.end);
  }

  private table(depth: number): void {
    const { out, labels } = this;
    const own = labels.flatMap((type, i) => (type === 0 ? [labels.length - 1 - i] : []));
    if (own.length === 0) return;
    // Blocks around it, so that forward branches are common.
    const count = 1 + this.below(4);
    for (let i = 0; i < count; i++) {
      out.byte(OP.block).byte(EMPTY);
      labels.push(0);
    }
    this.value(I32, depth + 2);
    this.cut(I32, 7);
    const far = Array.from({ length: 1 + this.below(6) }, () => this.below(count));
    if (this.below(4) === 0) far.push(count + this.pick(own));
    out.byte(OP.brTable).u32(far.length - 1);
    for (const label of far) out.u32(label);
    for (let i = 0; i < count; i++) {
      labels.pop();
      out.byte(OP.end);
      if (this.below(2) === 0) this.statement(depth + 2);
    }
  }

  private call(result: number, depth: number): boolean {
    const { out, types, functions } = this;
    const fits = functions.flatMap((type, i) => (types[type]!.result === result ? [i] : []));
    if (fits.length === 0) return false;
    // Mostly on to later functions, so that not every chain of calls ends with the stack.
    const later = fits.filter((i) => i > this.own);
    if (later.length === 0 && this.below(8) > 0) return false;
    const index = later.length > 0 && this.below(8) > 0 ? this.pick(later) : this.pick(fits);
    const type = functions[index]!;
    for (const param of types[type]!.params) this.value(param, depth + 1);
    if (this.below(6) > 0) {
      out.byte(OP.call).u32(index);
      return true;
    }
    this.value(I32, depth + 1);
    if (this.below(8) > 0) this.cut(I32, TABLE - 1);
    out.byte(OP.callIndirect).u32(type).u32(0);
    return true;
  }

  private value(type: number, depth: number): void {
    this.budget -= 1;
    const { out, locals } = this;
    const fits = locals.flatMap((one, i) => (one === type ? [i] : []));
    if (depth >= MAX_DEPTH || this.budget <= 0) {
      if (fits.length > 0 && this.below(2) === 0) out.byte(OP.localGet).u32(this.pick(fits));
      else this.constant(type);
      return;
    }
    const draw = this.below(14);
    if (draw <= 1) this.constant(type);
    else if (draw <= 3 && fits.length > 0) out.byte(OP.localGet).u32(this.pick(fits));
    else if (draw === 4) out.byte(OP.globalGet).u32(type === I64 ? 1 : this.pick([0, 2]));
    else if (draw === 5 && fits.length > 0) {
      this.value(type, depth + 1);
      out.byte(OP.localTee).u32(this.pick(fits));
    } else if (draw === 6) this.block(type, depth);
    else if (draw === 7) this.choice(type, depth);
    else if (draw === 8) {
      this.value(type, depth + 1);
      this.value(type, depth + 1);
      this.value(I32, depth + 1);
      out.byte(OP.select);
    } else if (draw !== 9 || !this.call(type, depth)) this.plain(type, depth);
  }

  private constant(type: number): void {
    const { out } = this;
    const bits = this.below(33);
    const value = this.random.next() % 2 ** bits;
    out.byte(type === I32 ? OP.i32Const : OP.i64Const).s32(this.below(4) === 0 ? -value : value);
  }

  // An address is mostly inside the memory, and a length of a bulk operation mostly small.
  private plain(result: number, depth: number): void {
    const { out } = this;
    const { op, operands, align, cost } = this.pick(PLAIN.get(result)!);
    const isAccess = op >= 0x28 && op <= 0x3e;
    const isBulk = op >= OP.memoryCopy;
    for (const [i, type] of operands.entries()) {
      this.value(type, depth + 1);
      const mask = (isAccess && i === 0) || (isBulk && i !== 2) ? 0xffff : isBulk ? 0xfff : 0;
      if (mask !== 0 && this.below(100) > 0) this.cut(I32, mask);
    }
    // A divisor is mostly odd, and so not zero.
    if (cost > 1 && !isBulk && this.below(30) > 0) {
      if (result === I32)
        out
          .byte(OP.i32Const)
          .s32(1)
          .byte(I32_AND + 1);
      else
        out
          .byte(OP.i64Const)
          .s32(1)
          .byte(I64_AND + 1);
    }
    if (op > 0xff) out.byte(op >> 8).u32(op & 0xff);
    else out.byte(op);
    if (isAccess)
      out.u32(this.below(align + 1)).u32(this.below(100) === 0 ? this.random.next() : this.below(256));
    else if (op === OP.memorySize || op === OP.memoryGrow || op === OP.memoryFill) out.byte(0);
    else if (op === OP.memoryCopy) out.byte(0).byte(0);
  }
}

/** A program from a seed. */
export function randomProgram(seed: number): Uint8Array<ArrayBuffer> {
  const random = new SeededRandom(seed);
  const pickType = () => (random.below(3) === 0 ? I64 : I32);
  const types: Signature[] = [
    { params: [I32], result: I32 },
    { params: [I32, I32], result: I64 },
    { params: [], result: 0 },
  ];
  for (let n = random.below(4); n > 0; n--) {
    const params = Array.from({ length: random.below(4) }, pickType);
    types.push({ params, result: random.below(3) === 0 ? 0 : pickType() });
  }
  const functions = [0, 1, ...Array.from({ length: random.below(6) }, () => random.below(types.length))];
  const starts = functions.flatMap((type, i) => (type === 2 ? [i] : []));

  const out = new ByteWriter();
  out.bytes([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]);
  out.section(1, types, ({ params, result }) => {
    out.byte(0x60).u32(params.length).bytes(params);
    out.bytes(result === 0 ? [0] : [1, result]);
  });
  out.section(3, functions, (type) => out.u32(type));
  out.section(4, [TABLE], (size) => out.byte(0x70).byte(0).u32(size));
  out.section(5, [PAGES], (pages) => out.byte(0).u32(pages));
  out.section(6, GLOBAL_TYPES, (type) => {
    out.byte(type).byte(1);
    out
      .byte(type === I32 ? OP.i32Const : OP.i64Const)
      .s32(random.next() | 0)
      .byte(OP.end);
  });
  const exports: [string, number, number][] = [
    ['memory', 2, 0],
    ['vws_input', 0, 0],
    ['vws_run', 0, 1],
  ];
  out.section(7, exports, ([name, kind, index]) => out.name(name).byte(kind).u32(index));
  if (starts.length > 0 && random.below(4) === 0) out.byte(8).sized(() => out.u32(starts[0]!));
  const filled = random.below(TABLE + 1);
  out.section(9, [filled], (count) => {
    out
      .u32(0)
      .byte(OP.i32Const)
      .s32(random.below(TABLE - count + 1))
      .byte(OP.end)
      .u32(count);
    for (let i = 0; i < count; i++) out.u32(random.below(functions.length));
  });
  out.section(10, [...functions.entries()], ([own, type]) => {
    const maker = new BodyMaker(random, out, types, functions, own);
    out.sized(() => maker.write(types[type]!, [0xfff, 0xff][own] ?? 0));
  });
  out.section(11, [random.below(200)], (length) => {
    out.u32(0).byte(OP.i32Const).s32(random.below(4096)).byte(OP.end).u32(length);
    for (let i = 0; i < length; i++) out.byte(random.below(256));
  });
  return out.finish();
}
