// Multiplication of four field elements, one lane after another, for runtimes without SIMD.
// Same memory form, bounds and reduced result as quad-mul.ts, where both are explained.

const LEFT: usize = memory.data(80, 16);
const RIGHT: usize = memory.data(80, 16);

// biome-ignore format: one column of the product to a line
function mulLane(out: usize, left: usize, right: usize): void {
  for (let i: usize = 0; i < 10; i++) {
    store<u64>(LEFT + (i << 3), <u64>load<u32>(left + (i << 4)));
    store<u64>(RIGHT + (i << 3), <u64>load<u32>(right + (i << 4)));
  }
  const x0 = load<u64>(LEFT), x1 = load<u64>(LEFT, 8), x2 = load<u64>(LEFT, 16), x3 = load<u64>(LEFT, 24);
  const x4 = load<u64>(LEFT, 32), x5 = load<u64>(LEFT, 40), x6 = load<u64>(LEFT, 48), x7 = load<u64>(LEFT, 56);
  const x8 = load<u64>(LEFT, 64), x9 = load<u64>(LEFT, 72);
  const y0 = load<u64>(RIGHT), y1 = load<u64>(RIGHT, 8), y2 = load<u64>(RIGHT, 16), y3 = load<u64>(RIGHT, 24);
  const y4 = load<u64>(RIGHT, 32), y5 = load<u64>(RIGHT, 40), y6 = load<u64>(RIGHT, 48), y7 = load<u64>(RIGHT, 56);
  const y8 = load<u64>(RIGHT, 64), y9 = load<u64>(RIGHT, 72);
  const d1 = x1 << 1, d3 = x3 << 1, d5 = x5 << 1, d7 = x7 << 1, d9 = x9 << 1;
  const w1 = y1 * 19, w2 = y2 * 19, w3 = y3 * 19, w4 = y4 * 19, w5 = y5 * 19;
  const w6 = y6 * 19, w7 = y7 * 19, w8 = y8 * 19, w9 = y9 * 19;
  let z0 = x0 * y0 + d1 * w9 + x2 * w8 + d3 * w7 + x4 * w6 + d5 * w5 + x6 * w4 + d7 * w3 + x8 * w2 + d9 * w1;
  let z1 = x0 * y1 + x1 * y0 + x2 * w9 + x3 * w8 + x4 * w7 + x5 * w6 + x6 * w5 + x7 * w4 + x8 * w3 + x9 * w2 + (z0 >> 26);
  const z2 = x0 * y2 + d1 * y1 + x2 * y0 + d3 * w9 + x4 * w8 + d5 * w7 + x6 * w6 + d7 * w5 + x8 * w4 + d9 * w3 + (z1 >> 25);
  const z3 = x0 * y3 + x1 * y2 + x2 * y1 + x3 * y0 + x4 * w9 + x5 * w8 + x6 * w7 + x7 * w6 + x8 * w5 + x9 * w4 + (z2 >> 26);
  const z4 = x0 * y4 + d1 * y3 + x2 * y2 + d3 * y1 + x4 * y0 + d5 * w9 + x6 * w8 + d7 * w7 + x8 * w6 + d9 * w5 + (z3 >> 25);
  const z5 = x0 * y5 + x1 * y4 + x2 * y3 + x3 * y2 + x4 * y1 + x5 * y0 + x6 * w9 + x7 * w8 + x8 * w7 + x9 * w6 + (z4 >> 26);
  const z6 = x0 * y6 + d1 * y5 + x2 * y4 + d3 * y3 + x4 * y2 + d5 * y1 + x6 * y0 + d7 * w9 + x8 * w8 + d9 * w7 + (z5 >> 25);
  const z7 = x0 * y7 + x1 * y6 + x2 * y5 + x3 * y4 + x4 * y3 + x5 * y2 + x6 * y1 + x7 * y0 + x8 * w9 + x9 * w8 + (z6 >> 26);
  const z8 = x0 * y8 + d1 * y7 + x2 * y6 + d3 * y5 + x4 * y4 + d5 * y3 + x6 * y2 + d7 * y1 + x8 * y0 + d9 * w9 + (z7 >> 25);
  const z9 = x0 * y9 + x1 * y8 + x2 * y7 + x3 * y6 + x4 * y5 + x5 * y4 + x6 * y3 + x7 * y2 + x8 * y1 + x9 * y0 + (z8 >> 26);
  z0 = (z0 & 0x3ffffff) + 19 * (z9 >> 25);
  z1 = (z1 & 0x1ffffff) + (z0 >> 26);
  store<u32>(out, <u32>z0 & 0x3ffffff);
  store<u32>(out, <u32>z1, 16);
  store<u32>(out, <u32>z2 & 0x3ffffff, 32);
  store<u32>(out, <u32>z3 & 0x1ffffff, 48);
  store<u32>(out, <u32>z4 & 0x3ffffff, 64);
  store<u32>(out, <u32>z5 & 0x1ffffff, 80);
  store<u32>(out, <u32>z6 & 0x3ffffff, 96);
  store<u32>(out, <u32>z7 & 0x1ffffff, 112);
  store<u32>(out, <u32>z8 & 0x3ffffff, 128);
  store<u32>(out, <u32>z9 & 0x1ffffff, 144);
}

/** out = left * right in the first `lanes` lanes; bounds as mulQuadSimd. */
export function mulLanesScalar(out: usize, left: usize, right: usize, lanes: usize): void {
  for (let at: usize = 0; at < lanes << 2; at += 4) mulLane(out + at, left + at, right + at);
}
