// Sums of products of limbs: `low` for the first two of four lanes, `high` for the last two, each product 64 bits.
// Each sum is one chain of additions on purpose: written as a tree it keeps more values alive than x86 has vector
// registers, and the spills cost three quarters of the speed (120 ns a product of four against 68).
// All are small enough that the compiler inlines them.

// biome-ignore format: operands in pairs
export function low3(
  acc: v128, a0: v128, b0: v128, a1: v128, b1: v128, a2: v128, b2: v128,
): v128 {
  acc = i64x2.add(acc, i64x2.extmul_low_i32x4_u(a0, b0));
  acc = i64x2.add(acc, i64x2.extmul_low_i32x4_u(a1, b1));
  return i64x2.add(acc, i64x2.extmul_low_i32x4_u(a2, b2));
}

// biome-ignore format: operands in pairs
export function high3(
  acc: v128, a0: v128, b0: v128, a1: v128, b1: v128, a2: v128, b2: v128,
): v128 {
  acc = i64x2.add(acc, i64x2.extmul_high_i32x4_u(a0, b0));
  acc = i64x2.add(acc, i64x2.extmul_high_i32x4_u(a1, b1));
  return i64x2.add(acc, i64x2.extmul_high_i32x4_u(a2, b2));
}

// biome-ignore format: operands in pairs
export function low5(
  acc: v128, a0: v128, b0: v128, a1: v128, b1: v128, a2: v128, b2: v128, a3: v128, b3: v128, a4: v128, b4: v128,
): v128 {
  acc = i64x2.add(acc, i64x2.extmul_low_i32x4_u(a0, b0));
  acc = i64x2.add(acc, i64x2.extmul_low_i32x4_u(a1, b1));
  acc = i64x2.add(acc, i64x2.extmul_low_i32x4_u(a2, b2));
  acc = i64x2.add(acc, i64x2.extmul_low_i32x4_u(a3, b3));
  return i64x2.add(acc, i64x2.extmul_low_i32x4_u(a4, b4));
}

// biome-ignore format: operands in pairs
export function high5(
  acc: v128, a0: v128, b0: v128, a1: v128, b1: v128, a2: v128, b2: v128, a3: v128, b3: v128, a4: v128, b4: v128,
): v128 {
  acc = i64x2.add(acc, i64x2.extmul_high_i32x4_u(a0, b0));
  acc = i64x2.add(acc, i64x2.extmul_high_i32x4_u(a1, b1));
  acc = i64x2.add(acc, i64x2.extmul_high_i32x4_u(a2, b2));
  acc = i64x2.add(acc, i64x2.extmul_high_i32x4_u(a3, b3));
  return i64x2.add(acc, i64x2.extmul_high_i32x4_u(a4, b4));
}

/** 19 times each 64-bit lane; lanes must be below 2^59. */
export function times19(c: v128): v128 {
  return i64x2.add(c, i64x2.shl(i64x2.add(c, i64x2.shl(c, 3)), 1));
}

/** One limb of four elements from the sums of its lanes, cut to the bits of `mask`. */
export function storeLimb(out: usize, low: v128, high: v128, mask: v128): void {
  v128.store(out, v128.and(v128.shuffle<i32>(low, high, 0, 2, 4, 6), mask));
}
