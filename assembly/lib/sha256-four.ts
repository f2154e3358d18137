// SHA-256 of up to four messages of one form at once: 512 bytes and a tag, as the state tree hashes them. In 128-bit vectors,
// a lane for each message, where the build has them; else one after the other.
// Keeps: the hashes of lib/sha256, whichever build; scratch space is fixed and outside the state.

import { begin, ROUND_CONSTANTS, sha256Tagged } from './sha256';

const SCHEDULE: usize = memory.data(1024, 16);
const STATE: usize = memory.data(128, 16);
const FIRST_STATE: usize = memory.data(32, 16);
const TAIL: usize = memory.data(64, 16);
const MESSAGES: u32 = 4;
const MESSAGE_BYTES: usize = 512;
const MESSAGE_BITS: u32 = 513 * 8;

/** Messages that wait to be hashed together: where each is, and where its hash goes. Empty when it is all zero. */
@unmanaged
export class Messages {
  count: u32;
  from0: usize;
  from1: usize;
  from2: usize;
  from3: usize;
  to0: usize;
  to1: usize;
  to2: usize;
  to3: usize;
}
export const MESSAGES_BYTES: i32 = 36;
const FROM: usize = 4;
const TO: usize = 20;

function rotate(x: v128, by: i32): v128 {
  return v128.or(v128.shr<u32>(x, by), v128.shl<u32>(x, 32 - by));
}
function xor3(x: v128, y: v128, z: v128): v128 {
  return v128.xor(v128.xor(x, y), z);
}
function add(x: v128, y: v128): v128 {
  return v128.add<u32>(x, y);
}
function smallSigma0(x: v128): v128 {
  return xor3(rotate(x, 7), rotate(x, 18), v128.shr<u32>(x, 3));
}
function smallSigma1(x: v128): v128 {
  return xor3(rotate(x, 17), rotate(x, 19), v128.shr<u32>(x, 10));
}
function bigSigma0(x: v128): v128 {
  return xor3(rotate(x, 2), rotate(x, 13), rotate(x, 22));
}
function bigSigma1(x: v128): v128 {
  return xor3(rotate(x, 6), rotate(x, 11), rotate(x, 25));
}
function choose(x: v128, y: v128, z: v128): v128 {
  return v128.bitselect(y, z, x);
}
function majority(x: v128, y: v128, z: v128): v128 {
  return v128.bitselect(v128.or(y, z), v128.and(y, z), x);
}
// h, the round's word and its constant.
function word(h: v128, at: usize, offset: usize): v128 {
  const constant = v128.load_splat<u32>(ROUND_CONSTANTS + at + offset);
  return add(add(h, constant), v128.load(SCHEDULE + (at << 2) + (offset << 2)));
}

// Four words of each message, big-endian, become four vectors of one word of each message.
function spread(a: usize, b: usize, c: usize, d: usize, to: usize): void {
  const ab = v128.shuffle<u32>(v128.load(a), v128.load(b), 0, 4, 1, 5);
  const abHigh = v128.shuffle<u32>(v128.load(a), v128.load(b), 2, 6, 3, 7);
  const cd = v128.shuffle<u32>(v128.load(c), v128.load(d), 0, 4, 1, 5);
  const cdHigh = v128.shuffle<u32>(v128.load(c), v128.load(d), 2, 6, 3, 7);
  v128.store(to, swap(v128.shuffle<u64>(ab, cd, 0, 2)));
  v128.store(to, swap(v128.shuffle<u64>(ab, cd, 1, 3)), 16);
  v128.store(to, swap(v128.shuffle<u64>(abHigh, cdHigh, 0, 2)), 32);
  v128.store(to, swap(v128.shuffle<u64>(abHigh, cdHigh, 1, 3)), 48);
}

// The bytes of each word in the other order.
function swap(x: v128): v128 {
  return v128.shuffle<u8>(x, x, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
}

function expand(a: usize, b: usize, c: usize, d: usize): void {
  for (let i: usize = 0; i < 64; i += 16) spread(a + i, b + i, c + i, d + i, SCHEDULE + (i << 2));
  for (let i: usize = SCHEDULE + 256; i < SCHEDULE + 1024; i += 16) {
    const near = add(smallSigma1(v128.load(i - 32)), v128.load(i - 112));
    v128.store(i, add(near, add(smallSigma0(v128.load(i - 240)), v128.load(i - 256))));
  }
}

function addTo(at: usize, x: v128): void {
  v128.store(at, add(v128.load(at), x));
}

// Compresses a block of each message into the eight vectors at STATE, as `compress` of lib/sha256 does with one.
function compressFour(blockA: usize, blockB: usize, blockC: usize, blockD: usize): void {
  expand(blockA, blockB, blockC, blockD);
  let a = v128.load(STATE);
  let b = v128.load(STATE, 16);
  let c = v128.load(STATE, 32);
  let d = v128.load(STATE, 48);
  let e = v128.load(STATE, 64);
  let f = v128.load(STATE, 80);
  let g = v128.load(STATE, 96);
  let h = v128.load(STATE, 112);
  let t: v128;
  for (let at: usize = 0; at < 256; at += 32) {
    t = add(add(word(h, at, 0), choose(e, f, g)), bigSigma1(e));
    d = add(d, t);
    h = add(t, add(bigSigma0(a), majority(a, b, c)));
    t = add(add(word(g, at, 4), choose(d, e, f)), bigSigma1(d));
    c = add(c, t);
    g = add(t, add(bigSigma0(h), majority(h, a, b)));
    t = add(add(word(f, at, 8), choose(c, d, e)), bigSigma1(c));
    b = add(b, t);
    f = add(t, add(bigSigma0(g), majority(g, h, a)));
    t = add(add(word(e, at, 12), choose(b, c, d)), bigSigma1(b));
    a = add(a, t);
    e = add(t, add(bigSigma0(f), majority(f, g, h)));
    t = add(add(word(d, at, 16), choose(a, b, c)), bigSigma1(a));
    h = add(h, t);
    d = add(t, add(bigSigma0(e), majority(e, f, g)));
    t = add(add(word(c, at, 20), choose(h, a, b)), bigSigma1(h));
    g = add(g, t);
    c = add(t, add(bigSigma0(d), majority(d, e, f)));
    t = add(add(word(b, at, 24), choose(g, h, a)), bigSigma1(g));
    f = add(f, t);
    b = add(t, add(bigSigma0(c), majority(c, d, e)));
    t = add(add(word(a, at, 28), choose(f, g, h)), bigSigma1(f));
    e = add(e, t);
    a = add(t, add(bigSigma0(b), majority(b, c, d)));
  }
  addTo(STATE, a);
  addTo(STATE + 16, b);
  addTo(STATE + 32, c);
  addTo(STATE + 48, d);
  addTo(STATE + 64, e);
  addTo(STATE + 80, f);
  addTo(STATE + 96, g);
  addTo(STATE + 112, h);
}

// The first and the second half of each hash.
function finishHalf(half: usize, to: Messages): void {
  const from = STATE + half * 64;
  const ab = v128.shuffle<u32>(swap(v128.load(from)), swap(v128.load(from, 16)), 0, 4, 1, 5);
  const abHigh = v128.shuffle<u32>(swap(v128.load(from)), swap(v128.load(from, 16)), 2, 6, 3, 7);
  const cd = v128.shuffle<u32>(swap(v128.load(from, 32)), swap(v128.load(from, 48)), 0, 4, 1, 5);
  const cdHigh = v128.shuffle<u32>(swap(v128.load(from, 32)), swap(v128.load(from, 48)), 2, 6, 3, 7);
  v128.store(to.to0 + half * 16, v128.shuffle<u64>(ab, cd, 0, 2));
  v128.store(to.to1 + half * 16, v128.shuffle<u64>(ab, cd, 1, 3));
  v128.store(to.to2 + half * 16, v128.shuffle<u64>(abHigh, cdHigh, 0, 2));
  v128.store(to.to3 + half * 16, v128.shuffle<u64>(abHigh, cdHigh, 1, 3));
}

function hashFour(m: Messages, tag: u8): void {
  begin(FIRST_STATE);
  for (let i: usize = 0; i < 8; i++) {
    v128.store(STATE + (i << 4), v128.load_splat<u32>(FIRST_STATE + (i << 2)));
  }
  for (let at: usize = 0; at < MESSAGE_BYTES; at += 64) {
    compressFour(m.from0 + at, m.from1 + at, m.from2 + at, m.from3 + at);
  }
  store<u16>(TAIL, ((<u16>0x80) << 8) | tag);
  store<u32>(TAIL, bswap<u32>(MESSAGE_BITS), 60);
  compressFour(TAIL, TAIL, TAIL, TAIL);
  finishHalf(0, m);
  finishHalf(1, m);
}

function fromAt(m: Messages, position: u32): usize {
  return load<usize>(changetype<usize>(m) + FROM + ((<usize>position) << 2));
}

function toAt(m: Messages, position: u32): usize {
  return load<usize>(changetype<usize>(m) + TO + ((<usize>position) << 2));
}

function put(m: Messages, position: u32, from: usize, to: usize): void {
  store<usize>(changetype<usize>(m) + FROM + ((<usize>position) << 2), from);
  store<usize>(changetype<usize>(m) + TO + ((<usize>position) << 2), to);
}

/** Hashes the messages that wait, each with `tag` behind it, as `sha256Tagged` does. */
export function hashMessages(m: Messages, tag: u8): void {
  const count = m.count;
  m.count = 0;
  if (ASC_FEATURE_SIMD) {
    if (count > 1) {
      // Two or three take no longer than four.
      for (let i = count; i < MESSAGES; i++) put(m, i, m.from0, m.to0);
      hashFour(m, tag);
      return;
    }
  }
  for (let i: u32 = 0; i < count; i++) sha256Tagged(fromAt(m, i), tag, toAt(m, i));
}

/** Adds a message of 512 bytes, which must stay as it is until it was hashed; hashes all when four wait. */
export function addMessage(m: Messages, from: usize, tag: u8, to: usize): void {
  put(m, m.count++, from, to);
  if (m.count == MESSAGES) hashMessages(m, tag);
}
