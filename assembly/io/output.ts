// The out buffer: outcome records one after the other, rewritten from its start by each call.
// Keeps: a step begins only when its largest possible output fits, otherwise its record waits (FULL); bytes that are
// not set are zero.

import { OUT_CODE, OUT_LENGTH } from '../abi';
import { OUT_BYTES, root } from '../state/root';

// What became of one record of a call to core_apply.
/** Executed; the next record follows. */
export const DONE: i32 = 0;
/** Not executed, or not yet completely: the host must drain the out buffer first. */
export const FULL: i32 = 1;
/** Malformed or not allowed at this point: a fault of the host. */
export const BAD: i32 = 2;

@unmanaged
class Output {
  bytes: u32;
}
const OUTPUT: usize = memory.data(8, 8);

export function outputBytes(): u32 {
  return changetype<Output>(OUTPUT).bytes;
}

export function setOutputBytes(bytes: u32): void {
  changetype<Output>(OUTPUT).bytes = bytes;
}

export function hasRoom(bytes: u32): bool {
  return outputBytes() + bytes <= OUT_BYTES;
}

export function roomLeft(): u32 {
  return OUT_BYTES - outputBytes();
}

/** Appends a zeroed record with its head filled in; returns its address. `bytes` is a multiple of 8. */
export function appendRecord(kind: u32, code: u32, bytes: u32): usize {
  assert(hasRoom(bytes), 'the out buffer is full');
  const at = root().output + outputBytes();
  memory.fill(at, 0, bytes);
  store<u16>(at, <u16>kind);
  store<u16>(at, <u16>code, OUT_CODE);
  store<u32>(at, bytes, OUT_LENGTH);
  setOutputBytes(outputBytes() + bytes);
  return at;
}
