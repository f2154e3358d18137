// From the bytes of a module to a program: validated, and metered (protocol 14.3 to 14.5).
// Keeps: linear in the bytes; no engine sees a module that this has not admitted; runs in browsers.

import { demand, ProgramFault } from './fault.ts';
import { checkFunction, type FunctionPlan } from './function-check.ts';
import { MAX_COMPILE_WORK } from './limits.ts';
import { type MemoryFrom, writeMetered } from './meter.ts';
import { decodeModule } from './module.ts';

function plansOf(module: ReturnType<typeof decodeModule>): FunctionPlan[] {
  let work = 0;
  return module.functions.map((_, index) => {
    try {
      const plan = checkFunction(module, index);
      work += plan.compileWork;
      demand(work <= MAX_COMPILE_WORK, 'too many branches over too many locals to be compiled');
      return plan;
    } catch (error) {
      if (error instanceof ProgramFault) throw new ProgramFault(`function ${index}: ${error.message}`);
      throw error;
    }
  });
}

export interface Admitted {
  metered: Uint8Array<ArrayBuffer>;
  memoryPages: number;
}

/** A program as a runner takes it. Errors: ProgramFault, with the reason for people. */
export function admitWith(memory: MemoryFrom, bytes: Uint8Array): Admitted {
  const module = decodeModule(bytes);
  return { metered: writeMetered(module, plansOf(module), memory), memoryPages: module.memoryPages };
}

/** The metered module of a program. Errors: as `admitWith`. */
export const admitProgram = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => admitWith('own', bytes).metered;

/** What the limits of 14.3 are compared with, for the author of a program. */
export interface ProgramFacts {
  bytes: number;
  codeBytes: number;
  functions: number;
  memoryPages: number;
  compileWork: number;
}

/** Errors: as `admitProgram`. */
export function programFacts(bytes: Uint8Array): ProgramFacts {
  const module = decodeModule(bytes);
  return {
    bytes: bytes.length,
    codeBytes: module.bodies.reduce((sum, { from, to }) => sum + to - from, 0),
    functions: module.functions.length,
    memoryPages: module.memoryPages,
    compileWork: plansOf(module).reduce((sum, plan) => sum + plan.compileWork, 0),
  };
}
