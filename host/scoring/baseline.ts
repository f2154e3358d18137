// What a replay is held against: the checks of the original verification, and how reported ones compare with them.
// Keeps: pure functions of stored texts, so every node says the same. Source: protocol 3.9 "checks", 7.6.

import { bareHash } from './evidence.ts';
import { BP } from './policy.ts';
import { REQUIRED_BP } from './score.ts';
import type { VerificationResult } from './types.ts';

/** One for each gate and component of a verification. */
export interface BaselineCheck {
  check_type: string;
  pass: boolean;
  /** The result's hash as it is compared, on the check that is about it. */
  artifact_hash?: string;
  /** Of a component, basis points. */
  value_bp?: number;
}

/** A check as its executor reports it. */
export interface CheckResult {
  readonly check_type: string;
  readonly pass: boolean;
  readonly artifact_hash?: string | undefined;
  readonly value_bp?: number | undefined;
}

export interface Comparison {
  check_type: string;
  delta_bp: number;
  anomaly: boolean;
}

/** The check whose artifact is the result itself. */
const ARTIFACT_CHECK = 'hash_valid';
const DELTA_ARTIFACT_BP = 5000;
const DELTA_CHECK_BP = 10_000;
/** A value may be off by this part of the baseline's. */
const TOLERANCE_BP = 1500;

/**
 * Checks of a verification: gates, then components, in the order of the report. A component passes as it would as a
 * required check (6.14). `resultHash`: of the submission.
 */
export function baselineOf(report: VerificationResult, resultHash: string): BaselineCheck[] {
  const { gates, components } = report.deterministic_report;
  const artifact = { artifact_hash: bareHash(resultHash) };
  const ofGates = Object.entries(gates).map(([check_type, pass]) => ({
    check_type,
    pass,
    ...(check_type === ARTIFACT_CHECK ? artifact : {}),
  }));
  const ofComponents = Object.entries(components).map(([check_type, ratio]) => {
    // A ratio is a whole number of basis points over 10,000: rounding finds that number again.
    const value_bp = Math.round(ratio * BP);
    return { check_type, pass: value_bp >= REQUIRED_BP, value_bp };
  });
  return [...ofGates, ...ofComponents];
}

function compare(check: BaselineCheck, result: CheckResult | undefined): Comparison {
  const { check_type, artifact_hash, value_bp } = check;
  if (!result) return { check_type, delta_bp: DELTA_CHECK_BP, anomaly: false };
  // What is not told was not reproduced: leaving it out must not be better than telling it.
  const isSameArtifact =
    artifact_hash === undefined || bareHash(result.artifact_hash ?? '') === artifact_hash;
  const off = value_bp === undefined ? 0 : Math.abs((result.value_bp ?? 0) - value_bp);
  const isUntold = value_bp !== undefined && result.value_bp === undefined;
  const anomaly = isUntold || off * BP > TOLERANCE_BP * (value_bp ?? 0);
  if (result.pass !== check.pass) return { check_type, delta_bp: DELTA_CHECK_BP, anomaly };
  return { check_type, delta_bp: isSameArtifact ? 0 : DELTA_ARTIFACT_BP, anomaly };
}

/** A comparison for each check of the baseline; of results of one type the first counts, unknown types nothing. */
export function compareChecks(
  baseline: readonly BaselineCheck[],
  results: readonly CheckResult[],
): Comparison[] {
  const byType = new Map<string, CheckResult>();
  for (const result of results) if (!byType.has(result.check_type)) byType.set(result.check_type, result);
  return baseline.map((check) => compare(check, byType.get(check.check_type)));
}
