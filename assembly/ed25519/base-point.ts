// Odd multiples of the base point B and of 2^128 B, computed once at init: the scalar of B is split into two halves,
// so that a single verification needs at most 128 doublings.

import { DECODE_FROM, DECODE_TO, decodeFour } from './decode';
import { cachePoint, doubleCached, doublePoint } from './point';
import { carryQuad } from './quad';
import { QUAD_BYTES } from './sizes';
import { fillOddMultiples } from './straus';

// Odd signed digits of 8 bits: 64 multiples.
export const BASE_WIDTH: u32 = 8;
const COUNT: u32 = 64;
const HALF_BITS: u32 = 128;

export const BASE_TABLE: usize = memory.data(10400, 16);
export const BASE_HIGH_TABLE: usize = memory.data(10400, 16);

const ENCODING: usize = memory.data(32, 8);
const POINT: usize = memory.data(QUAD_BYTES, 16);

export function initBasePoint(): void {
  // y = 4/5 with even x. Source: RFC 8032, 5.1.
  memory.fill(ENCODING, 0x66, 32);
  store<u8>(ENCODING, 0x58);
  for (let lane: usize = 0; lane < 16; lane += 4) {
    store<u32>(DECODE_FROM + lane, <u32>ENCODING);
    store<u32>(DECODE_TO + lane, <u32>BASE_TABLE);
  }
  assert(decodeFour(false) == 15, 'base point does not decode');

  doubleCached(POINT, BASE_TABLE);
  for (let i: u32 = 1; i < HALF_BITS; i++) doublePoint(POINT, POINT);
  cachePoint(BASE_HIGH_TABLE, POINT);
  carryQuad(BASE_HIGH_TABLE);
  fillOddMultiples(BASE_TABLE, COUNT);
  fillOddMultiples(BASE_HIGH_TABLE, COUNT);
}
