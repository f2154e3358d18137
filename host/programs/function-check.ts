// Validates one function body (core specification 3.3 and its appendix, "Validation Algorithm") and plans its metering.
// Keeps: linear in the bytes; what passes is valid, so no engine refuses it; each path from one charge to the next costs
// at most what the first charge took. Only integers, one result, no block parameters, as 14.4 states.

import { demand } from './fault.ts';
import { InstructionReader, OP } from './instructions.ts';
import * as limits from './limits.ts';
import type { FunctionType, ProgramModule, Span } from './module.ts';
import { costOf, ENTRY_COST, I32, I64, LOCALS_PER_FUEL, SIGNATURES } from './signatures.ts';

/** What the meter does at a place of the body: before `from` it copies, at `to` it goes on. */
export interface Edit {
  kind: 'charge' | 'bulk' | 'grow' | 'unreachable' | 'return';
  from: number;
  to: number;
  /** Of a charge its cost, of a return the label of the function's body. */
  value: number;
}

export interface FunctionPlan {
  type: FunctionType;
  /** Where the instructions begin; the body ends with its last `end`. */
  code: Span;
  /** Declarations of locals, without their count. */
  declarations: Span;
  declarationCount: number;
  /** Parameters and locals. */
  localCount: number;
  /** Parameters, locals and the most operands. */
  slots: number;
  hasCalls: boolean;
  hasBulk: boolean;
  edits: Edit[];
  /** What it costs a compiler (14.3). */
  compileWork: number;
}

/** An operand of any type, below what cannot be reached. */
const ANY = 1;
const BLOCK_EMPTY = -64;

interface Control {
  op: number;
  result: number;
  height: number;
  isUnreachable: boolean;
  /** A branch leads to its end. */
  isTarget: boolean;
}

class FunctionCheck {
  private readonly module: ProgramModule;
  private readonly type: FunctionType;
  private readonly reader: InstructionReader;
  private readonly locals: number[] = [];
  private readonly operands: number[] = [];
  private readonly controls: Control[] = [];
  private readonly edits: Edit[] = [];
  /** The charge of the present segment. */
  private charge: Edit;
  private mostOperands = 0;
  private edges = 0;
  private hasCalls = false;
  private hasBulk = false;
  private declarations: Span = { from: 0, to: 0 };
  private declarationCount = 0;

  constructor(module: ProgramModule, index: number) {
    this.module = module;
    this.type = module.types[module.functions[index]!]!;
    const { from, to } = module.bodies[index]!;
    this.reader = new InstructionReader(module.bytes, from, to);
    this.charge = { kind: 'charge', from, to: from, value: 0 };
  }

  check(): FunctionPlan {
    this.declare();
    const { reader, type, locals } = this;
    const from = reader.next;
    const zeroed = locals.length - type.params.length;
    this.push(OP.block, type.result);
    this.begin(from, ENTRY_COST + Math.ceil(zeroed / LOCALS_PER_FUEL));
    while (this.controls.length > 0) {
      demand(reader.read(), 'a function has no end');
      demand(reader.kind === 'integer', `instruction ${reader.text} is not allowed`);
      this.instruction();
    }
    demand(reader.next === reader.end, 'a function goes on after its end');
    const slots = locals.length + this.mostOperands;
    return {
      type,
      code: { from, to: reader.end },
      declarations: this.declarations,
      declarationCount: this.declarationCount,
      localCount: locals.length,
      slots,
      hasCalls: this.hasCalls,
      hasBulk: this.hasBulk,
      edits: this.edits,
      compileWork: limits.FUNCTION_WORK + (slots + limits.BRANCH_BASE) * (this.edges + this.edits.length + 1),
    };
  }

  private declare(): void {
    const { reader, locals, type } = this;
    locals.push(...type.params);
    this.declarationCount = reader.unsigned();
    const from = reader.next;
    for (let n = this.declarationCount; n > 0; n--) {
      const count = reader.unsigned();
      demand(
        locals.length + count <= limits.MAX_LOCALS,
        `a function has more than ${limits.MAX_LOCALS} locals`,
      );
      demand(reader.next < reader.end, 'a function has no end');
      const local = reader.bytes[reader.next++]!;
      demand(
        local === I32 || local === I64,
        `value type 0x${local.toString(16)}: only i32 and i64 are allowed`,
      );
      for (let i = 0; i < count; i++) locals.push(local);
    }
    this.declarations = { from, to: reader.next };
  }

  // --- segments -------------------------------------------------------------------------------------------------

  /** From here on another charge pays. */
  private begin(at: number, cost: number): void {
    this.charge = { kind: 'charge', from: at, to: at, value: cost };
    this.edits.push(this.charge);
  }

  private edit(kind: Edit['kind'], value = 0): void {
    this.edits.push({ kind, from: this.reader.at, to: this.reader.next, value });
  }

  // --- operands and labels --------------------------------------------------------------------------------------

  private give(type: number): void {
    if (type === 0) return;
    this.operands.push(type);
    if (this.operands.length <= this.mostOperands) return;
    this.mostOperands = this.operands.length;
    demand(
      this.mostOperands <= limits.MAX_OPERANDS,
      `a function has more than ${limits.MAX_OPERANDS} operands`,
    );
  }

  /** Takes an operand of that type, or of any; answers its type. */
  private take(expected: number): number {
    const { height, isUnreachable } = this.controls.at(-1)!;
    if (this.operands.length === height) {
      demand(isUnreachable, 'an operand is missing');
      return expected;
    }
    const type = this.operands.pop()!;
    demand(type === expected || type === ANY || expected === ANY, 'an operand has another type');
    return type === ANY ? expected : type;
  }

  private push(op: number, result: number): void {
    demand(
      this.controls.length < limits.MAX_NESTING,
      `more than ${limits.MAX_NESTING} blocks inside one another`,
    );
    this.controls.push({ op, result, height: this.operands.length, isUnreachable: false, isTarget: false });
  }

  /** Closes the innermost block; its result is not given yet. */
  private pop(): Control {
    const control = this.controls.at(-1)!;
    if (control.result !== 0) this.take(control.result);
    demand(this.operands.length === control.height, 'a block leaves operands');
    this.controls.pop();
    return control;
  }

  private stop(): void {
    const control = this.controls.at(-1)!;
    this.operands.length = control.height;
    control.isUnreachable = true;
  }

  /** The block a branch leads out of, or the loop it leads back to. */
  private target(label: number): Control {
    demand(label < this.controls.length, 'a label does not exist');
    this.edges++;
    const control = this.controls[this.controls.length - 1 - label]!;
    control.isTarget = true;
    return control;
  }

  private blockResult(): number {
    const { first, at, next } = this.reader;
    const isShort = next === at + 2;
    demand(
      isShort && (first === BLOCK_EMPTY || first === -1 || first === -2),
      'a block has parameters or results',
    );
    return first === BLOCK_EMPTY ? 0 : first === -1 ? I32 : I64;
  }

  // --- instructions ---------------------------------------------------------------------------------------------

  private instruction(): void {
    const { op, next } = this.reader;
    if (!this.controls.at(-1)!.isUnreachable) this.charge.value += costOf(op);
    switch (op) {
      case OP.unreachable:
        this.edit('unreachable');
        this.stop();
        return;
      case 0x01:
        return;
      case OP.if:
        this.take(I32);
        this.push(op, this.blockResult());
        this.edges++;
        this.begin(next, 0);
        return;
      case OP.block:
        this.push(op, this.blockResult());
        return;
      case OP.loop:
        this.push(op, this.blockResult());
        this.edges++;
        this.begin(next, costOf(op));
        return;
      case OP.else:
      case OP.end:
        if (op === OP.else) this.otherwise();
        else this.end();
        return;
      case OP.br:
      case OP.brIf:
      case OP.brTable:
      case OP.return:
        this.branch(op);
        return;
      case OP.call:
      case OP.callIndirect:
        this.call(op);
        return;
      case OP.drop:
        this.take(ANY);
        return;
      case OP.select: {
        this.take(I32);
        const second = this.take(ANY);
        const first = this.take(second);
        this.give(first === ANY ? second : first);
        return;
      }
      default:
        if (op >= OP.localGet && op <= OP.globalSet) this.variable(op);
        else this.plain(op);
    }
  }

  private otherwise(): void {
    const { op, result, isTarget } = this.pop();
    demand(op === OP.if, 'an else has no if');
    this.push(OP.else, result);
    this.controls.at(-1)!.isTarget = isTarget;
    this.begin(this.reader.next, 0);
  }

  private end(): void {
    const control = this.pop();
    demand(control.op !== OP.if || control.result === 0, 'an if with a result has no else');
    if (this.controls.length === 0) return;
    this.give(control.result);
    // What follows a block that nothing branches out of is reached only through it, and is paid with it. What follows
    // a loop must not be paid at each turn.
    if (control.op === OP.block && !control.isTarget) return;
    this.edges++;
    this.begin(this.reader.next, 0);
  }

  private branch(op: number): void {
    const { first, labels } = this.reader;
    if (op === OP.return) {
      if (this.type.result !== 0) this.take(this.type.result);
      this.edges++;
      this.edit('return', this.controls.length - 1);
      this.stop();
      return;
    }
    if (op !== OP.br) this.take(I32);
    if (op === OP.brTable) {
      demand(labels.length <= limits.MAX_LABELS + 1, `a br_table has more than ${limits.MAX_LABELS} labels`);
      const result = this.resultOf(labels.at(-1)!);
      for (const label of labels) demand(this.resultOf(label) === result, 'the labels of a br_table differ');
      if (result !== 0) this.take(result);
      this.stop();
      return;
    }
    const result = this.resultOf(first);
    if (result !== 0) this.take(result);
    if (op === OP.br) {
      this.stop();
      return;
    }
    this.give(result);
    this.begin(this.reader.next, 0);
  }

  /** What a branch to a label takes along: a loop takes nothing back to its beginning. */
  private resultOf(label: number): number {
    const { op, result } = this.target(label);
    return op === OP.loop ? 0 : result;
  }

  private call(op: number): void {
    const { module, reader } = this;
    let index = reader.first;
    if (op === OP.call) {
      demand(index < module.functions.length, 'a called function does not exist');
      index = module.functions[index]!;
    } else {
      demand(index < module.types.length, 'a type does not exist');
      demand(reader.second === 0 && module.tableSize !== undefined, 'a table does not exist');
      this.take(I32);
    }
    this.edges++;
    this.hasCalls = true;
    const { params, result } = module.types[index]!;
    for (let i = params.length - 1; i >= 0; i--) this.take(params[i]!);
    this.give(result);
  }

  private variable(op: number): void {
    const { first } = this.reader;
    if (op <= OP.localTee) {
      demand(first < this.locals.length, 'a local does not exist');
      const type = this.locals[first]!;
      if (op !== OP.localGet) this.take(type);
      if (op !== OP.localSet) this.give(type);
      return;
    }
    const global = this.module.globals[first];
    demand(global !== undefined, 'a global does not exist');
    if (op === OP.globalGet) {
      this.give(global.type);
      return;
    }
    demand(global.isMutable, 'a global is constant');
    this.take(global.type);
  }

  private plain(op: number): void {
    const { reader } = this;
    const signature = SIGNATURES.get(op);
    demand(signature !== undefined, `instruction ${reader.text} is not allowed`);
    if (op >= 0x28 && op <= 0x3e)
      demand(reader.first <= signature.align, 'an alignment is above the natural one');
    if (op === OP.memorySize || op === OP.memoryGrow || op >= OP.memoryCopy)
      demand(reader.first === 0, 'a memory does not exist');
    if (op === OP.memoryGrow) this.edit('grow');
    if (op >= OP.memoryCopy) {
      this.edit('bulk');
      this.hasBulk = true;
    }
    const { operands, result } = signature;
    for (let i = operands.length - 1; i >= 0; i--) this.take(operands[i]!);
    this.give(result);
  }
}

/** Validates the body of one function. Errors: ProgramFault. */
export const checkFunction = (module: ProgramModule, index: number): FunctionPlan =>
  new FunctionCheck(module, index).check();
