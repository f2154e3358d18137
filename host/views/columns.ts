// Typed arrays that grow: columns of numbers by row.

type Column =
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

/** The column itself if it has the row, else a larger copy. */
export function grown<C extends Column>(column: C, row: number): C {
  if (row < column.length) return column;
  const Larger = column.constructor as new (length: number) => C;
  const larger = new Larger(Math.max(2 * column.length, row + 1));
  larger.set(column);
  return larger;
}
