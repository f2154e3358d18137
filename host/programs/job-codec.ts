// Jobs for a program and their results, as the bytes that cross to a worker thread.
//
//   job:    u32 fuel, u32 most bytes of output, u32 length of the module, the module, the input
//   result: u8 end, u8 pages of memory, u32 fuel, the output; for a module that is no program the end is 255 and the output is why

import type { End, Limits } from './execute.ts';
import { ProgramFault } from './fault.ts';
import type { Run } from './runner.ts';

const ENDS = [
  'returned',
  'out_of_fuel',
  'out_of_stack',
  'unreachable',
  'trapped',
  'bad_range',
] as const satisfies End[];
const REFUSED = 255;
const JOB_BYTES = 12;
const RESULT_BYTES = 6;

export interface ProgramJob {
  /** The module as it was published. */
  program: Uint8Array;
  input: Uint8Array;
  limits: Limits;
}

export function packJob({ program, input, limits }: ProgramJob): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(JOB_BYTES + program.length + input.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, limits.fuel, true);
  view.setUint32(4, limits.outputBytes, true);
  view.setUint32(8, program.length, true);
  bytes.set(program, JOB_BYTES);
  bytes.set(input, JOB_BYTES + program.length);
  return bytes;
}

export function unpackJob(bytes: Uint8Array): ProgramJob {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const inputAt = JOB_BYTES + view.getUint32(8, true);
  return {
    program: bytes.subarray(JOB_BYTES, inputAt),
    input: bytes.subarray(inputAt),
    limits: { fuel: view.getUint32(0, true), outputBytes: view.getUint32(4, true) },
  };
}

function pack(code: number, pages: number, fuel: number, rest: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(RESULT_BYTES + rest.length);
  bytes[0] = code;
  bytes[1] = pages;
  new DataView(bytes.buffer).setUint32(2, fuel, true);
  bytes.set(rest, RESULT_BYTES);
  return bytes;
}

/** The result of `run`, a ProgramFault of it included. */
export function packResult(run: () => Run): Uint8Array<ArrayBuffer> {
  try {
    const { end, output, fuel, memoryPages } = run();
    return pack(ENDS.indexOf(end), memoryPages, fuel, output);
  } catch (error) {
    if (!(error instanceof ProgramFault)) throw error;
    return pack(REFUSED, 0, 0, new TextEncoder().encode(error.message));
  }
}

/** Errors: ProgramFault for a module that is no program. */
export function unpackResult(bytes: Uint8Array): Run {
  const rest = bytes.subarray(RESULT_BYTES);
  if (bytes[0] === REFUSED) throw new ProgramFault(new TextDecoder().decode(rest));
  const end = ENDS[bytes[0]!];
  if (end === undefined) throw new Error('program worker: a result of unknown form');
  const fuel = new DataView(bytes.buffer, bytes.byteOffset).getUint32(2, true);
  return { end, output: rest, fuel, memoryPages: bytes[1]! };
}
