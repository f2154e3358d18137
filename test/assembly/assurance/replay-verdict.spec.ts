// The verdict table of a replay (protocol 7.6), row by row.

import {
  ACTION_FLAG,
  ACTION_NONE,
  ACTION_OPEN_CHALLENGE,
  ACTION_SLASH,
  COMPARED_ANOMALY,
  COMPARED_ARTIFACT_DIFFERS,
  COMPARED_DIFFERS,
  OUTCOME_MATCH,
  OUTCOME_MISMATCH,
  OUTCOME_PARTIAL_MATCH,
} from '../../../assembly/abi';
import { compareChecks, Verdict, verdictOfOutcome } from '../../../assembly/assurance/replay-verdict';

const CHECKS: usize = memory.data(64, 8);

/** `equal` checks that agree, then those with a different artifact, then those that differ. */
function compare(equal: u32, artifacts: u32, differing: u32, anomalies: u32 = 0): Verdict {
  const count = equal + artifacts + differing;
  memory.fill(CHECKS, 0, 64);
  for (let i = equal; i < equal + artifacts; i++) store<u8>(CHECKS + i, COMPARED_ARTIFACT_DIFFERS);
  for (let i = equal + artifacts; i < count; i++) store<u8>(CHECKS + i, COMPARED_DIFFERS);
  for (let i: u32 = 0; i < anomalies; i++) store<u8>(CHECKS + i, load<u8>(CHECKS + i) | COMPARED_ANOMALY);
  return compareChecks(CHECKS, count);
}

function expectVerdict(v: Verdict, outcome: u32, action: u32, severityBp: u32, mismatches: u32): void {
  expect(v.outcome).toBe(outcome, 'outcome');
  expect(v.action).toBe(action, 'action');
  expect(v.severityBp).toBe(severityBp, 'severity');
  expect(v.mismatches).toBe(mismatches, 'mismatches');
}

describe('compared checks', () => {
  it('no mismatch is a match', () => {
    expectVerdict(compare(9, 0, 0), OUTCOME_MATCH, ACTION_NONE, 0, 0);
    expectVerdict(compare(1, 0, 0), OUTCOME_MATCH, ACTION_NONE, 0, 0);
  });

  it('one mismatch with a mean delta up to 3000 is flagged', () => {
    expectVerdict(compare(3, 0, 1), OUTCOME_PARTIAL_MATCH, ACTION_FLAG, 3000, 1);
    expectVerdict(compare(1, 1, 0), OUTCOME_PARTIAL_MATCH, ACTION_FLAG, 3000, 1);
  });

  it('one mismatch with a higher mean delta, or two mismatches, open a challenge', () => {
    expectVerdict(compare(2, 0, 1), OUTCOME_PARTIAL_MATCH, ACTION_OPEN_CHALLENGE, 6000, 1);
    expectVerdict(compare(1, 0, 1), OUTCOME_PARTIAL_MATCH, ACTION_OPEN_CHALLENGE, 6000, 1);
    expectVerdict(compare(8, 2, 0), OUTCOME_PARTIAL_MATCH, ACTION_OPEN_CHALLENGE, 6000, 2);
  });

  it('mismatches in half of the checks are still partial, more are a mismatch', () => {
    expectVerdict(compare(3, 0, 3), OUTCOME_PARTIAL_MATCH, ACTION_OPEN_CHALLENGE, 6000, 3);
    expectVerdict(compare(3, 0, 4), OUTCOME_MISMATCH, ACTION_OPEN_CHALLENGE, 8000, 4);
    expectVerdict(compare(0, 1, 0), OUTCOME_MISMATCH, ACTION_OPEN_CHALLENGE, 8000, 1);
  });

  it('each anomaly adds 1000; from 9000 on a slash is recommended, at most 10000', () => {
    expectVerdict(compare(9, 0, 0, 1), OUTCOME_MATCH, ACTION_NONE, 1000, 0);
    expectVerdict(compare(9, 0, 0, 8), OUTCOME_MATCH, ACTION_NONE, 8000, 0);
    expectVerdict(compare(9, 0, 0, 9), OUTCOME_MATCH, ACTION_SLASH, 9000, 0);
    expectVerdict(compare(12, 0, 0, 12), OUTCOME_MATCH, ACTION_SLASH, 10000, 0);
    expectVerdict(compare(3, 0, 1, 4), OUTCOME_PARTIAL_MATCH, ACTION_FLAG, 7000, 1);
    expectVerdict(compare(3, 0, 3, 3), OUTCOME_PARTIAL_MATCH, ACTION_SLASH, 9000, 3);
    expectVerdict(compare(0, 0, 4, 1), OUTCOME_MISMATCH, ACTION_SLASH, 9000, 4);
  });
});

describe('a reported outcome', () => {
  it('has its action, and severity 0', () => {
    expectVerdict(verdictOfOutcome(OUTCOME_MATCH), OUTCOME_MATCH, ACTION_NONE, 0, 0);
    expectVerdict(verdictOfOutcome(OUTCOME_PARTIAL_MATCH), OUTCOME_PARTIAL_MATCH, ACTION_FLAG, 0, 0);
    expectVerdict(verdictOfOutcome(OUTCOME_MISMATCH), OUTCOME_MISMATCH, ACTION_OPEN_CHALLENGE, 0, 0);
  });
});
