// Plugs Node's SHA-256 into host/wire, which by itself runs on a portable one several times slower.

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
