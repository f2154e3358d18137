// Typed arrays that grow: columns of numbers by row.

const roomFor = (row: number, length: number): number => Math.max(2 * length, row + 1);

/** The column itself if it has the row, else a larger copy. */
export function grownShorts(column: Uint16Array<ArrayBuffer>, row: number): Uint16Array<ArrayBuffer> {
  if (row < column.length) return column;
  const grown = new Uint16Array(roomFor(row, column.length));
  grown.set(column);
  return grown;
}

export function grownFloats(column: Float64Array<ArrayBuffer>, row: number): Float64Array<ArrayBuffer> {
  if (row < column.length) return column;
  const grown = new Float64Array(roomFor(row, column.length));
  grown.set(column);
  return grown;
}

export function grownWords(column: Uint32Array<ArrayBuffer>, row: number): Uint32Array<ArrayBuffer> {
  if (row < column.length) return column;
  const grown = new Uint32Array(roomFor(row, column.length));
  grown.set(column);
  return grown;
}

export function grownBytes(column: Uint8Array<ArrayBuffer>, row: number): Uint8Array<ArrayBuffer> {
  if (row < column.length) return column;
  const grown = new Uint8Array(roomFor(row, column.length));
  grown.set(column);
  return grown;
}
