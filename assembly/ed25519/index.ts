// The exports of build/ed25519.wasm, nothing else: Ed25519 verification by the rule of ZIP-215. No secret enters.
// The ABI is flat: all arguments and results are i32, bytes lie in memory as layout.ts says.
// Order of calls: ed25519_init once; then for each load, write jobs and messages, ed25519_load, and any number of
// ed25519_batch and ed25519_single over it. A trap leaves its text in the record and the instance unusable.

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

/** Makes the tables and empties the key cache. The 16 bytes at the start of the job area must be random. */
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

/** Takes in the first `count` jobs, replacing those before. */
export function ed25519_load(count: u32): void {
  loadJobs(count);
}

/** 0 if job `index` was refused on loading: S not below L, or R or key no point. */
export function ed25519_is_open(index: u32): u32 {
  assert(index < loadedJobs(), 'job out of bounds');
  return u32(isOpen(index));
}

/** 1 if all jobs of the range that are open are good. */
export function ed25519_batch(from: u32, count: u32): u32 {
  assert(from <= loadedJobs() && count <= loadedJobs() - from, 'range out of bounds');
  return u32(verifyRange(from, count));
}

/** 1 if job `index` is good. */
export function ed25519_single(index: u32): u32 {
  assert(index < loadedJobs(), 'job out of bounds');
  return u32(verifySingle(index));
}
