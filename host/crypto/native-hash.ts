// Makes host/wire use Node's SHA-256 in place of its portable one, which is several times slower.

import { hash } from 'node:crypto';
import { setSha256 } from '../wire/hash.ts';

/** A plain Uint8Array, never a Buffer: the two differ in `slice`. */
export function nativeSha256(data: Uint8Array): Uint8Array {
  const digest = hash('sha256', data, 'buffer');
  return new Uint8Array(digest.buffer, digest.byteOffset, digest.length);
}

export function useNativeHash(): void {
  setSha256(nativeSha256);
}
