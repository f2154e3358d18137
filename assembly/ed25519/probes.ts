// Exports of the inner arithmetic for tests: an additional entry file of the checked builds only.
// Eight areas of 1,024 bytes from probe_ptr on hold operands and results; arguments are numbers of areas.

import { DECODE_FROM, DECODE_TO, decodeFour } from './decode';
import { HALF_U, HALF_V, halveScalar } from './half-scalars';
import { addCached, cachePoint, doubleCached, doublePoint, setCached, setNeutral, subCached } from './point';
import { carryQuad, freezeLane, mulQuad, sqrQuad, sqrTimes } from './quad';
import { addScalars, multiplyScalars, reduceWide } from './scalar';
import { hashSignature } from './sha512';
import { LIMBS } from './sizes';

const AREAS: usize = memory.data(8192, 16);

function area(index: u32): usize {
  return AREAS + (index << 10);
}

export function probe_ptr(): usize {
  return AREAS;
}

export function probe_mul(out: u32, a: u32, b: u32, times: u32): void {
  for (let i: u32 = 0; i < times; i++) mulQuad(area(out), area(a), area(b));
}

export function probe_sqr(out: u32, a: u32, times: u32): void {
  for (let i: u32 = 0; i < times; i++) sqrQuad(area(out), area(a));
}

/** Squares the first two lanes. */
export function probe_sqr_pair(out: u32, a: u32, times: u32): void {
  sqrTimes(area(out), area(a), times, true);
}

export function probe_carry(a: u32): void {
  carryQuad(area(a));
}

/** Ten u32 limbs of one lane in canonical form. */
export function probe_freeze(out: u32, a: u32, lane: u32): void {
  memory.copy(area(out), freezeLane(area(a), lane), LIMBS << 2);
}

/** Decodes the four encodings of area `a` to cached points in areas `out` on; returns a bit for each good one. */
export function probe_decode(out: u32, a: u32, isPair: u32): u32 {
  for (let lane: u32 = 0; lane < 4; lane++) {
    store<u32>(DECODE_FROM + (lane << 2), <u32>area(a) + (lane << 5));
    store<u32>(DECODE_TO + (lane << 2), <u32>area(out + lane));
  }
  return decodeFour(isPair != 0);
}

export function probe_neutral(out: u32): void {
  setNeutral(area(out));
}

export function probe_set(out: u32, cached: u32, negative: u32): void {
  setCached(area(out), area(cached), negative != 0);
}

export function probe_add(out: u32, point: u32, cached: u32, times: u32): void {
  for (let i: u32 = 0; i < times; i++) addCached(area(out), area(point), area(cached));
}

export function probe_sub(out: u32, point: u32, cached: u32, times: u32): void {
  for (let i: u32 = 0; i < times; i++) subCached(area(out), area(point), area(cached));
}

export function probe_double(out: u32, point: u32, times: u32): void {
  for (let i: u32 = 0; i < times; i++) doublePoint(area(out), area(point));
}

export function probe_double_cached(out: u32, cached: u32): void {
  doubleCached(area(out), area(cached));
}

export function probe_cache(out: u32, point: u32, times: u32): void {
  for (let i: u32 = 0; i < times; i++) cachePoint(area(out), area(point));
}

export function probe_reduce(out: u32, wide: u32): void {
  reduceWide(area(out), area(wide));
}

export function probe_scalar_mul(out: u32, a: u32, b: u32, times: u32): void {
  for (let i: u32 = 0; i < times; i++) multiplyScalars(area(out), area(a), 8, area(b));
}

export function probe_scalar_add(out: u32, a: u32, b: u32): void {
  addScalars(area(out), area(a), area(b));
}

/** Writes u, then v, 16 bytes each; returns 1 if u = v k, 0 if u = -v k modulo L. */
export function probe_halve(out: u32, k: u32, times: u32): u32 {
  let isPositive = false;
  for (let i: u32 = 0; i < times; i++) isPositive = halveScalar(area(k));
  memory.copy(area(out), HALF_U, 16);
  memory.copy(area(out) + 16, HALF_V, 16);
  return u32(isPositive);
}

/** SHA-512 of area `a`: 64 bytes, then `length` bytes of message. */
export function probe_hash(out: u32, a: u32, length: u32, times: u32): void {
  for (let i: u32 = 0; i < times; i++) hashSignature(area(out), area(a), area(a) + 32, area(a) + 64, length);
}
