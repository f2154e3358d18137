// The verdict on a replay's compared checks: outcome, action, severity (protocol 7.6).
// Keeps: a match needs a result for every check of the baseline, and there is at least one.

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
} from '../abi';

const ARTIFACT_DELTA: u32 = 5000;
const FULL_DELTA: u32 = 10000;
const FLAG_MAX_DELTA: u32 = 3000;
const FLAG_BP: u32 = 3000;
const PARTIAL_BP: u32 = 6000;
const MISMATCH_BP: u32 = 8000;
const ANOMALY_BP: u32 = 1000;
const MAX_BP: u32 = 10000;
const SLASH_BP: u32 = 9000;

/** The last verdict computed. */
@unmanaged
export class Verdict {
  /** OUTCOME_*, ACTION_*. */
  outcome: u32;
  action: u32;
  severityBp: u32;
  mismatches: u32;
}
const VERDICT: usize = memory.data(16, 8);

export function verdict(): Verdict {
  return changetype<Verdict>(VERDICT);
}

function deltaOf(compared: u32): u32 {
  const kind = compared & ~(<u32>COMPARED_ANOMALY);
  if (kind == COMPARED_DIFFERS) return FULL_DELTA;
  return kind == COMPARED_ARTIFACT_DIFFERS ? ARTIFACT_DELTA : 0;
}

// Outcome, action and severity without anomalies.
function judge(v: Verdict, outcome: u32, action: u32, severityBp: u32): void {
  v.outcome = outcome;
  v.action = action;
  v.severityBp = severityBp;
}

/** Computes the verdict on `checks` (at least one) bytes COMPARED_* at the address. Mean deltas are floored. */
export function compareChecks(at: usize, checks: u32): Verdict {
  const v = verdict();
  let anomalies: u32 = 0;
  let delta: u32 = 0;
  v.mismatches = 0;
  for (let i: usize = 0; i < checks; i++) {
    const compared = <u32>load<u8>(at + i);
    if ((compared & COMPARED_ANOMALY) != 0) anomalies++;
    if (deltaOf(compared) != 0) v.mismatches++;
    delta += deltaOf(compared);
  }
  if (v.mismatches == 0) judge(v, OUTCOME_MATCH, ACTION_NONE, 0);
  else if (v.mismatches * 2 > checks) judge(v, OUTCOME_MISMATCH, ACTION_OPEN_CHALLENGE, MISMATCH_BP);
  else if (v.mismatches == 1 && delta / checks <= FLAG_MAX_DELTA) {
    judge(v, OUTCOME_PARTIAL_MATCH, ACTION_FLAG, FLAG_BP);
  } else judge(v, OUTCOME_PARTIAL_MATCH, ACTION_OPEN_CHALLENGE, PARTIAL_BP);
  v.severityBp = min<u32>(v.severityBp + anomalies * ANOMALY_BP, MAX_BP);
  if (v.severityBp >= SLASH_BP) v.action = ACTION_SLASH;
  return v;
}

/** The verdict of an outcome (OUTCOME_*) that the executor reports without checks (protocol 4.8): severity 0. */
export function verdictOfOutcome(outcome: u32): Verdict {
  const v = verdict();
  v.mismatches = 0;
  if (outcome == OUTCOME_MATCH) judge(v, outcome, ACTION_NONE, 0);
  else if (outcome == OUTCOME_PARTIAL_MATCH) judge(v, outcome, ACTION_FLAG, 0);
  else judge(v, outcome, ACTION_OPEN_CHALLENGE, 0);
  return v;
}
