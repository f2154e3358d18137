// Rows of a batch packed into one transferable buffer on their way to the thread that writes them.
//   for each: u32 bytes of key, key, u8 1 and u32 bytes of value, value; or u8 0 for a row that is deleted
// Both ends are this program, so a malformed buffer is a bug and throws.

import { ByteReader, ByteWriter } from '../../wire/bytes.ts';
import type { BatchOp } from '../store.ts';

/** Lengths and the mark of a row with a value. */
const FIXED_BYTES = 9;

/** A new buffer, ready to be transferred. */
export function packRows(ops: readonly BatchOp[]): Uint8Array<ArrayBuffer> {
  let size = 0;
  for (const { key, value } of ops) size += FIXED_BYTES + key.length + (value?.length ?? 0);
  const out = new ByteWriter(size);
  for (const { key, value } of ops) {
    out.u32(key.length).raw(key);
    if (value) out.u8(1).u32(value.length).raw(value);
    else out.u8(0);
  }
  // The writer's buffer was made here, so it is not a shared one.
  return out.finish() as Uint8Array<ArrayBuffer>;
}

/** The rows one by one, as views into the buffer. */
export function* unpackRows(bytes: Uint8Array): Generator<BatchOp> {
  const reader = new ByteReader(bytes);
  while (!reader.done && !reader.failed) {
    const key = reader.raw(reader.u32());
    const value = reader.u8() === 1 ? reader.raw(reader.u32()) : undefined;
    if (!reader.failed) yield { key, value };
  }
  if (!reader.done) throw new Error('malformed rows of a batch');
}
