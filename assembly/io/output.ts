// The out buffer: outcome records one after the other, rewritten from its start by each call.
// Keeps: a step begins only when its largest possible output fits, and beside it as much again for its movements of money
// (ledger/movements), otherwise its record waits (FULL); bytes that are not set are zero.

import { OUT_CODE, OUT_LENGTH } from '../abi';
import { zero } from '../lib/bytes';
import { outputCursor } from '../state/output-cursor';
import { OUT_BYTES, root } from '../state/root';

// What became of one record of a call to core_apply.
/** Executed; the next record follows. */
export const DONE: i32 = 0;
/** Not executed, or not yet completely: the host must drain the out buffer first. */
export const FULL: i32 = 1;
/** Malformed or not allowed at this point: a fault of the host. */
export const BAD: i32 = 2;

/** Movements of a step that writes few records: fees, refunds, bonds. */
export const STEP_MOVEMENT_BYTES: u32 = 4096;

export function outputBytes(): u32 {
  return outputCursor().bytes;
}

export function setOutputBytes(bytes: u32): void {
  outputCursor().bytes = bytes;
}

/**
 * Whether a step that writes up to that many bytes of records may begin. What an empty buffer can hold may always begin, so
 * that no step waits for ever.
 */
export function hasRoom(bytes: u32): bool {
  const used = outputBytes() + outputCursor().movementBytes;
  if (used == 0) return bytes <= OUT_BYTES;
  return <u64>used + 2 * <u64>bytes + STEP_MOVEMENT_BYTES <= <u64>OUT_BYTES;
}

export function roomLeft(): u32 {
  return OUT_BYTES - outputBytes() - outputCursor().movementBytes;
}

/** Appends a zeroed record with its head filled in; returns its address. `bytes` is a multiple of 8. */
export function appendRecord(kind: u32, code: u32, bytes: u32): usize {
  const cursor = outputCursor();
  assert(cursor.bytes + bytes <= OUT_BYTES, 'the out buffer is full');
  if (cursor.bytes + bytes + cursor.movementBytes > OUT_BYTES) {
    cursor.movementBytes = 0;
    cursor.isCut = 1;
  }
  const at = root().output + cursor.bytes;
  zero(at, bytes);
  store<u16>(at, <u16>kind);
  store<u16>(at, <u16>code, OUT_CODE);
  store<u32>(at, bytes, OUT_LENGTH);
  cursor.bytes += bytes;
  return at;
}
