// Canaries committed and not yet revealed: planted tests of how well panels judge (protocol 7.7).
// Keeps: a ring of rows; a new one replaces the oldest, so a canary that is never revealed does not hold its row for ever.
// Until it is revealed, only its commitment is known.

import { equal32 } from '../lib/bytes';
import { CANARIES, capacity, header } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';

export const CANARY_ROW_BYTES: u32 = 48;

@unmanaged
export class Canary {
  /** Zeros once revealed. */
  commitment0: u64;
  commitment1: u64;
  commitment2: u64;
  commitment3: u64;
  committedSecs: u64;
  /** Validator index of the seat that committed. */
  validator: u32;
  spare: u32;
}

export function canaryAt(row: u32): Canary {
  return changetype<Canary>(root().canaries + <usize>row * CANARY_ROW_BYTES);
}

/** The open canary with this commitment[32], as row, or -1. O(capacity), which is small. */
export function findCanary(commitment: usize): i32 {
  const used = min<u64>(header().canariesCommitted, capacity(CANARIES));
  for (let row: u32 = 0; row < <u32>used; row++) {
    if (equal32(changetype<usize>(canaryAt(row)), commitment)) return <i32>row;
  }
  return -1;
}

/** Adds a canary, replacing the oldest. */
export function addCanary(commitment: usize, validator: u32, nowSecs: u64): void {
  const canary = canaryAt(<u32>(header().canariesCommitted++ % capacity(CANARIES)));
  memory.copy(changetype<usize>(canary), commitment, 32);
  canary.validator = validator;
  canary.committedSecs = nowSecs;
  markBytes(changetype<usize>(canary), CANARY_ROW_BYTES);
}

/** Removes a revealed canary. */
export function clearCanary(row: u32): void {
  memory.fill(changetype<usize>(canaryAt(row)), 0, CANARY_ROW_BYTES);
  markBytes(changetype<usize>(canaryAt(row)), CANARY_ROW_BYTES);
}

/** Dates canaries that were committed at `fromSecs` to `toSecs`, when the clock of the chain starts. */
export function dateCanaries(fromSecs: u64, toSecs: u64): void {
  const used = min<u64>(header().canariesCommitted, capacity(CANARIES));
  for (let row: u32 = 0; row < <u32>used; row++) {
    const canary = canaryAt(row);
    if (canary.committedSecs != fromSecs) continue;
    canary.committedSecs = toSecs;
    markBytes(changetype<usize>(canary), CANARY_ROW_BYTES);
  }
}
