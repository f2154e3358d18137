// Writes a program anew so that it counts its own fuel and stack (protocol 14.5): the bytes that every engine runs.
// Keeps: the same bytes for the same program, on any machine; what the program computes is not changed. All counting is
// in globals of the new module, which the program's own instructions cannot name.

import { ByteWriter } from './byte-writer.ts';
import type { Edit, FunctionPlan } from './function-check.ts';
import { OP } from './instructions.ts';
import { FRAME_BASE, MAX_UNCOUNTED_SLOTS, SLOT_BYTES, STACK_BUDGET } from './limits.ts';
import type { ProgramModule } from './module.ts';
import { BULK_SHIFT, I32 } from './signatures.ts';

/** What `vws_stop` holds after a trap; 0: the engine stopped the program, for one of the reasons of 14.6. */
export const STOP = { fuel: 1, stack: 2, unreachable: 3 } as const;

const EMPTY = 0x40;
const [TYPE, IMPORT, FUNCTION, TABLE, MEMORY] = [1, 2, 3, 4, 5];
const [GLOBAL, EXPORT, ELEMENT, CODE, DATA] = [6, 7, 9, 10, 11];
const [KIND_FUNCTION, KIND_MEMORY, KIND_GLOBAL] = [0, 2, 3];
const FUNCREF = 0x70;
const NONE = -1;

/**
 * Whose memory a metered module uses: one of its own, as 14.5 states, or one that a runner hands it as `vws.memory`. The
 * second is for a runner that keeps memories; all else is byte for byte the same.
 */
export type MemoryFrom = 'own' | 'runner';

/** The stack that a frame takes, in the bytes of 14.5. */
const frameBytes = (plan: FunctionPlan): number => FRAME_BASE + SLOT_BYTES * plan.slots;
const isCounted = (plan: FunctionPlan): boolean => plan.hasCalls || plan.slots > MAX_UNCOUNTED_SLOTS;

class Meter {
  private readonly module: ProgramModule;
  private readonly plans: readonly FunctionPlan[];
  private readonly out = new ByteWriter();
  private readonly fuel: number;
  private readonly stack: number;
  private readonly stop: number;
  /** The function that notes why it stops, and traps. */
  private readonly stopper: number;

  private readonly memory: MemoryFrom;

  constructor(module: ProgramModule, plans: readonly FunctionPlan[], memory: MemoryFrom) {
    this.module = module;
    this.plans = plans;
    this.memory = memory;
    this.fuel = module.globals.length;
    this.stack = this.fuel + 1;
    this.stop = this.fuel + 2;
    this.stopper = module.functions.length;
  }

  write(): Uint8Array<ArrayBuffer> {
    const { module, out } = this;
    out.bytes([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]);
    this.types();
    const limits = (pages: number) => out.byte(1).u32(pages).u32(pages);
    if (this.memory === 'runner')
      out.section(IMPORT, [module.memoryPages], (pages) => {
        out.name('vws').name('memory').byte(KIND_MEMORY);
        limits(pages);
      });
    out.section(FUNCTION, [...module.functions, module.types.length], (type) => out.u32(type));
    if (module.tableSize !== undefined)
      out.section(TABLE, [module.tableSize], (size) => out.byte(FUNCREF).byte(1).u32(size).u32(size));
    if (this.memory === 'own') out.section(MEMORY, [module.memoryPages], limits);
    this.globals();
    this.exports();
    if (module.elements.length > 0)
      out.section(ELEMENT, module.elements, (span) => out.span(module.bytes, span));
    out.section(CODE, [...this.plans, undefined], (plan) => {
      out.sized(() => (plan === undefined ? this.stopperBody() : this.body(plan)));
    });
    if (module.data.length > 0) out.section(DATA, module.data, (span) => out.span(module.bytes, span));
    return out.finish();
  }

  private types(): void {
    const { module, out } = this;
    out.section(TYPE, [...module.types, { params: [I32], result: 0 }], ({ params, result }) => {
      out.byte(0x60).u32(params.length).bytes(params);
      out.bytes(result === 0 ? [0] : [1, result]);
    });
  }

  private globals(): void {
    const { module, out } = this;
    const own = [0, STACK_BUDGET, 0];
    out.section(GLOBAL, [...module.globalSpans, ...own], (global) => {
      if (typeof global !== 'number') out.span(module.bytes, global);
      else out.byte(I32).byte(1).byte(OP.i32Const).s32(global).byte(OP.end);
    });
  }

  private exports(): void {
    const { out, fuel, stop } = this;
    const { input, run, start } = this.module.entries;
    const rows: [name: string, kind: number, index: number][] = [
      ['memory', KIND_MEMORY, 0],
      ['vws_input', KIND_FUNCTION, input],
      ['vws_run', KIND_FUNCTION, run],
      ['vws_fuel', KIND_GLOBAL, fuel],
      ['vws_stop', KIND_GLOBAL, stop],
    ];
    if (start !== undefined) rows.push(['vws_start', KIND_FUNCTION, start]);
    out.section(EXPORT, rows, ([name, kind, index]) => out.name(name).byte(kind).u32(index));
  }

  private stopperBody(): void {
    const { out, stop } = this;
    out.u32(0).byte(OP.localGet).u32(0).byte(OP.globalSet).u32(stop).byte(OP.unreachable).byte(OP.end);
  }

  private body(plan: FunctionPlan): void {
    const { module, out } = this;
    out.u32(plan.declarationCount + (plan.hasBulk ? 1 : 0)).span(module.bytes, plan.declarations);
    if (plan.hasBulk) out.u32(1).byte(I32);
    const counted = isCounted(plan);
    if (counted) {
      this.take(this.stack, frameBytes(plan), STOP.stack);
      out.byte(OP.block).byte(plan.type.result === 0 ? EMPTY : plan.type.result);
    }
    let at = plan.code.from;
    for (const edit of plan.edits) {
      out.span(module.bytes, { from: at, to: edit.from });
      at = edit.to;
      this.edit(plan, edit, counted);
    }
    out.span(module.bytes, { from: at, to: plan.code.to });
    // Here the copied end closes the block; results lie below what the counting takes.
    if (counted) {
      out.byte(OP.globalGet).u32(this.stack).byte(OP.i32Const).s32(frameBytes(plan));
      out.byte(OP.i32Add).byte(OP.globalSet).u32(this.stack).byte(OP.end);
    }
  }

  private edit(plan: FunctionPlan, { kind, from, to, value }: Edit, counted: boolean): void {
    const { out, module } = this;
    switch (kind) {
      case 'charge':
        if (value > 0) this.take(this.fuel, value, STOP.fuel);
        return;
      case 'bulk':
        // The length is on top of the stack, and stays there.
        out.byte(OP.localTee).u32(plan.localCount);
        this.take(this.fuel, NONE, STOP.fuel, plan.localCount);
        out.span(module.bytes, { from, to });
        return;
      case 'grow':
        out.byte(OP.drop).byte(OP.i32Const).s32(-1);
        return;
      case 'unreachable':
        out.byte(OP.i32Const).s32(STOP.unreachable).byte(OP.call).u32(this.stopper).byte(OP.unreachable);
        return;
      case 'return':
        if (counted) out.byte(OP.br).u32(value);
        else out.byte(OP.return);
    }
  }

  /** Takes a constant, or what a bulk operation of the length in a local costs, off a counter; stops below zero. */
  private take(counter: number, amount: number, why: number, lengthLocal = NONE): void {
    const { out } = this;
    out.byte(OP.globalGet).u32(counter);
    if (lengthLocal === NONE) out.byte(OP.i32Const).s32(amount);
    else out.byte(OP.localGet).u32(lengthLocal).byte(OP.i32Const).s32(BULK_SHIFT).byte(OP.i32ShrU);
    out.byte(OP.i32Sub).byte(OP.globalSet).u32(counter);
    out.byte(OP.globalGet).u32(counter).byte(OP.i32Const).s32(0).byte(OP.i32LtS);
    out.byte(OP.if).byte(EMPTY).byte(OP.i32Const).s32(why).byte(OP.call).u32(this.stopper).byte(OP.end);
  }
}

/** The module that engines run. The plans are those of all functions of the module, in order. */
export const writeMetered = (
  module: ProgramModule,
  plans: readonly FunctionPlan[],
  memory: MemoryFrom,
): Uint8Array<ArrayBuffer> => new Meter(module, plans, memory).write();
