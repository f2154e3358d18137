// Replays against their baseline: each kind of difference at its limit (protocol 7.6).

import { describe, expect, it } from 'vitest';
import {
  baselineOf,
  compareChecks,
  scoreSubmission,
  verificationResult,
} from '../../../host/scoring/index.ts';
import { task } from './tasks.ts';

const check = (over: object = {}) => ({ check_type: 'c', pass: true, ...over });
/** One comparison of a baseline check with what was reported for it. */
const compared = (baseline: object, result?: object) => {
  const [only] = compareChecks([check(baseline)], result ? [check(result)] : []);
  return [only!.delta_bp, only!.anomaly];
};

describe('the baseline', () => {
  it('has one check for each gate and component, the artifact on hash_valid', () => {
    const verification = scoreSubmission(task({ category: 'code' }), { result_content: 'x = 1;' });
    const checks = baselineOf(verificationResult(verification), 'sha256:ABC');
    expect(checks.map((c) => c.check_type)).toEqual([
      ...Object.keys(verification.gates),
      ...Object.keys(verification.components),
    ]);
    expect(checks.length).toBeLessThanOrEqual(50);
    for (const { check_type, pass, value_bp, artifact_hash } of checks) {
      const gate = verification.gates[check_type];
      const component = verification.components[check_type];
      expect([check_type, pass, value_bp]).toEqual([check_type, gate ?? component! >= 5000, component]);
      expect(artifact_hash).toBe(check_type === 'hash_valid' ? 'abc' : undefined);
    }
  });

  it('recovers every basis point from its ratio', () => {
    for (let bp = 0; bp <= 10_000; bp++) {
      const report = {
        deterministic_report: { verifier: 'code', gates: {}, components: { c: bp / 10_000 }, overall: 0 },
      };
      const [only] = baselineOf({ ...report } as unknown as Parameters<typeof baselineOf>[0], '');
      expect(only!.value_bp).toBe(bp);
    }
  });
});

describe('a comparison', () => {
  it('is 10000 for a check that is missing or has another outcome', () => {
    expect(compared({})).toEqual([10_000, false]);
    expect(compared({}, { pass: false })).toEqual([10_000, false]);
    expect(compared({ pass: false }, { pass: false })).toEqual([0, false]);
  });

  it('is 5000 for another or a missing artifact; case and prefix do not matter', () => {
    const baseline = { artifact_hash: 'abc' };
    expect(compared(baseline, { artifact_hash: 'SHA256:ABC' })).toEqual([0, false]);
    expect(compared(baseline, { artifact_hash: 'abd' })).toEqual([5000, false]);
    expect(compared(baseline, {})).toEqual([5000, false]);
    expect(compared({}, { artifact_hash: 'anything' })).toEqual([0, false]);
    expect(compared(baseline, { artifact_hash: 'abd', pass: false })).toEqual([10_000, false]);
  });

  it('is an anomaly beyond 15 percent of the value, not at it', () => {
    const baseline = { value_bp: 8000 };
    expect([6800, 9200].map((value_bp) => compared(baseline, { value_bp })[1])).toEqual([false, false]);
    expect([6799, 9201].map((value_bp) => compared(baseline, { value_bp })[1])).toEqual([true, true]);
    expect(compared(baseline, {})).toEqual([0, true]);
    expect(compared({ value_bp: 0 }, { value_bp: 0 })).toEqual([0, false]);
    expect(compared({ value_bp: 0 }, { value_bp: 1 })).toEqual([0, true]);
    expect(compared({}, { value_bp: 1 })).toEqual([0, false]);
    expect(compared({ value_bp: 1 }, { value_bp: Number.MAX_SAFE_INTEGER })).toEqual([0, true]);
  });

  it('uses the first of several results of a type, and none of unknown types', () => {
    const results = [check({ pass: false }), check(), { check_type: 'other', pass: true }];
    expect(compareChecks([check()], results)).toEqual([
      { check_type: 'c', delta_bp: 10_000, anomaly: false },
    ]);
  });
});
