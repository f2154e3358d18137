// The baseline of a replay: the checks of the original verification, and how reported checks compare with them.
// Keeps: pure functions of stored texts, so every node gets the same result. Source: protocol 3.9 "checks", 7.6.

import { bareHash } from './evidence.ts';
import { BP } from './policy.ts';
import { REQUIRED_BP } from './score.ts';
import type { VerificationResult } from './types.ts';

/** One for each gate and component of a verification. */
export interface BaselineCheck {
  check_type: string;
  pass: boolean;
  /** The result's hash in the form used for comparison; only on the check that covers it. */
  artifact_hash?: string;
  /** Value of a component, basis points. */
  value_bp?: number;
}

/** A check as reported by the replay's executor. */
interface CheckResult {
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
/** Largest accepted deviation, as a share of the baseline's value. */
const TOLERANCE_BP = 1500;

/**
 * Checks of a verification: gates, then components, in the order of the report. A component passes by the same rule as a
 * required check (protocol 6.14). `resultHash`: hash of the submitted result.
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
    // A ratio is a whole number of basis points over 10,000; rounding restores that number.
    const value_bp = Math.round(ratio * BP);
    return { check_type, pass: value_bp >= REQUIRED_BP, value_bp };
  });
  return [...ofGates, ...ofComponents];
}

function compare(check: BaselineCheck, result: CheckResult | undefined): Comparison {
  const { check_type, artifact_hash, value_bp } = check;
  if (!result) return { check_type, delta_bp: DELTA_CHECK_BP, anomaly: false };
  // A missing member counts as not reproduced: omitting it must not pay off.
  const isSameArtifact =
    artifact_hash === undefined || bareHash(result.artifact_hash ?? '') === artifact_hash;
  const off = value_bp === undefined ? 0 : Math.abs((result.value_bp ?? 0) - value_bp);
  const isMissing = value_bp !== undefined && result.value_bp === undefined;
  const anomaly = isMissing || off * BP > TOLERANCE_BP * (value_bp ?? 0);
  if (result.pass !== check.pass) return { check_type, delta_bp: DELTA_CHECK_BP, anomaly };
  return { check_type, delta_bp: isSameArtifact ? 0 : DELTA_ARTIFACT_BP, anomaly };
}

/** A comparison for each check of the baseline; the first result of each type counts, unknown types are ignored. */
export function compareChecks(
  baseline: readonly BaselineCheck[],
  results: readonly CheckResult[],
): Comparison[] {
  const byType = new Map<string, CheckResult>();
  for (const result of results) if (!byType.has(result.check_type)) byType.set(result.check_type, result);
  return baseline.map((check) => compare(check, byType.get(check.check_type)));
}
