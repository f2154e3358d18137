// The linear steps between the multiplications of the point formulas, with SIMD; point.ts explains the formulas.
// Keeps: subtractions add 2p first, so limbs never turn negative; the folds (see quad-mul.ts) stand at each function.
// `v128.shuffle<i32>(p, p, 2, 1, 3, 2)` reads: lane 0 takes coordinate 2, lane 1 takes 1, ...

const QUAD_END: usize = 160;

/** A limb of 2p in the chosen lanes, 0 in the others. */
function twoP(at: usize, lanes: v128): v128 {
  const limb = at == 0 ? 0x7ffffda : at & 16 ? 0x3fffffe : 0x7fffffe;
  return v128.and(i32x4.splat(limb), lanes);
}

/** (X, Z, Y, T) -> (Y+X, Z, T, Y-X): folds 2, 1, 1, 3. */
export function addOperandSimd(out: usize, point: usize): void {
  const lane3 = i32x4(0, 0, 0, -1);
  const sign = i32x4(1, 0, 0, -1);
  for (let at: usize = 0; at < QUAD_END; at += 16) {
    const p = v128.load(point + at);
    const x = i32x4.mul(v128.shuffle<i32>(p, p, 0, 0, 0, 0), sign);
    const y = v128.shuffle<i32>(p, p, 2, 1, 3, 2);
    v128.store(out + at, i32x4.add(i32x4.add(y, twoP(at, lane3)), x));
  }
}

/** The operand with its outer coordinates exchanged: half of what negates a cached point. */
export function swapOuterSimd(out: usize, cached: usize): void {
  for (let at: usize = 0; at < QUAD_END; at += 16) {
    const q = v128.load(cached + at);
    v128.store(out + at, v128.shuffle<i32>(q, q, 3, 1, 2, 0));
  }
}

/** (B, D, C, A) -> left (E, F, G, H) = (B-A, D-C, D+C, B+A) and right (F, G, H, E): folds 3, 3, 2, 2. */
export function addFactorsSimd(left: usize, right: usize, products: usize): void {
  const negated = i32x4(-1, -1, 0, 0);
  const sign = i32x4(-1, -1, 1, 1);
  for (let at: usize = 0; at < QUAD_END; at += 16) {
    const r = v128.load(products + at);
    const other = i32x4.mul(v128.shuffle<i32>(r, r, 3, 2, 1, 0), sign);
    const v = i32x4.add(i32x4.add(r, twoP(at, negated)), other);
    v128.store(left + at, v);
    v128.store(right + at, v128.shuffle<i32>(v, v, 1, 2, 3, 0));
  }
}

/** As addFactors with C negated: left (B-A, D+C, D-C, B+A): folds 3, 2, 3, 2. */
export function subFactorsSimd(left: usize, right: usize, products: usize): void {
  const negated = i32x4(-1, 0, -1, 0);
  const sign = i32x4(-1, 1, 1, 1);
  const own = i32x4(1, 1, -1, 1);
  for (let at: usize = 0; at < QUAD_END; at += 16) {
    const r = v128.load(products + at);
    const other = i32x4.mul(v128.shuffle<i32>(r, r, 3, 2, 1, 0), sign);
    const v = i32x4.add(i32x4.add(i32x4.mul(r, own), twoP(at, negated)), other);
    v128.store(left + at, v);
    v128.store(right + at, v128.shuffle<i32>(v, v, 1, 2, 3, 0));
  }
}

/** (X, Z, Y, T) -> (X, Z, Y, X+Y): folds 1, 1, 1, 2. */
export function doubleOperandSimd(out: usize, point: usize): void {
  const lane3 = i32x4(0, 0, 0, -1);
  for (let at: usize = 0; at < QUAD_END; at += 16) {
    const p = v128.load(point + at);
    const y = v128.and(v128.shuffle<i32>(p, p, 2, 2, 2, 2), lane3);
    v128.store(out + at, i32x4.add(v128.shuffle<i32>(p, p, 0, 1, 2, 0), y));
  }
}

/**
 * (A, Z^2, B, S) -> left (E, F, G, H) = (A+B-S, 2 Z^2+A-B, A-B, A+B) and right (F, G, H, E), both carried to 1-fold:
 * E and F are 4- and 5-fold before, too large for a right operand.
 */
export function doubleFactorsSimd(left: usize, right: usize, products: usize): void {
  const negated = i32x4(-1, -1, -1, 0);
  const signB = i32x4(1, -1, -1, 1);
  const weights = i32x4(-1, 2, 0, 0);
  const even = i32x4.splat(0x3ffffff);
  const odd = i32x4.splat(0x1ffffff);
  let carry = i32x4.splat(0);
  for (let at: usize = 0; at < QUAD_END; at += 32) {
    const v = v128.add<i32>(doubleFactor(products, at, negated, signB, weights), carry);
    v128.store(left + at, v128.and(v, even));
    const w = v128.add<i32>(doubleFactor(products, at + 16, negated, signB, weights), i32x4.shr_u(v, 26));
    v128.store(left + at, v128.and(w, odd), 16);
    carry = i32x4.shr_u(w, 25);
  }
  v128.store(left, i32x4.add(v128.load(left), i32x4.mul(carry, i32x4.splat(19))));
  for (let at: usize = 0; at < QUAD_END; at += 16) {
    const v = v128.load(left + at);
    v128.store(right + at, v128.shuffle<i32>(v, v, 1, 2, 3, 0));
  }
}

function doubleFactor(products: usize, at: usize, negated: v128, signB: v128, weights: v128): v128 {
  const r = v128.load(products + at);
  const a = i32x4.add(v128.shuffle<i32>(r, r, 0, 0, 0, 0), twoP(at, negated));
  const b = i32x4.mul(v128.shuffle<i32>(r, r, 2, 2, 2, 2), signB);
  return i32x4.add(i32x4.add(a, b), i32x4.mul(v128.shuffle<i32>(r, r, 3, 1, 1, 1), weights));
}
