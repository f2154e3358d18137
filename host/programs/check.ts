// One check of one delivery: what contracts, duties and clients call.

import type { CheckInput, CheckOutcome } from './check-job.ts';
import { drive, programSteps } from './check-steps.ts';
import { DEFAULT_FUEL } from './limits.ts';
import type { ProgramRunner } from './runner.ts';

export interface Check {
  /** The module as it was published. */
  program: Uint8Array;
  /** What the contract states for it; absent: DEFAULT_FUEL. */
  fuel?: number | undefined;
}

/**
 * Judges a delivery. With an empty one it tells whether the parameters are valid: only then is the end not
 * `bad_parameters`. Errors: ProgramFault if the module is no program; `overloaded`.
 */
export async function runCheck(
  runner: ProgramRunner,
  check: Check,
  input: CheckInput,
): Promise<CheckOutcome> {
  return drive(programSteps(check.program, check.fuel ?? DEFAULT_FUEL, input), runner);
}
