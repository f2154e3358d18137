// Bytes as a text with one character for each, for names of rows and for blocks, which live on the engine's heap.
// Keeps: the same text everywhere; Node has a way of its own, ten times as fast, and it is used where it is there.

interface NativeBytes {
  toString(encoding: 'latin1'): string;
}
const native = (
  globalThis as { Buffer?: { from(buffer: ArrayBufferLike, at: number, length: number): NativeBytes } }
).Buffer;

/** Characters that one call may take as arguments. */
const AT_ONCE = 4096;

/** As `latin1`, without Node's help. */
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
  ? (bytes, from = 0, to = bytes.length) =>
      native.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1')
  : portableLatin1;

/** The bytes of such a text. */
export function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
