// The formulas of DECISIONS 6 in BigInt, written to be read beside that text.
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
