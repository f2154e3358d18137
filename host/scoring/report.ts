// The API objects of a verification: the only place where basis points become ratios.

import type { Verification, VerificationResult, VerificationScore } from './types.ts';

/** bp ÷ 10000; exact to four decimals, the precision of a ratio on the wire (protocol 1.1). */
const ratio = (bp: number): number => bp / 10_000;

/** `verification_score` of a task. */
export function verificationScore(verification: Verification): VerificationScore {
  return {
    relevance: ratio(verification.relevanceBp),
    completeness: ratio(verification.completenessBp),
    quality: ratio(verification.qualityBp),
    overall: ratio(verification.overallBp),
  };
}

/** `verification` of a task: the whole VerificationResult of protocol 3.4. */
export function verificationResult(verification: Verification): VerificationResult {
  const components = Object.entries(verification.components).map(([name, bp]) => [name, ratio(bp)]);
  return {
    verdict: verification.pass ? 'pass' : 'fail',
    policy_version: 'v1',
    trust_proof: '',
    threshold: ratio(verification.thresholdBp),
    reason_codes: verification.reasonCodes,
    deterministic_report: {
      verifier: verification.verifier,
      gates: verification.gates,
      components: Object.fromEntries(components),
      overall: ratio(verification.overallBp),
    },
    subjective_report: verificationScore(verification),
  };
}
