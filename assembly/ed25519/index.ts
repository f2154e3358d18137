// The exports of build/ed25519.wasm, nothing else: Ed25519 verification by the rule of ZIP-215. No secrets are involved.
// The ABI is flat: all arguments and results are i32, bytes are in memory as defined by layout.ts.
// Order of calls: ed25519_init once; then for each load, write jobs and messages, ed25519_load, and any number of
// ed25519_batch and ed25519_single calls. After a trap its text is in the trap record and the instance is unusable.
//
// How a signature (R, S) of a message by key A is verified:
//   layout.ts  The host writes up to MAX_JOBS jobs (key, R, S, a random coefficient z, where the message is) and messages.
//   jobs.ts    ed25519_load makes them ready, once per load: S must be below L (scalar.ts); k = SHA-512(R, A, message)
//              modulo L (sha512.ts); R and A become points. A job that fails here is closed: is_open = 0.
//   decode.ts  Points from encodings, four at a time, one square root each (field-power.ts). key-cache.ts keeps those of
//              keys, since signers return.
//   batch.ts   ed25519_batch checks the open jobs of a range with one equation, 8 * sum of z (S B - R - k A) = 0: few
//              terms by straus.ts, many by pippenger.ts, the terms of equal keys merged.
//   bisect     A batch only answers "all good" or not. When it fails, the host halves the range and asks again, and asks
//              ed25519_single for the last few, without another load (host/crypto/ed25519-wasm.ts).
//   single.ts  ed25519_single checks one job by 8 * (S B - R - k A) = 0, with scalars of half length (half-scalars.ts).
// Below: point.ts has the curve formulas, on quads; quad.ts the field, four elements at a time, with SIMD or without
// (quad-mul.ts, quad-sqr.ts, quad-scalar.ts); their bounds are proved in quad-mul.ts and asserted in checked builds.

import { initBasePoint } from './base-point';
import { verifyRange } from './batch';
import { initDecode } from './decode';
import { isOpen, JOBS, loadedJobs, loadJobs, MESSAGES } from './jobs';
import { seedKeyCache } from './key-cache';
import { ED25519_ABI_VERSION } from './layout';
import { initPoints } from './point';
import { verifySingle } from './single';
import { TRAP_RECORD } from './trap';

export function ed25519_abi_version(): u32 {
  return ED25519_ABI_VERSION;
}

/** Computes the tables and empties the key cache. The 16 bytes at the start of the job area must be random. */
export function ed25519_init(): void {
  initPoints();
  initDecode();
  initBasePoint();
  seedKeyCache(load<u64>(JOBS), load<u64>(JOBS, 8));
}

export function ed25519_jobs_ptr(): usize {
  return JOBS;
}

export function ed25519_messages_ptr(): usize {
  return MESSAGES;
}

export function ed25519_trap_ptr(): usize {
  return TRAP_RECORD;
}

/** Loads the first `count` jobs, replacing the previous ones. */
export function ed25519_load(count: u32): void {
  loadJobs(count);
}

/** 0 if loading refused job `index`: S is not below L, or R or the key is not a point. */
export function ed25519_is_open(index: u32): u32 {
  assert(index < loadedJobs(), 'job out of bounds');
  return u32(isOpen(index));
}

/** 1 if all open jobs of the range are good. */
export function ed25519_batch(from: u32, count: u32): u32 {
  assert(from <= loadedJobs() && count <= loadedJobs() - from, 'range out of bounds');
  return u32(verifyRange(from, count));
}

/** 1 if job `index` is good. */
export function ed25519_single(index: u32): u32 {
  assert(index < loadedJobs(), 'job out of bounds');
  return u32(verifySingle(index));
}
