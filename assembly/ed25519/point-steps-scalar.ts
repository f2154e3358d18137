// The linear steps between the multiplications of the point formulas, lane by lane, for runtimes without SIMD.
// Each is equivalent to its namesake in point-steps-simd.ts, with the same bounds.

import { QUAD_BYTES } from './sizes';

function twoP(at: usize): u32 {
  return at == 0 ? 0x7ffffda : at & 16 ? 0x3fffffe : 0x7fffffe;
}

function storeLanes(out: usize, a: u32, b: u32, c: u32, d: u32): void {
  store<u32>(out, a);
  store<u32>(out, b, 4);
  store<u32>(out, c, 8);
  store<u32>(out, d, 12);
}

export function addOperandScalar(out: usize, point: usize): void {
  for (let at: usize = 0; at < QUAD_BYTES; at += 16) {
    const x = load<u32>(point + at);
    const z = load<u32>(point + at, 4);
    const y = load<u32>(point + at, 8);
    const t = load<u32>(point + at, 12);
    storeLanes(out + at, y + x, z, t, y + twoP(at) - x);
  }
}

export function swapOuterScalar(out: usize, cached: usize): void {
  for (let at: usize = 0; at < QUAD_BYTES; at += 16) {
    const sum = load<u32>(cached + at);
    const z = load<u32>(cached + at, 4);
    const t = load<u32>(cached + at, 8);
    const difference = load<u32>(cached + at, 12);
    storeLanes(out + at, difference, z, t, sum);
  }
}

export function addFactorsScalar(left: usize, right: usize, products: usize): void {
  for (let at: usize = 0; at < QUAD_BYTES; at += 16) {
    const b = load<u32>(products + at);
    const d = load<u32>(products + at, 4);
    const c = load<u32>(products + at, 8);
    const a = load<u32>(products + at, 12);
    storeFactors(left + at, right + at, b + twoP(at) - a, d + twoP(at) - c, d + c, b + a);
  }
}

export function subFactorsScalar(left: usize, right: usize, products: usize): void {
  for (let at: usize = 0; at < QUAD_BYTES; at += 16) {
    const b = load<u32>(products + at);
    const d = load<u32>(products + at, 4);
    const c = load<u32>(products + at, 8);
    const a = load<u32>(products + at, 12);
    storeFactors(left + at, right + at, b + twoP(at) - a, d + c, d + twoP(at) - c, b + a);
  }
}

function storeFactors(left: usize, right: usize, e: u32, f: u32, g: u32, h: u32): void {
  storeLanes(left, e, f, g, h);
  storeLanes(right, f, g, h, e);
}

export function doubleOperandScalar(out: usize, point: usize): void {
  for (let at: usize = 0; at < QUAD_BYTES; at += 16) {
    const x = load<u32>(point + at);
    const y = load<u32>(point + at, 8);
    storeLanes(out + at, x, load<u32>(point + at, 4), y, x + y);
  }
}

export function doubleFactorsScalar(left: usize, products: usize): void {
  for (let at: usize = 0; at < QUAD_BYTES; at += 16) {
    const a = load<u32>(products + at);
    const zz = load<u32>(products + at, 4);
    const b = load<u32>(products + at, 8);
    const s = load<u32>(products + at, 12);
    const p = twoP(at);
    storeLanes(left + at, a + b + p - s, 2 * zz + a + p - b, a + p - b, a + b);
  }
}

/** The right factors (F, G, H, E) from the left ones. */
export function turnScalar(right: usize, left: usize): void {
  for (let at: usize = 0; at < QUAD_BYTES; at += 16) {
    const e = load<u32>(left + at);
    const f = load<u32>(left + at, 4);
    storeLanes(right + at, f, load<u32>(left + at, 8), load<u32>(left + at, 12), e);
  }
}

export function cachedOperandScalar(out: usize, cached: usize): void {
  for (let at: usize = 0; at < QUAD_BYTES; at += 16) {
    const sum = load<u32>(cached + at);
    const difference = load<u32>(cached + at, 12);
    storeLanes(out + at, sum + twoP(at) - difference, load<u32>(cached + at, 4), sum + difference, 2 * sum);
  }
}

export function gatherTScalar(out: usize, points: usize): void {
  for (let at: usize = 0; at < QUAD_BYTES; at += 16) {
    const from = points + at;
    storeLanes(
      out + at,
      load<u32>(from, 12),
      load<u32>(from, 172),
      load<u32>(from, 332),
      load<u32>(from, 492),
    );
  }
}

export function cachedScalar(out: usize, point: usize, products: usize): void {
  for (let at: usize = 0; at < QUAD_BYTES; at += 16) {
    const x = load<u32>(point + at);
    const z = load<u32>(point + at, 4);
    const y = load<u32>(point + at, 8);
    storeLanes(out + at, y + x, 2 * z, load<u32>(products + at), y + twoP(at) - x);
  }
}
