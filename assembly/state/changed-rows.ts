// Rows of one table that changed in the block, in order of first change; their images are written at its end.
// Keeps: a row is in a list once; a list is always complete, and empty between blocks. Derived and outside the state.

@unmanaged
export class ChangedRows {
  /** u32 for each row of the table: the stamp of the last list it was in. */
  stamps: usize;
  /** u32 row numbers. */
  list: usize;
  count: u32;
  written: u32;
  /** Changes with every list, so that old stamps do not count. */
  stamp: u32;
  spare: u32;
}

export const CHANGED_ROWS_BYTES: i32 = 24;

/** Sets the memory of the list, which is zero. */
export function attachChanged(rows: ChangedRows, stamps: usize, list: usize): void {
  rows.stamps = stamps;
  rows.list = list;
  clearChanged(rows);
}

export function noteChanged(rows: ChangedRows, row: u32): void {
  const at = rows.stamps + ((<usize>row) << 2);
  if (load<u32>(at) == rows.stamp) return;
  store<u32>(at, rows.stamp);
  store<u32>(rows.list + ((<usize>rows.count) << 2), row);
  rows.count++;
}

/** Row at a position of the list. */
export function changedRow(rows: ChangedRows, position: u32): u32 {
  return load<u32>(rows.list + ((<usize>position) << 2));
}

/** Starts an empty list. */
export function clearChanged(rows: ChangedRows): void {
  rows.count = 0;
  rows.written = 0;
  rows.stamp++;
}
