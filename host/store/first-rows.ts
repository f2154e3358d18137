// The rows of a page, as many of the first ones as may be read in one go: an item in a list may be short although its row
// is long, such as an event with all that its writer sent, so the length of the answer does not bound what is read.
// Keeps: at least one row; beyond the bound only what one call of the store brought.

/** Bytes of rows that are read for one page, unless one row is longer. Source: protocol 1.5. */
const MAX_PAGE_BYTES = 1_048_576;
/** Rows of one call: few, since they may be a megabyte each. */
const MAX_ROWS_READ = 16;

/** `read`: rows of some keys; texts count by their characters. */
export function firstRows<T extends { length: number }>(
  keys: readonly Uint8Array[],
  read: (keys: readonly Uint8Array[]) => (T | undefined)[],
): (T | undefined)[] {
  const rows: (T | undefined)[] = [];
  let bytes = 0;
  while (rows.length < keys.length) {
    for (const row of read(keys.slice(rows.length, rows.length + MAX_ROWS_READ))) {
      bytes += row?.length ?? 0;
      if (bytes > MAX_PAGE_BYTES && rows.length > 0) return rows;
      rows.push(row);
    }
  }
  return rows;
}
