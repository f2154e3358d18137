// Rows of one table that changed in the block, in order of first change: what the block's end tells.
// Keeps: a row stands in a list once; a list is always complete, and empty between blocks. Derived and outside
// the state.

@unmanaged
export class ChangedRows {
  /** u32 for each row of the table: the stamp of the list in which it stands last. */
  stamps: usize;
  /** u32 row numbers. */
  list: usize;
  count: u32;
  told: u32;
  /** Changes with every list, so that old stamps do not count. */
  stamp: u32;
  spare: u32;
}

export const CHANGED_ROWS_BYTES: i32 = 24;

/** Points the list at its memory, which is zero. */
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

/** Row at a place of the list. */
export function changedRow(rows: ChangedRows, place: u32): u32 {
  return load<u32>(rows.list + ((<usize>place) << 2));
}

/** Starts an empty list. */
export function clearChanged(rows: ChangedRows): void {
  rows.count = 0;
  rows.told = 0;
  rows.stamp++;
}
