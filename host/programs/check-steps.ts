// A check as the runs that it takes: a generator yields what is to be run, is given how that ended, and returns the outcome. So the
// same check runs at once on one thread, or with its runs on worker threads.
// Keeps: the outcome depends on the check and its input alone, not on who drives it.

import { type CheckInput, type CheckOutcome, inputBytes, packInput, readOutcome } from './check-job.ts';
import { ProgramFault } from './fault.ts';
import type { ProgramJob } from './job-codec.ts';
import { MAX_INPUT_BYTES, MAX_OUTPUT_BYTES } from './limits.ts';
import type { InlineRunner, ProgramRunner, Run } from './runner.ts';

/** How a run ended; a fault: the module is no program. */
export type Ended = Run | ProgramFault;
export type CheckSteps = Generator<ProgramJob, CheckOutcome, Ended>;

export const outcomeOf = (end: CheckOutcome['end'], reason: string, fuel: number): CheckOutcome => ({
  end,
  scoreBps: end === 'pass' ? 10_000 : 0,
  reason,
  fuel,
});

/** A check by a program: one run. */
export function* programSteps(program: Uint8Array, fuel: number, input: CheckInput): CheckSteps {
  if (inputBytes(input) > MAX_INPUT_BYTES) return outcomeOf('bad_range', 'the delivery is too long', 0);
  const limits = { fuel, outputBytes: MAX_OUTPUT_BYTES };
  const ended = yield { program, input: packInput(input), limits };
  // It was admitted when it was published.
  if (ended instanceof ProgramFault) throw ended;
  return readOutcome(ended);
}

const faultOr = (error: unknown): ProgramFault => {
  if (error instanceof ProgramFault) return error;
  throw error;
};

/** Errors: what the machine lacks. */
export function driveNow(steps: CheckSteps, runner: InlineRunner): CheckOutcome {
  let step = steps.next();
  while (!step.done) {
    let ended: Ended;
    try {
      ended = runner.runNow(step.value);
    } catch (error) {
      ended = faultOr(error);
    }
    step = steps.next(ended);
  }
  return step.value;
}

/** Errors: what the machine lacks, `overloaded`. */
export async function drive(steps: CheckSteps, runner: ProgramRunner): Promise<CheckOutcome> {
  let step = steps.next();
  while (!step.done) step = steps.next(await runner.run(step.value).catch(faultOr));
  return step.value;
}
