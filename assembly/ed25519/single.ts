// Verification of one signature: S B = R + k A, times the cofactor, with scalars of half length (half-scalars.ts).

import { BASE_HIGH_TABLE, BASE_TABLE, BASE_WIDTH } from './base-point';
import { HALF_U, HALF_V, halveScalar } from './half-scalars';
import { challenge, isOpen, rPoint, scalarS, slotOfJob } from './jobs';
import { DECODED, KEY_MULTIPLES, KEY_WIDTH, setState, stateOf, TABLED, tableOf } from './key-cache';
import { isNeutralTimesEight } from './point';
import { multiplyScalars } from './scalar';
import { QUAD_BYTES } from './sizes';
import { clearPlan, fillOddMultiples, planTerm, runPlan } from './straus';

const R_TABLE: usize = memory.data(1440, 16);
const WHOLE: usize = memory.data(32, 16);
const SUM: usize = memory.data(QUAD_BYTES, 16);

/** The odd multiples of a key, computed when first needed. */
export function keyTable(slot: u32): usize {
  const table = tableOf(slot);
  if (stateOf(slot) == DECODED) {
    fillOddMultiples(table, KEY_MULTIPLES);
    setState(slot, TABLED);
  }
  return table;
}

/** Whether loaded signature `index` is good. */
export function verifySingle(index: u32): bool {
  if (!isOpen(index)) return false;
  const isPositive = halveScalar(challenge(index));
  multiplyScalars(WHOLE, HALF_V, 4, scalarS(index));
  memory.copy(R_TABLE, rPoint(index), QUAD_BYTES);
  fillOddMultiples(R_TABLE, KEY_MULTIPLES);

  clearPlan();
  planTerm(BASE_TABLE, WHOLE, 4, BASE_WIDTH, false);
  planTerm(BASE_HIGH_TABLE, WHOLE + 16, 4, BASE_WIDTH, false);
  planTerm(R_TABLE, HALF_V, 4, KEY_WIDTH, true);
  planTerm(keyTable(slotOfJob(index)), HALF_U, 4, KEY_WIDTH, isPositive);
  runPlan(SUM);
  return isNeutralTimesEight(SUM);
}
