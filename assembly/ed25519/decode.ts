// Points from their 32-byte encodings, four at a time, by the rule of ZIP-215.
// Keeps: any y is reduced modulo p, canonical or not, and x = 0 with its sign bit set is 0; an encoding is refused only
// if no point has that y. Nothing here checks for small order: the equation's cofactor makes it harmless.
// Source: RFC 8032, 5.1.3, without the checks of steps 1 and 4, as ZIP-215 demands. Names are those of its formulas:
// x = u v^3 (u v^7)^((p-5)/8), a square root of u/v if v x^2 = u; x sqrt(-1) is one if v x^2 = -u.

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

const X: usize = memory.data(QUAD_BYTES, 16);
const Y: usize = memory.data(QUAD_BYTES, 16);
const YY: usize = memory.data(QUAD_BYTES, 16);
const U: usize = memory.data(QUAD_BYTES, 16);
const V: usize = memory.data(QUAD_BYTES, 16);
const UV3: usize = memory.data(QUAD_BYTES, 16);
const UV7: usize = memory.data(QUAD_BYTES, 16);
const POWER: usize = memory.data(QUAD_BYTES, 16);
const VXX: usize = memory.data(QUAD_BYTES, 16);
const OTHER_X: usize = memory.data(QUAD_BYTES, 16);
const DIFFERENCE: usize = memory.data(QUAD_BYTES, 16);
const SUM: usize = memory.data(QUAD_BYTES, 16);
const Y_PLUS_X: usize = memory.data(QUAD_BYTES, 16);
const Y_MINUS_X: usize = memory.data(QUAD_BYTES, 16);
const TWICE_DT: usize = memory.data(QUAD_BYTES, 16);

/** Addresses of four encodings, and of the cached forms of their points. */
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
    const limb = quad + at + (lane << 2);
    store<u32>(limb, twoPLimb(at) - load<u32>(limb));
  }
}

/** X = a candidate for sqrt(u/v), u = y^2 - 1, v = d y^2 + 1: correct up to a factor sqrt(-1), if there is a root. */
function rootCandidates(isPair: bool): void {
  sqrQuad(YY, Y);
  mulQuad(V, YY, D);
  for (let lane: usize = 0; lane < 16; lane += 4) {
    store<u32>(V + lane, load<u32>(V + lane) + 1);
  }
  for (let at: usize = 0; at < QUAD_BYTES; at += 4) {
    store<u32>(U + at, load<u32>(YY + at) + twoPLimb(at & 0xf0) - u32(at < 16));
  }
  sqrQuad(UV3, V);
  mulQuad(UV3, UV3, V); // v^3
  sqrQuad(UV7, UV3);
  mulQuad(UV7, UV7, V);
  mulQuad(UV7, U, UV7);
  powerForRoot(POWER, UV7, isPair);
  mulQuad(UV3, U, UV3);
  mulQuad(X, UV3, POWER);
}

/** Makes each lane of X a true root where there is one. Returns a bit for each lane that has one. */
function correctRoots(): u32 {
  sqrQuad(VXX, X);
  mulQuad(VXX, VXX, V); // u or -u if a root exists
  mulQuad(OTHER_X, X, ROOT);
  subQuad(DIFFERENCE, VXX, YY); // v x^2 - u = v x^2 - y^2 + 1
  for (let lane: usize = 0; lane < 16; lane += 4) {
    store<u32>(DIFFERENCE + lane, load<u32>(DIFFERENCE + lane) + 1);
  }
  addQuad(SUM, VXX, U);
  let found: u32 = 0;
  for (let lane: usize = 0; lane < 4; lane++) {
    if (laneIsZero(DIFFERENCE, lane)) {
      found |= 1 << (<u32>lane);
    } else if (laneIsZero(SUM, lane)) {
      found |= 1 << (<u32>lane);
      copyLane(X, OTHER_X, lane);
    }
  }
  return found;
}

/** Writes the cached forms (Y+X, 2Z, 2dT, Y-X) of (x, y) to their addresses: Z = 1, sums 1-fold. */
function storeCached(): void {
  mulQuad(TWICE_DT, X, Y);
  mulQuad(TWICE_DT, TWICE_DT, TWICE_D);
  addQuad(Y_PLUS_X, Y, X);
  carryQuad(Y_PLUS_X);
  // X may have been negated to 2p - x, no limb of which exceeds 2p's.
  for (let at: usize = 0; at < QUAD_BYTES; at += 4) {
    store<u32>(Y_MINUS_X + at, load<u32>(Y + at) + twoPLimb(at & 0xf0) - load<u32>(X + at));
  }
  carryQuad(Y_MINUS_X);
  for (let lane: usize = 0; lane < 4; lane++) {
    const out = load<u32>(DECODE_TO + (lane << 2));
    for (let at: usize = 0; at < QUAD_BYTES; at += 16) {
      const from = at + (lane << 2);
      store<u32>(out + at, load<u32>(Y_PLUS_X + from));
      store<u32>(out + at, at == 0 ? 2 : 0, 4);
      store<u32>(out + at, load<u32>(TWICE_DT + from), 8);
      store<u32>(out + at, load<u32>(Y_MINUS_X + from), 12);
    }
  }
}

/**
 * Decodes the four encodings of DECODE_FROM to DECODE_TO, or only the first two (the others must still be addresses).
 * Returns a bit for each lane that is a point; what is written for other lanes is undefined.
 */
export function decodeFour(isPair: bool): u32 {
  for (let lane: usize = 0; lane < 4; lane++) loadLane(Y, lane, load<u32>(DECODE_FROM + (lane << 2)));
  rootCandidates(isPair);
  const found = correctRoots();
  for (let lane: usize = 0; lane < 4; lane++) {
    const sign = load<u8>(load<u32>(DECODE_FROM + (lane << 2)) + 31) >> 7;
    if ((load<u32>(freezeLane(X, lane)) & 1) != sign) negateLane(X, lane);
  }
  storeCached();
  return found;
}
