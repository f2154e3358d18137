// A load of signatures prepared for the equation: scalars checked and hashed, points decoded, four at a time.
// Keeps: everything that a batch, its halves and single verifications need, so that no step is repeated however often
// a failed batch is split. A signature that is invalid regardless of the equation is refused here.

import { DECODE_FROM, DECODE_TO, decodeFour } from './decode';
import { DECODED, FRESH, keyOf, NO_POINT, QUEUED, setState, slotOf, stateOf, tableOf } from './key-cache';
import { JOB_BYTES, JOB_KEY, JOB_MESSAGE_AT, JOB_MESSAGE_LENGTH, JOB_R, JOB_RANDOM, JOB_S } from './layout';
import { isCanonicalScalar, multiplyScalars, reduceWide } from './scalar';
import { hashSignature } from './sha512';
import { MAX_LOADED_JOBS, MAX_MESSAGE_BYTES, QUAD_BYTES } from './sizes';

export const JOBS: usize = memory.data(131072, 16);
// Hashing reads whole words, so there are a few spare bytes behind the last message.
export const MESSAGES: usize = memory.data(1048592, 16);

// 1 while a signature may be good, 0 once refused.
const OPEN: usize = memory.data(MAX_LOADED_JOBS, 16);
const SLOTS: usize = memory.data(2048, 16);
const R_POINTS: usize = memory.data(163840, 16);
const CHALLENGES: usize = memory.data(32768, 16);
const WEIGHTED: usize = memory.data(32768, 16);

// Unused lanes write here.
const SPARE: usize = memory.data(160, 16);
const DIGEST: usize = memory.data(64, 16);
// What each of the four lanes of a decoding is for: a job's R, or MAX_LOADED_JOBS + a slot's key.
const LANES: usize = memory.data(16, 16);
let laneCount: u32 = 0;
let loadedCount: u32 = 0;

function job(index: u32): usize {
  return JOBS + index * JOB_BYTES;
}

/** Number of jobs of the last load; those behind are stale, and so may be the slots of their keys. */
export function loadedJobs(): u32 {
  return loadedCount;
}

export function isOpen(index: u32): bool {
  return load<u8>(OPEN + index) != 0;
}

export function slotOfJob(index: u32): u32 {
  return load<u16>(SLOTS + (index << 1));
}

/** The cached form of R. */
export function rPoint(index: u32): usize {
  return R_POINTS + index * QUAD_BYTES;
}

/** k = SHA-512(R, A, message) modulo L. */
export function challenge(index: u32): usize {
  return CHALLENGES + (index << 5);
}

/** k times the random coefficient, modulo L. */
export function weightedChallenge(index: u32): usize {
  return WEIGHTED + (index << 5);
}

export function scalarS(index: u32): usize {
  return job(index) + JOB_S;
}

/** The random coefficient, four words. */
export function random(index: u32): usize {
  return job(index) + JOB_RANDOM;
}

function decodeQueued(): void {
  if (laneCount == 0) return;
  for (let lane = laneCount; lane < 4; lane++) {
    store<u32>(DECODE_FROM + (lane << 2), load<u32>(DECODE_FROM));
    store<u32>(DECODE_TO + (lane << 2), <u32>SPARE);
  }
  const found = decodeFour(laneCount <= 2);
  for (let lane: u32 = 0; lane < laneCount; lane++) {
    const target = load<u32>(LANES + (lane << 2));
    const isPoint = ((found >> lane) & 1) != 0;
    if (target >= MAX_LOADED_JOBS) setState(target - MAX_LOADED_JOBS, isPoint ? DECODED : NO_POINT);
    else if (!isPoint) store<u8>(OPEN + target, 0);
  }
  laneCount = 0;
}

function queueDecoding(target: u32, encoding: usize, out: usize): void {
  store<u32>(LANES + (laneCount << 2), target);
  store<u32>(DECODE_FROM + (laneCount << 2), <u32>encoding);
  store<u32>(DECODE_TO + (laneCount << 2), <u32>out);
  if (++laneCount == 4) decodeQueued();
}

/** Asserts that the message is inside its area: the host wrote the offset, so anything else is a fault of the host. */
function checkMessage(index: u32): void {
  const at = load<u32>(job(index), JOB_MESSAGE_AT);
  const length = load<u32>(job(index), JOB_MESSAGE_LENGTH);
  assert(at <= MAX_MESSAGE_BYTES && length <= MAX_MESSAGE_BYTES - at, 'message outside of its area');
}

/** Loads the first `count` jobs. Traps if `count` or a message is out of bounds. */
export function loadJobs(count: u32): void {
  assert(count <= MAX_LOADED_JOBS, 'too many jobs');
  loadedCount = count;
  for (let i: u32 = 0; i < count; i++) {
    checkMessage(i);
    const open = isCanonicalScalar(scalarS(i));
    store<u8>(OPEN + i, u8(open));
    if (!open) continue;
    const slot = slotOf(job(i) + JOB_KEY);
    store<u16>(SLOTS + (i << 1), <u16>slot);
    if (stateOf(slot) == FRESH) {
      setState(slot, QUEUED);
      queueDecoding(MAX_LOADED_JOBS + slot, keyOf(slot), tableOf(slot));
    }
    queueDecoding(i, job(i) + JOB_R, rPoint(i));
  }
  decodeQueued();

  for (let i: u32 = 0; i < count; i++) {
    if (!isOpen(i)) continue;
    if (stateOf(slotOfJob(i)) == NO_POINT) {
      store<u8>(OPEN + i, 0);
      continue;
    }
    const message = MESSAGES + load<u32>(job(i), JOB_MESSAGE_AT);
    hashSignature(DIGEST, job(i) + JOB_R, job(i) + JOB_KEY, message, load<u32>(job(i), JOB_MESSAGE_LENGTH));
    reduceWide(challenge(i), DIGEST);
    multiplyScalars(weightedChallenge(i), random(i), 4, challenge(i));
  }
}
