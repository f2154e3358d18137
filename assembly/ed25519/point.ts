// Points of the curve -x^2 + y^2 = 1 + d x^2 y^2 in extended coordinates, x = X/Z, y = Y/Z, XY = ZT, as one quad, so
// that the four independent products of each formula are one multiplication of quads.
//   point   lanes (X, Z, Y, T)
//   cached  lanes (Y+X, 2Z, 2dT, Y-X): the form in which a point is added to another
// Addition is complete on this curve (d is no square): it holds for equal points, the neutral element and points of
// small order, so hostile keys need no special case. Order of lanes: the products (B, D, C, A) reversed are
// their partners in B-A, D-C, D+C, B+A, and the factors (E, F, G, H) rotated by one lane give
// (EF, FG, GH, HE) = (X, Z, Y, T).
// Source: Hisil, Wong, Carter, Dawson, "Twisted Edwards Curves Revisited" (2008), sections 3.1 and 3.3, a = -1.

import {
  addFactorsScalar,
  addOperandScalar,
  cachedOperandScalar,
  cachedScalar,
  doubleFactorsScalar,
  doubleOperandScalar,
  gatherTScalar,
  subFactorsScalar,
  swapOuterScalar,
  turnScalar,
} from './point-steps-scalar';
import {
  addFactorsSimd,
  addOperandSimd,
  cachedOperandSimd,
  cachedSimd,
  doubleFactorsSimd,
  doubleOperandSimd,
  gatherTSimd,
  initStepsSimd,
  subFactorsSimd,
  swapOuterSimd,
} from './point-steps-simd';
import { carryQuad, freezeLane, laneIsZero, mulQuad, splatQuad, sqrQuad } from './quad';
import { LIMBS, QUAD_BYTES } from './sizes';

export const X: usize = 0;
export const Z: usize = 1;
export const Y: usize = 2;
export const T: usize = 3;

// biome-ignore format: limbs of 2d
const TWICE_D_LIMBS: usize = memory.data<u32>([
  45281625, 27714825, 36363642, 13898781, 229458, 15978800, 54557047, 27058993, 29715967, 9444199,
]);
export const TWICE_D: usize = memory.data(QUAD_BYTES, 16);

const OPERAND: usize = memory.data(QUAD_BYTES, 16);
const PRODUCTS: usize = memory.data(QUAD_BYTES, 16);
const LEFT: usize = memory.data(QUAD_BYTES, 16);
const RIGHT: usize = memory.data(QUAD_BYTES, 16);

export function initPoints(): void {
  if (ASC_FEATURE_SIMD) initStepsSimd();
  splatQuad(TWICE_D, TWICE_D_LIMBS);
}

export function setNeutral(point: usize): void {
  memory.fill(point, 0, QUAD_BYTES);
  store<u32>(point, 1, Z << 2);
  store<u32>(point, 1, Y << 2);
}

/** out = cached, or its negative, as a point: the sum with the neutral element, whose products are the operand itself. */
export function setCached(out: usize, cached: usize, negative: bool): void {
  memory.copy(PRODUCTS, cached, QUAD_BYTES);
  for (let at: usize = 0; at < QUAD_BYTES; at += 16) {
    if (negative) {
      store<u32>(PRODUCTS + at, load<u32>(cached + at, 12));
      store<u32>(PRODUCTS + at, load<u32>(cached + at), 12);
    }
    store<u32>(PRODUCTS + at, 0, 8);
  }
  if (ASC_FEATURE_SIMD) addFactorsSimd(LEFT, RIGHT, PRODUCTS);
  else addFactorsScalar(LEFT, RIGHT, PRODUCTS);
  mulQuad(out, LEFT, RIGHT);
}

/** out = point + cached. */
export function addCached(out: usize, point: usize, cached: usize): void {
  if (ASC_FEATURE_SIMD) addOperandSimd(OPERAND, point);
  else addOperandScalar(OPERAND, point);
  mulQuad(PRODUCTS, OPERAND, cached);
  if (ASC_FEATURE_SIMD) addFactorsSimd(LEFT, RIGHT, PRODUCTS);
  else addFactorsScalar(LEFT, RIGHT, PRODUCTS);
  mulQuad(out, LEFT, RIGHT);
}

/** out = point - cached: the negative swaps Y+X with Y-X and negates T. */
export function subCached(out: usize, point: usize, cached: usize): void {
  if (ASC_FEATURE_SIMD) {
    addOperandSimd(OPERAND, point);
    swapOuterSimd(RIGHT, cached);
  } else {
    addOperandScalar(OPERAND, point);
    swapOuterScalar(RIGHT, cached);
  }
  mulQuad(PRODUCTS, OPERAND, RIGHT);
  if (ASC_FEATURE_SIMD) subFactorsSimd(LEFT, RIGHT, PRODUCTS);
  else subFactorsScalar(LEFT, RIGHT, PRODUCTS);
  mulQuad(out, LEFT, RIGHT);
}

function doubleFactors(): void {
  if (ASC_FEATURE_SIMD) {
    doubleFactorsSimd(LEFT, RIGHT, PRODUCTS);
  } else {
    doubleFactorsScalar(LEFT, PRODUCTS);
    carryQuad(LEFT);
    turnScalar(RIGHT, LEFT);
  }
}

/** out = 2 * point; the point's T is not read. */
export function doublePoint(out: usize, point: usize): void {
  if (ASC_FEATURE_SIMD) doubleOperandSimd(OPERAND, point);
  else doubleOperandScalar(OPERAND, point);
  sqrQuad(PRODUCTS, OPERAND);
  doubleFactors();
  mulQuad(out, LEFT, RIGHT);
}

/** out = 2 * cached: (2X : 2Z : 2Y) is read off its sums, which must be 1-fold, and a doubling needs no T. */
export function doubleCached(out: usize, cached: usize): void {
  if (ASC_FEATURE_SIMD) cachedOperandSimd(OPERAND, cached);
  else cachedOperandScalar(OPERAND, cached);
  sqrQuad(PRODUCTS, OPERAND);
  doubleFactors();
  mulQuad(out, LEFT, RIGHT);
}

/**
 * Turns four points, one after another in memory, into their cached forms: their T are multiplied by 2d at once.
 * The sums stay unreduced: folds 2, 2, 1, 3, good for a right operand.
 */
export function cacheFour(points: usize): void {
  if (ASC_FEATURE_SIMD) gatherTSimd(OPERAND, points);
  else gatherTScalar(OPERAND, points);
  mulQuad(PRODUCTS, OPERAND, TWICE_D);
  for (let lane: usize = 0; lane < 4; lane++) {
    const point = points + lane * QUAD_BYTES;
    cachedFrom(point, point, PRODUCTS + (lane << 2));
  }
}

/** out = the cached form of one point, with the folds of cacheFour. */
export function cachePoint(out: usize, point: usize): void {
  mulQuad(PRODUCTS, point, TWICE_D);
  cachedFrom(out, point, PRODUCTS + (T << 2));
}

function cachedFrom(out: usize, point: usize, product: usize): void {
  if (ASC_FEATURE_SIMD) cachedSimd(out, point, product);
  else cachedScalar(out, point, product);
}

/** Whether 8 * point is the neutral element: the cofactored equation of ZIP-215. Overwrites the point. */
export function isNeutralTimesEight(point: usize): bool {
  for (let i = 0; i < 3; i++) doublePoint(point, point);
  if (!laneIsZero(point, X)) return false;
  const y = freezeLane(point, Y);
  memory.copy(OPERAND, y, LIMBS << 2);
  return memory.compare(OPERAND, freezeLane(point, Z), LIMBS << 2) == 0;
}
