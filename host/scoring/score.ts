// Scores one submission against its task: measures, verifier, gates, verdict.
// Keeps: the verdict, which is advice, is a pass exactly when there is no reason code; only `factsHold` decides about money; time is linear in the bytes read, at most 262,144 of
// the output.

import { FACT_NAMES, GATE_NAMES, type GateName } from '../wire/check-names.ts';
import { type GateMap, gatesOf } from './gates.ts';
import { measure } from './measures.ts';
import { groupOf } from './policy.ts';
import { outputOf, Reading } from './reading.ts';
import type { Submission, TaskContract, Verification } from './types.ts';
import { VERIFIERS, verify, type Work } from './verifiers.ts';

/** Minimum value of a required component. Source: protocol 6.14 "required_checks". */
export const REQUIRED_BP = 5000;

function reasonsOf(
  gates: GateMap,
  components: Readonly<Record<string, number>>,
  required: readonly string[],
): string[] {
  const reasons: string[] = [];
  for (const name of GATE_NAMES) {
    if (!gates[name]) reasons.push(name === 'threshold' ? 'below_threshold' : `gate_failed:${name}`);
  }
  for (const name of required) {
    const holds = Object.hasOwn(gates, name)
      ? gates[name as GateName]
      : Object.hasOwn(components, name) && components[name]! >= REQUIRED_BP;
    if (!holds) reasons.push(`required_check_failed:${name}`);
  }
  return reasons;
}

/**
 * The complete verification of a submission, in integer basis points. Pure; never throws on strings without unpaired
 * surrogates (requests with such strings are refused earlier, protocol 1.2). Source: protocol 6.14.
 */
export function scoreSubmission(contract: TaskContract, submission: Submission): Verification {
  const { verifier, thresholdBp } = groupOf(contract.category);
  const output = outputOf(submission);
  const reading = new Reading(contract, output);
  const measures = measure(reading, output);
  const work: Work = { contract, output, reading, measures };
  const { components, overallBp, qualityBp } = verify(VERIFIERS[verifier], work);

  const gates = gatesOf(work, submission, overallBp >= thresholdBp);
  const reasonCodes = reasonsOf(gates, components, contract.required_checks);
  return {
    verifier,
    thresholdBp,
    components,
    relevanceBp: measures.cov,
    completenessBp: components.completeness!,
    qualityBp,
    overallBp,
    gates,
    reasonCodes,
    pass: reasonCodes.length === 0,
    factsHold: FACT_NAMES.every((name) => gates[name]),
  };
}
