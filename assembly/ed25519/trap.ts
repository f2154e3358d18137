// Where a failed assertion leaves its text: the module imports nothing, so it cannot call the host.
// After a trap the instance must not be used again.

import { TRAP_BYTES, TRAP_TEXT_CHARS } from './layout';

export const TRAP_RECORD: usize = memory.data(TRAP_BYTES, 16);

/** Replaces AssemblyScript's `abort`: writes the record, then stops the instance. */
export function trap(message: string | null, file: string | null, line: u32, column: u32): void {
  store<u32>(TRAP_RECORD, 1, 0);
  store<u32>(TRAP_RECORD, line, 4);
  store<u32>(TRAP_RECORD, column, 8);
  const text = message == null ? (file == null ? '' : file) : message;
  const chars = min(text.length, TRAP_TEXT_CHARS);
  store<u32>(TRAP_RECORD, chars, 12);
  memory.copy(TRAP_RECORD + 16, changetype<usize>(text), 2 * chars);
  unreachable();
}
