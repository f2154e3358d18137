// Runs a check on its good and bad examples and says which did not come to what they must.

import type { CheckOutcome } from '../../programs/check-job.ts';
import { InlineRunner } from '../../programs/runner.ts';
import { type Example, type Project, readExamples } from './project.ts';
import { judge } from './subject.ts';

export interface Judged extends CheckOutcome {
  example: Example;
  /** Why it is not as it must be; empty: it is. */
  fault: string;
}

/** A bad example must be judged, not end the program, and for the reason that its author had in mind. */
function faultOf(example: Example, { end, reason }: CheckOutcome, expected: string | undefined): string {
  if (end !== example.must) return `must ${example.must}`;
  if (expected !== undefined && !reason.includes(expected)) return `the reason lacks "${expected}"`;
  return '';
}

/** All examples of a project, judged. Errors: ProgramFault if the module is no program. */
export function judgeExamples(project: Project, program: Uint8Array): Judged[] {
  const runner = new InlineRunner();
  return readExamples(project).map((example) => {
    const outcome = judge(runner, { ...project, program }, example.delivery);
    return { ...outcome, example, fault: faultOf(example, outcome, project.reasons[example.name]) };
  });
}
