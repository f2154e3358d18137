// Points from their 32-byte encodings, four at a time, by the rule of ZIP-215.
// Keeps: any y is taken modulo p, canonical or not, and x = 0 with its sign bit set is 0; an encoding is refused only
// if no point has that y. Nothing here checks small order: the equation's cofactor makes it harmless.
// Source: RFC 8032, 5.1.3, with the checks of step 1 and 4 left out as ZIP-215 demands.

import { powerForRoot } from './field-power';
import { TWICE_D } from './point';
import {
  addQuad,
  carryQuad,
  freezeLane,
  laneIsZero,
  mulQuad,
  splatQuad,
  sqrQuad,
  subQuad,
  twoPLimb,
} from './quad';
import { LIMBS, QUAD_BYTES } from './sizes';

// biome-ignore format: limbs of d
const D_LIMBS: usize = memory.data<u32>([
  56195235, 13857412, 51736253, 6949390, 114729, 24766616, 60832955, 30306712, 48412415, 21499315,
]);
// biome-ignore format: limbs of a square root of -1
const ROOT_LIMBS: usize = memory.data<u32>([
  34513072, 25610706, 9377949, 3500415, 12389472, 33281959, 41962654, 31548777, 326685, 11406482,
]);
const D: usize = memory.data(QUAD_BYTES, 16);
const ROOT: usize = memory.data(QUAD_BYTES, 16);

const YQ: usize = memory.data(QUAD_BYTES, 16);
const XQ: usize = memory.data(QUAD_BYTES, 16);
const YY: usize = memory.data(QUAD_BYTES, 16);
const U: usize = memory.data(QUAD_BYTES, 16);
const V: usize = memory.data(QUAD_BYTES, 16);
const V3: usize = memory.data(QUAD_BYTES, 16);
const W: usize = memory.data(QUAD_BYTES, 16);
const POWER: usize = memory.data(QUAD_BYTES, 16);

/** Four encodings by their addresses, and where the cached forms of their points go. */
export const DECODE_FROM: usize = memory.data(16, 4);
export const DECODE_TO: usize = memory.data(16, 4);

export function initDecode(): void {
  splatQuad(D, D_LIMBS);
  splatQuad(ROOT, ROOT_LIMBS);
}

/** The low 255 bits of an encoding as the limbs of one lane: 1-fold, not necessarily below p. */
function loadLane(quad: usize, lane: usize, encoding: usize): void {
  for (let i: usize = 0; i < LIMBS; i++) {
    const bit = (51 * i + 1) >> 1;
    const byte = min(bit >> 3, 24);
    const limb = load<u64>(encoding + byte) >> (bit - (byte << 3));
    store<u32>(quad + (i << 4) + (lane << 2), <u32>limb & ((1 << (26 - (<u32>i & 1))) - 1));
  }
}

function copyLane(out: usize, from: usize, lane: usize): void {
  for (let at = lane << 2; at < QUAD_BYTES; at += 16) store<u32>(out + at, load<u32>(from + at));
}

function negateLane(quad: usize, lane: usize): void {
  for (let at: usize = 0; at < QUAD_BYTES; at += 16) {
    const place = quad + at + (lane << 2);
    store<u32>(place, twoPLimb(at) - load<u32>(place));
  }
}

/** XQ = a candidate for sqrt(u/v), u = y^2 - 1, v = d y^2 + 1: right up to a factor sqrt(-1), if there is any root. */
function rootCandidates(isPair: bool): void {
  sqrQuad(YY, YQ);
  mulQuad(V, YY, D);
  for (let lane: usize = 0; lane < 16; lane += 4) {
    store<u32>(V + lane, load<u32>(V + lane) + 1);
  }
  for (let at: usize = 0; at < QUAD_BYTES; at += 4) {
    store<u32>(U + at, load<u32>(YY + at) + twoPLimb(at & 0xf0) - u32(at < 16));
  }
  sqrQuad(V3, V);
  mulQuad(V3, V3, V);
  sqrQuad(W, V3);
  mulQuad(W, W, V);
  mulQuad(W, U, W); // u v^7
  powerForRoot(POWER, W, isPair);
  mulQuad(V3, U, V3);
  mulQuad(XQ, V3, POWER);
}

/** Makes each lane of XQ a true root where there is one. Returns a bit for each lane that has one. */
function correctRoots(): u32 {
  sqrQuad(W, XQ);
  mulQuad(W, W, V); // v x^2: u or -u if a root exists
  mulQuad(V3, XQ, ROOT);
  subQuad(POWER, W, YY);
  for (let lane: usize = 0; lane < 16; lane += 4) {
    store<u32>(POWER + lane, load<u32>(POWER + lane) + 1);
  }
  addQuad(W, W, U);
  let found: u32 = 0;
  for (let lane: usize = 0; lane < 4; lane++) {
    if (laneIsZero(POWER, lane)) {
      found |= 1 << (<u32>lane);
    } else if (laneIsZero(W, lane)) {
      found |= 1 << (<u32>lane);
      copyLane(XQ, V3, lane);
    }
  }
  return found;
}

/** Writes the cached forms of (x, y) to their places: Z = 1, sums 1-fold. */
function storeCached(): void {
  mulQuad(W, XQ, YQ);
  mulQuad(W, W, TWICE_D);
  addQuad(U, YQ, XQ);
  carryQuad(U);
  // XQ may have been negated to 2p - x, no limb of which exceeds 2p's.
  for (let at: usize = 0; at < QUAD_BYTES; at += 4) {
    store<u32>(V + at, load<u32>(YQ + at) + twoPLimb(at & 0xf0) - load<u32>(XQ + at));
  }
  carryQuad(V);
  for (let lane: usize = 0; lane < 4; lane++) {
    const out = load<u32>(DECODE_TO + (lane << 2));
    for (let at: usize = 0; at < QUAD_BYTES; at += 16) {
      const from = at + (lane << 2);
      store<u32>(out + at, load<u32>(U + from));
      store<u32>(out + at, at == 0 ? 2 : 0, 4);
      store<u32>(out + at, load<u32>(W + from), 8);
      store<u32>(out + at, load<u32>(V + from), 12);
    }
  }
}

/**
 * Decodes the four encodings of DECODE_FROM to DECODE_TO, or only the first two (then the last two mean nothing, but
 * must be addresses). Returns a bit for each lane that is a point; what is written for the others means nothing.
 */
export function decodeFour(isPair: bool): u32 {
  for (let lane: usize = 0; lane < 4; lane++) loadLane(YQ, lane, load<u32>(DECODE_FROM + (lane << 2)));
  rootCandidates(isPair);
  const found = correctRoots();
  for (let lane: usize = 0; lane < 4; lane++) {
    const sign = load<u8>(load<u32>(DECODE_FROM + (lane << 2)) + 31) >> 7;
    if ((load<u32>(freezeLane(XQ, lane)) & 1) != sign) negateLane(XQ, lane);
  }
  storeCached();
  return found;
}
