// Arithmetic on quads, four elements of GF(2^255 - 19) side by side: the one place that chooses SIMD or scalar code.
// Keeps: every result is reduced (see quad-mul.ts) unless its comment says otherwise; operands may be the same quad.
// With LIMB_CHECKS (the checked build) every operand's bounds are asserted.

import { mulQuadSimd } from './quad-mul';
import { mulLanesScalar } from './quad-scalar';
import { sqrQuadSimd } from './quad-sqr';
import { sqrPairSimd } from './quad-sqr-pair';
import { LIMBS, QUAD_BYTES } from './sizes';

// 2p in limbs: added before a subtraction, so that no limb turns negative.
export const TWO_P_0: u32 = 0x7ffffda;
export const TWO_P_EVEN: u32 = 0x7fffffe;
export const TWO_P_ODD: u32 = 0x3fffffe;

export function twoPLimb(at: usize): u32 {
  return at == 0 ? TWO_P_0 : at & 16 ? TWO_P_ODD : TWO_P_EVEN;
}

/**
 * Asserts that even limbs are at most `fold` * 2^26 and odd ones `fold` * 2^25, with 1/64 on top: a reduced limb 1
 * may exceed 2^25 by 2^18. The bounds of quad-mul.ts have that room.
 */
export function assertFold(quad: usize, fold: u32): void {
  for (let at: usize = 0; at < QUAD_BYTES; at += 4) {
    const bits: u64 = (at >> 4) & 1 ? 25 : 26;
    const bound = (((<u64>fold) << bits) * 65) >> 6;
    assert(<u64>load<u32>(quad + at) <= bound, 'limb out of bounds');
  }
}

/** out = left * right. Left at most 9-fold, right 3-fold. */
export function mulQuad(out: usize, left: usize, right: usize): void {
  if (LIMB_CHECKS) {
    assertFold(left, 9);
    assertFold(right, 3);
  }
  if (ASC_FEATURE_SIMD) mulQuadSimd(out, left, right);
  else mulLanesScalar(out, left, right, 4);
  if (LIMB_CHECKS) assertFold(out, 1);
}

/** out = operand squared. At most 3-fold. */
export function sqrQuad(out: usize, operand: usize): void {
  if (LIMB_CHECKS) assertFold(operand, 3);
  if (ASC_FEATURE_SIMD) sqrQuadSimd(out, operand);
  else mulLanesScalar(out, operand, operand, 4);
  if (LIMB_CHECKS) assertFold(out, 1);
}

/** out = operand squared `times` times, in four lanes or the first two. */
export function sqrTimes(out: usize, operand: usize, times: u32, isPair: bool): void {
  for (let i: u32 = 0; i < times; i++) {
    if (isPair) sqrPair(out, operand);
    else sqrQuad(out, operand);
    operand = out;
  }
}

function sqrPair(out: usize, operand: usize): void {
  if (LIMB_CHECKS) assertFold(operand, 3);
  if (ASC_FEATURE_SIMD) sqrPairSimd(out, operand);
  else mulLanesScalar(out, operand, operand, 2);
  if (LIMB_CHECKS) assertFold(out, 1);
}

/** out = left + right, not reduced: folds add up. */
export function addQuad(out: usize, left: usize, right: usize): void {
  for (let at: usize = 0; at < QUAD_BYTES; at += 4) {
    store<u32>(out + at, load<u32>(left + at) + load<u32>(right + at));
  }
}

/** out = left - right + 2p, not reduced: the left's fold plus 2. Right must be 1-fold. */
export function subQuad(out: usize, left: usize, right: usize): void {
  if (LIMB_CHECKS) assertFold(right, 1);
  for (let at: usize = 0; at < QUAD_BYTES; at += 4) {
    store<u32>(out + at, load<u32>(left + at) + twoPLimb(at & 0xf0) - load<u32>(right + at));
  }
}

/** The same element in all four lanes, from its ten limbs in consecutive u32. */
export function splatQuad(out: usize, limbs: usize): void {
  for (let i: usize = 0; i < LIMBS; i++) {
    const limb = load<u32>(limbs + (i << 2));
    for (let lane: usize = 0; lane < 16; lane += 4) store<u32>(out + (i << 4) + lane, limb);
  }
}

/** Brings each lane, at most 32-fold, to 1-fold. */
export function carryQuad(quad: usize): void {
  for (let lane: usize = 0; lane < 16; lane += 4) {
    let carry: u32 = 0;
    for (let at = lane; at < QUAD_BYTES; at += 16) {
      const bits: u32 = at & 16 ? 25 : 26;
      const limb = load<u32>(quad + at) + carry;
      store<u32>(quad + at, limb & ((1 << bits) - 1));
      carry = limb >> bits;
    }
    store<u32>(quad + lane, load<u32>(quad + lane) + 19 * carry);
  }
}

/** Limb bits 26, 25, 26, 25, ... */
function limbBits(i: u32): u32 {
  return 26 - (i & 1);
}

const FROZEN: usize = memory.data(40, 8);

/**
 * One lane's element in its one canonical form, 0 <= x < p, as ten u32 limbs at the returned address, overwritten
 * by the next call. The lane may be up to 32-fold.
 */
export function freezeLane(quad: usize, lane: usize): usize {
  let carry: u64 = 0;
  // Two rounds: the first leaves a value below 2^255 + 19 * 64, the second carries its possible overflow.
  for (let i: u32 = 0; i < 20; i++) {
    const index = i < 10 ? i : i - 10;
    const at = FROZEN + (index << 2);
    const limb = carry + <u64>(i < 10 ? load<u32>(quad + (index << 4) + (lane << 2)) : load<u32>(at));
    store<u32>(at, <u32>limb & ((1 << limbBits(index)) - 1));
    carry = limb >> limbBits(index);
    if (index == 9) carry *= 19;
  }
  // If the second round overflowed, the value wrapped to less than 19 * 64, so limb 0 has room for 19 more.
  store<u32>(FROZEN, load<u32>(FROZEN) + <u32>carry);

  // x + 19 reaches 2^255 exactly when x >= p; then x + 19 without bit 255 is x - p.
  carry = 19;
  for (let i: u32 = 0; i < 10; i++) carry = (<u64>load<u32>(FROZEN + (i << 2)) + carry) >> limbBits(i);
  carry *= 19;
  for (let i: u32 = 0; i < 10; i++) {
    const limb = <u64>load<u32>(FROZEN + (i << 2)) + carry;
    store<u32>(FROZEN + (i << 2), <u32>limb & ((1 << limbBits(i)) - 1));
    carry = limb >> limbBits(i);
  }
  return FROZEN;
}

/** Whether one lane, up to 32-fold, is 0 modulo p. */
export function laneIsZero(quad: usize, lane: usize): bool {
  const limbs = freezeLane(quad, lane);
  let bits: u32 = 0;
  for (let i: usize = 0; i < LIMBS; i++) bits |= load<u32>(limbs + (i << 2));
  return bits == 0;
}
