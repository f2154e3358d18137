// SHA-256 (FIPS 180-4), over memory, without allocation.
// Keeps: a hash never depends on what was hashed before; scratch space is fixed and outside the state.
// `compress` is public so that callers with a common prefix can hash it once (validators/assignment).

/** The constants of the 64 rounds, u32 each. */
// biome-ignore format: a table
export const ROUND_CONSTANTS: usize = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);
const SCHEDULE: usize = memory.data(256, 16);
const STATE: usize = memory.data(32, 16);
const TAIL: usize = memory.data(128, 16);

function smallSigma0(x: u32): u32 {
  return rotr<u32>(x, 7) ^ rotr<u32>(x, 18) ^ (x >> 3);
}
function smallSigma1(x: u32): u32 {
  return rotr<u32>(x, 17) ^ rotr<u32>(x, 19) ^ (x >> 10);
}
function bigSigma0(x: u32): u32 {
  return rotr<u32>(x, 2) ^ rotr<u32>(x, 13) ^ rotr<u32>(x, 22);
}
function bigSigma1(x: u32): u32 {
  return rotr<u32>(x, 6) ^ rotr<u32>(x, 11) ^ rotr<u32>(x, 25);
}
function choose(x: u32, y: u32, z: u32): u32 {
  return z ^ (x & (y ^ z));
}
function majority(x: u32, y: u32, z: u32): u32 {
  return (x & y) | (z & (x | y));
}
// Schedule word plus its constant: one offset serves both tables.
function word(at: usize, offset: usize): u32 {
  return load<u32>(SCHEDULE + at + offset) + load<u32>(ROUND_CONSTANTS + at + offset);
}

function expand(block: usize): void {
  for (let i: usize = 0; i < 64; i += 4) store<u32>(SCHEDULE + i, bswap<u32>(load<u32>(block + i)));
  for (let i: usize = SCHEDULE + 64; i < SCHEDULE + 256; i += 4) {
    const near = smallSigma1(load<u32>(i - 8)) + load<u32>(i - 28);
    store<u32>(i, near + smallSigma0(load<u32>(i - 60)) + load<u32>(i - 64));
  }
}

/** Sets the eight words at `state` to the initial value. */
export function begin(state: usize): void {
  store<u32>(state, 0x6a09e667);
  store<u32>(state, 0xbb67ae85, 4);
  store<u32>(state, 0x3c6ef372, 8);
  store<u32>(state, 0xa54ff53a, 12);
  store<u32>(state, 0x510e527f, 16);
  store<u32>(state, 0x9b05688c, 20);
  store<u32>(state, 0x1f83d9ab, 24);
  store<u32>(state, 0x5be0cd19, 28);
}

/** Compresses one 64-byte block into the eight words at `state`. */
export function compress(state: usize, block: usize): void {
  expand(block);
  let a = load<u32>(state);
  let b = load<u32>(state, 4);
  let c = load<u32>(state, 8);
  let d = load<u32>(state, 12);
  let e = load<u32>(state, 16);
  let f = load<u32>(state, 20);
  let g = load<u32>(state, 24);
  let h = load<u32>(state, 28);
  let t: u32;
  // Eight rounds per iteration: afterwards each variable has its role again, so nothing is moved.
  for (let at: usize = 0; at < 256; at += 32) {
    t = h + bigSigma1(e) + choose(e, f, g) + word(at, 0);
    d += t;
    h = t + bigSigma0(a) + majority(a, b, c);
    t = g + bigSigma1(d) + choose(d, e, f) + word(at, 4);
    c += t;
    g = t + bigSigma0(h) + majority(h, a, b);
    t = f + bigSigma1(c) + choose(c, d, e) + word(at, 8);
    b += t;
    f = t + bigSigma0(g) + majority(g, h, a);
    t = e + bigSigma1(b) + choose(b, c, d) + word(at, 12);
    a += t;
    e = t + bigSigma0(f) + majority(f, g, h);
    t = d + bigSigma1(a) + choose(a, b, c) + word(at, 16);
    h += t;
    d = t + bigSigma0(e) + majority(e, f, g);
    t = c + bigSigma1(h) + choose(h, a, b) + word(at, 20);
    g += t;
    c = t + bigSigma0(d) + majority(d, e, f);
    t = b + bigSigma1(g) + choose(g, h, a) + word(at, 24);
    f += t;
    b = t + bigSigma0(c) + majority(c, d, e);
    t = a + bigSigma1(f) + choose(f, g, h) + word(at, 28);
    e += t;
    a = t + bigSigma0(b) + majority(b, c, d);
  }
  store<u32>(state, load<u32>(state) + a);
  store<u32>(state, load<u32>(state, 4) + b, 4);
  store<u32>(state, load<u32>(state, 8) + c, 8);
  store<u32>(state, load<u32>(state, 12) + d, 12);
  store<u32>(state, load<u32>(state, 16) + e, 16);
  store<u32>(state, load<u32>(state, 20) + f, 20);
  store<u32>(state, load<u32>(state, 24) + g, 24);
  store<u32>(state, load<u32>(state, 28) + h, 28);
}

/** Writes the hash in `state` as 32 bytes, big-endian words. */
export function finish(state: usize, to: usize): void {
  for (let i: usize = 0; i < 32; i += 4) store<u32>(to + i, bswap<u32>(load<u32>(state + i)));
}

// Pads and compresses the last `bytes` (below 64), which are at TAIL; `total` is the length of the message.
function closeTail(bytes: u32, total: u32): void {
  store<u8>(TAIL + bytes, 0x80);
  const blocks: usize = bytes < 56 ? 64 : 128;
  memory.fill(TAIL + bytes + 1, 0, blocks - bytes - 9);
  store<u64>(TAIL + blocks - 8, bswap<u64>((<u64>total) << 3));
  compress(STATE, TAIL);
  if (blocks == 128) compress(STATE, TAIL + 64);
}

/** SHA-256 of `bytes` at `from`, written to the 32 bytes at `to`; the two may overlap. */
export function sha256(from: usize, bytes: u32, to: usize): void {
  begin(STATE);
  const whole = from + (bytes & ~63);
  for (; from < whole; from += 64) compress(STATE, from);
  const rest = bytes & 63;
  memory.copy(TAIL, from, rest);
  closeTail(rest, bytes);
  finish(STATE, to);
}

/** SHA-256 of the 512 bytes at `from` followed by one byte `tag`: leaves and nodes of the state tree. */
export function sha256Tagged(from: usize, tag: u8, to: usize): void {
  begin(STATE);
  for (const end = from + 512; from < end; from += 64) compress(STATE, from);
  store<u8>(TAIL, tag);
  closeTail(1, 513);
  finish(STATE, to);
}
