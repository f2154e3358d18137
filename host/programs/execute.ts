// One run of a metered program: its input goes in, its output, or why there is none, and its fuel come out.
// Keeps: the answer depends on the program, the input and the fuel alone, in every engine; what the machine lacks (memory,
// stack) is thrown and never an answer. No instance serves two runs.

import { STOP } from './meter.ts';

/**
 * How a run ended. `trapped`: the program did what is not allowed (14.6); `unreachable`: it said itself that it cannot go
 * on; `bad_range`: it named bytes that are not its own, or too many.
 */
export type End = 'returned' | 'out_of_fuel' | 'out_of_stack' | 'unreachable' | 'trapped' | 'bad_range';

export interface Execution {
  end: End;
  /** Empty unless it returned. */
  output: Uint8Array;
  /** What was used; all there was if it ran out. */
  fuel: number;
}

export interface Limits {
  fuel: number;
  outputBytes: number;
}

interface Exports {
  memory: WebAssembly.Memory;
  vws_input(length: number): number;
  vws_run(at: number, length: number): bigint;
  vws_start?(): void;
  vws_fuel: WebAssembly.Global<'i32'>;
  vws_stop: WebAssembly.Global<'i32'>;
}

const NOTHING = new Uint8Array(0);
const ENDS: Readonly<Record<number, End>> = {
  0: 'trapped',
  [STOP.fuel]: 'out_of_fuel',
  [STOP.stack]: 'out_of_stack',
  [STOP.unreachable]: 'unreachable',
};

/** The output; undefined if the program names bytes outside of its memory, or more than it may. */
function call(exports: Exports, input: Uint8Array, mostBytes: number): Uint8Array | undefined {
  exports.vws_start?.();
  const at = exports.vws_input(input.length) >>> 0;
  const memory = new Uint8Array(exports.memory.buffer);
  if (at + input.length > memory.length) return undefined;
  memory.set(input, at);
  const range = BigInt.asUintN(64, exports.vws_run(at, input.length));
  const [from, length] = [Number(range >> 32n), Number(range & 0xffff_ffffn)];
  if (length > mostBytes || from + length > memory.length) return undefined;
  return memory.slice(from, from + length);
}

/**
 * Runs a module made by `admitProgram`; with a memory, which is all zero, one of `admitWith('runner', ...)`. Throws only what is
 * a failure of this machine.
 */
export function execute(
  module: WebAssembly.Module,
  input: Uint8Array,
  limits: Limits,
  memory?: WebAssembly.Memory,
): Execution {
  const imports: WebAssembly.Imports = memory === undefined ? {} : { vws: { memory } };
  const exports = new WebAssembly.Instance(module, imports).exports as unknown as Exports;
  exports.vws_fuel.value = limits.fuel;
  const used = (): number => Math.min(limits.fuel, limits.fuel - exports.vws_fuel.value);
  try {
    const output = call(exports, input, limits.outputBytes);
    if (output === undefined) return { end: 'bad_range', output: NOTHING, fuel: used() };
    return { end: 'returned', output, fuel: used() };
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    const end = ENDS[exports.vws_stop.value]!;
    return { end, output: NOTHING, fuel: used() };
  }
}
