// How far the out buffer is filled: records from its start, movements of money from its end backwards.
// Derived and outside the state: no rule reads it, and no step ends differently because of it.

@unmanaged
export class OutputCursor {
  /** Of records. */
  bytes: u32;
  /** Of movements. */
  movementBytes: u32;
  /** 1 = some movements found no room, or records took it: the list is not complete. */
  isCut: u32;
}
const CURSOR: usize = memory.data(12, 8);

export function outputCursor(): OutputCursor {
  return changetype<OutputCursor>(CURSOR);
}
