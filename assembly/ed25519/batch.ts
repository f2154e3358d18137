// Many signatures at once: sum of z (S B - R - k A), times the cofactor, is neutral, with a random 128-bit z for each.
// A false signature passes with probability 2^-128, for its z would have to hit one value modulo L.
// Keeps: terms of equal keys are merged, so sixteen signers cost sixteen terms however many signatures they made.

import { BASE_TABLE, BASE_WIDTH } from './base-point';
import { isOpen, random, rPoint, scalarS, slotOfJob, weightedChallenge } from './jobs';
import { KEY_WIDTH, tableOf } from './key-cache';
import { addTerm, clearTerms, sumTerms } from './pippenger';
import { addCached, cachePoint, isNeutralTimesEight } from './point';
import { addProduct, addScalars, negateScalar, reduceWide } from './scalar';
import { keyTable } from './single';
import { QUAD_BYTES } from './sizes';
import { clearPlan, fillOddMultiples, MIN_BUCKETED_SIGNATURES, planTerm, runPlan } from './straus';

// Measured crossovers from Straus to buckets, in signatures and in distinct keys. They are chosen separately: a thousand
// signatures of sixteen signers have only sixteen long terms, for which buckets do not pay.
const MIN_BUCKETED_KEYS: u32 = 110;

const R_WIDTH: u32 = 4;
const R_MULTIPLES: u32 = 4;
const R_TABLE_BYTES: usize = 800;
const R_TABLES: usize = memory.data(120000, 16);

// The distinct keys of the range: their slots, and for each the sum of its scalars.
const KEY_SLOTS: usize = memory.data(4096, 16);
const KEY_SUMS: usize = memory.data(32768, 16);
// For each slot, 1 + its position among them while its range is verified, else 0.
const POSITIONS: usize = memory.data(4096, 16);
let keyCount: u32 = 0;

const WIDE_SUM: usize = memory.data(64, 16);
const BASE_SUM: usize = memory.data(32, 16);
const SUM: usize = memory.data(QUAD_BYTES, 16);
const BUCKET_SUM: usize = memory.data(QUAD_BYTES, 16);
const MEMBERS: usize = memory.data(2048, 16);
let memberCount: u32 = 0;

/** Collects the open signatures of the range, the scalar of B, and the merged scalars of the keys. */
function gather(from: u32, count: u32): void {
  memberCount = 0;
  keyCount = 0;
  memory.fill(WIDE_SUM, 0, 64);
  for (let i = from; i < from + count; i++) {
    if (!isOpen(i)) continue;
    store<u16>(MEMBERS + (memberCount++ << 1), <u16>i);
    addProduct(WIDE_SUM, random(i), scalarS(i));
    const slot = slotOfJob(i);
    const position = load<u16>(POSITIONS + (slot << 1));
    if (position != 0) {
      const sum = KEY_SUMS + ((position - 1) << 5);
      addScalars(sum, sum, weightedChallenge(i));
    } else {
      store<u32>(KEY_SLOTS + (keyCount << 2), slot);
      memory.copy(KEY_SUMS + (keyCount << 5), weightedChallenge(i), 32);
      store<u16>(POSITIONS + (slot << 1), <u16>++keyCount);
    }
  }
  for (let k: u32 = 0; k < keyCount; k++) {
    store<u16>(POSITIONS + (load<u32>(KEY_SLOTS + (k << 2)) << 1), 0);
  }
  reduceWide(BASE_SUM, WIDE_SUM);
}

/** Plans for Straus' method the terms of B and the keys if `keys`, and those of R if `nonces`. */
function planTerms(keys: bool, nonces: bool): void {
  if (keys) {
    planTerm(BASE_TABLE, BASE_SUM, 8, BASE_WIDTH, true);
    for (let k: u32 = 0; k < keyCount; k++) {
      planTerm(keyTable(load<u32>(KEY_SLOTS + (k << 2))), KEY_SUMS + (k << 5), 8, KEY_WIDTH, false);
    }
  }
  if (!nonces) return;
  for (let m: u32 = 0; m < memberCount; m++) {
    const index = load<u16>(MEMBERS + (m << 1));
    const table = R_TABLES + m * R_TABLE_BYTES;
    memory.copy(table, rPoint(index), QUAD_BYTES);
    fillOddMultiples(table, R_MULTIPLES);
    planTerm(table, random(index), 4, R_WIDTH, false);
  }
}

/** Adds the terms of R to the buckets, and those of B and the keys if `keys`. */
function addTerms(keys: bool): void {
  clearTerms(keys ? (memberCount + 2 * keyCount) >> 1 : memberCount);
  if (keys) {
    negateScalar(BASE_SUM, BASE_SUM);
    addTerm(BASE_TABLE, BASE_SUM, 8);
    for (let k: u32 = 0; k < keyCount; k++) {
      addTerm(tableOf(load<u32>(KEY_SLOTS + (k << 2))), KEY_SUMS + (k << 5), 8);
    }
  }
  for (let m: u32 = 0; m < memberCount; m++) {
    const index = load<u16>(MEMBERS + (m << 1));
    addTerm(rPoint(index), random(index), 4);
  }
}

/** SUM = the left side of the equation. */
function sumEquation(): void {
  const bucketed = memberCount >= MIN_BUCKETED_SIGNATURES;
  const keysBucketed = bucketed && keyCount >= MIN_BUCKETED_KEYS;
  clearPlan();
  planTerms(!keysBucketed, !bucketed);
  runPlan(SUM);
  if (!bucketed) return;
  addTerms(keysBucketed);
  sumTerms(BUCKET_SUM);
  cachePoint(BUCKET_SUM, BUCKET_SUM);
  addCached(SUM, SUM, BUCKET_SUM);
}

/** Whether all open signatures of the range are good; true for a range without any. */
export function verifyRange(from: u32, count: u32): bool {
  gather(from, count);
  if (memberCount == 0) return true;
  sumEquation();
  return isNeutralTimesEight(SUM);
}
