// The verification score of protocol 6.14, policy v1: the public interface of this folder.
// Keeps: pure functions of their arguments, integers only, no Node module, so every node and every browser gets the
// same score for the same submission.

export { type BaselineCheck, baselineOf, type Comparison, compareChecks } from './baseline.ts';
export { type CanaryItem, canaryItem } from './canaries.ts';
export type { CanaryGroup } from './canary-subjects.ts';
export { resultHash, resultHashMatches, submittedEvidence } from './evidence.ts';
export { CHECK_NAMES, isNewText } from './gates.ts';
export { groupOf } from './policy.ts';
export { verificationResult, verificationScore } from './report.ts';
export { scoreSubmission } from './score.ts';
export type {
  Evidence,
  OutputType,
  SentEvidence,
  Submission,
  TaskContract,
  Verification,
  VerificationResult,
  VerificationScore,
  VerifierName,
} from './types.ts';
