// Bytes as a string with one character for each byte: row names and blocks are kept so, on the engine's heap.
// Keeps: the same string everywhere. Node's native conversion, ten times as fast, is used where available.

/** Bytes as text, from `from` to `to`. */
type Slice = (this: Uint8Array, from: number, to: number) => string;
const native = (globalThis as { Buffer?: { prototype: { latin1Slice?: Slice } } }).Buffer?.prototype
  .latin1Slice;

/** Characters passed as arguments to one call, whose number is limited. */
const AT_ONCE = 4096;

/** Same as `latin1`, without Node's conversion. */
export function portableLatin1(bytes: Uint8Array, from = 0, to = bytes.length): string {
  let text = '';
  for (let at = from; at < to; at += AT_ONCE) {
    const part = bytes.subarray(at, Math.min(to, at + AT_ONCE));
    text += String.fromCharCode.apply(null, part as unknown as number[]);
  }
  return text;
}

/** Character n is byte `from + n`. */
export const latin1: (bytes: Uint8Array, from?: number, to?: number) => string = native
  ? (bytes, from = 0, to = bytes.length) => native.call(bytes, from, to)
  : portableLatin1;

/** The bytes of such a string. */
export function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
