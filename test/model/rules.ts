// The formulas of protocol 6 in BigInt, written to be read beside that text.
// Keeps: pure functions; amounts are bigint micro-units, times are seconds as numbers.

export const TOKEN = 1_000_000n;
export const SUPPLY = 1_000_000_000n * TOKEN;
/** Statistics end where JSON numbers do. */
export const CAP = 2n ** 53n - 1n;

/** 1.1 */
export const mul = (a: bigint, b: bigint, c: bigint): bigint => (a * b) / c;
export const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
export const capped = (a: bigint): bigint => min(a, CAP);

/** 6.2 */
export const baseFee = (amount: bigint): bigint => mul(amount, 10n, 10000n);
export const voterCut = (fee: bigint): bigint => mul(fee, 8000n, 10000n);

/** 6.11 */
export function grantTier(before: number): bigint {
  if (before < 1_000) return 50_000n * TOKEN;
  if (before < 10_000) return 10_000n * TOKEN;
  if (before < 100_000) return 1_000n * TOKEN;
  if (before < 800_000) return 100n * TOKEN;
  return 0n;
}

/** 6.8 */
export function stakedSince(oldSince: number, old: bigint, now: number, added: bigint): number {
  return Number((BigInt(oldSince) * old + BigInt(now) * added) / (old + added));
}

/** 6.8 and 6.10: 25 tasks for each whole 30 days. */
export function decayed(tasks: number, idleDays: number): number {
  return Math.max(0, tasks - Math.floor(idleDays / 30) * 25);
}

/** 6.8: both columns are needed. */
export function multiplier(effective: number, days: number): number {
  const tiers: [number, number, number][] = [
    [5, 100, 120],
    [4, 75, 90],
    [3, 50, 60],
    [2, 25, 30],
  ];
  for (const [factor, tasks, staked] of tiers) if (effective >= tasks && days >= staked) return factor;
  return 1;
}

/** 6.10 */
export function scoreBp(completed: number, failed: number, idleDays: number): number {
  if (completed + failed === 0) return 0;
  const volume = Math.min(decayed(completed, idleDays), 100);
  return Number(mul(BigInt(completed) * BigInt(volume), 100n, BigInt(completed + failed)));
}

/** 6.10 */
export function rateBp(completed: number, failed: number): number {
  if (completed + failed === 0) return 0;
  return Number(mul(BigInt(completed), 10000n, BigInt(completed + failed)));
}

/** 6.9 */
export const weight = (reputationBp: number, staked: bigint): bigint =>
  mul(BigInt(reputationBp), staked, 10000n);

/** 6.9: wins when its weight * 1000 >= 667 * S; S = 0 never. */
export const wins = (side: bigint, total: bigint): boolean => total > 0n && side * 1000n >= 667n * total;

/** 6.9 */
export function calibration(signals: number, correct: number): number {
  if (signals < 20) return 10000;
  const accuracy = Math.floor((correct * 10000) / signals);
  if (accuracy >= 9000) return 12000;
  return accuracy >= 6000 ? 10000 : 7000;
}

export const assignmentWeight = (calibrationBp: number, inProbation: boolean): number =>
  Math.floor((calibrationBp * (inProbation ? 3000 : 10000)) / 10000);

/** 6.7 */
export function requiredStake(volume: bigint, active: number, largest: bigint): bigint {
  const share = mul(volume, 5000n, 10000n * BigInt(Math.max(1, active)));
  return max(10_000n * TOKEN, max(share, mul(largest, 3000n, 10000n)));
}

/** 6.6 */
export const leastBond = (budget: bigint): bigint => max(TOKEN, mul(budget, 100n, 10000n));

/** 6.5, by OFFENSE_*: fraudulent approval, dishonest replay, collusion. */
export const offenseSlash = (stake: bigint, offense: number): bigint =>
  mul(stake, [0n, 3000n, 4000n, 7500n][offense]!, 10000n);

export interface FeeSplit {
  verifiers: bigint;
  reserve: bigint;
  executor: bigint;
  dispute: bigint;
  canary: bigint;
  /** Without what the verifiers could not be paid. */
  treasury: bigint;
}

/** 6.4: what is meant for each out of an assurance fee. */
export function feeSplit(fee: bigint, hasReplay: boolean): FeeSplit {
  const protocol = mul(fee, 1500n, 10000n);
  const parts = {
    verifiers: mul(fee, hasReplay ? 4000n : 6000n, 10000n),
    reserve: hasReplay ? 0n : mul(fee, 2500n, 10000n),
    executor: hasReplay ? mul(fee, 4500n, 10000n) : 0n,
    dispute: mul(protocol, 2000n, 10000n),
    canary: mul(protocol, 1300n, 10000n),
  };
  const given = Object.values(parts).reduce((a, b) => a + b, 0n);
  return { ...parts, treasury: fee - given };
}

/** 6.4: the executor's part of a fee, and what is missing to 5 tokens. */
export function executorPart(fee: bigint): { part: bigint; missing: bigint } {
  const part = feeSplit(fee, true).executor;
  return { part, missing: max(0n, 5n * TOKEN - part) };
}

export interface ReplayRate {
  bp: number;
  /** REPLAY_SAMPLED (1), _PROBATION (2) or _CLUSTER (3). */
  reason: number;
}

/** 6.12: the highest rate that applies. */
export function replayRate(of: {
  isBootstrap: boolean;
  isEligible: boolean;
  completed: number;
  hasProbation: boolean;
  hasCluster: boolean;
}): ReplayRate {
  const applying = [of.isBootstrap ? 4000 : 2000];
  if (of.isEligible) applying.push(of.isBootstrap ? 5000 : 3500);
  if (of.completed < 10) applying.push(of.isBootstrap ? 7500 : 5000);
  const usual = Math.max(...applying);
  if (of.hasCluster) return { bp: 10_000, reason: 3 };
  if (of.hasProbation && usual < 5000) return { bp: 5000, reason: 2 };
  return { bp: usual, reason: 1 };
}

/** 7.6: outcome, action, severity of compared checks; bits 0 and 1 tell a difference, bit 2 an anomaly. */
export function replayResult(checks: number[]): {
  outcome: number;
  action: number;
  severity: number;
  mismatches: number;
} {
  const [MATCH, PARTIAL, MISMATCH] = [1, 2, 3];
  const [NONE, FLAG, OPEN, SLASH] = [1, 2, 3, 4];
  const delta = (check: number): number => [0, 5000, 10_000][check & 3]!;
  const mismatches = checks.filter((c) => delta(c) > 0).length;
  const anomalies = checks.filter((c) => (c & 4) !== 0).length;
  const mean = Math.floor(checks.reduce((sum, c) => sum + delta(c), 0) / checks.length);
  const outcome = mismatches === 0 ? MATCH : mismatches * 2 <= checks.length ? PARTIAL : MISMATCH;
  let [action, severity] = [NONE, 0];
  if (outcome === PARTIAL)
    [action, severity] = mismatches === 1 && mean <= 3000 ? [FLAG, 3000] : [OPEN, 6000];
  if (outcome === MISMATCH) [action, severity] = [OPEN, 8000];
  severity = Math.min(10_000, severity + 1000 * anomalies);
  if (severity >= 9000) action = SLASH;
  return { outcome: outcome!, action: action!, severity, mismatches };
}
