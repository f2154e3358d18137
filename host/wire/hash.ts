// SHA-256, the only hash function in use.
// Runs everywhere through @noble/hashes; a Node process may plug in its native implementation, which is several times
// faster. Both give the same bytes.

import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { concat, toHex, utf8 } from './bytes.ts';

/** Of bytes, or of the UTF-8 form of a text. */
export interface Sha256 {
  bytes(data: Uint8Array): Uint8Array;
  /** In lower-case hex. */
  hex(data: Uint8Array | string): string;
}

export const portableSha256: Sha256 = {
  bytes: nobleSha256,
  hex: (data) => toHex(nobleSha256(typeof data === 'string' ? utf8(data) : data)),
};
let implementation = portableSha256;

/** Replaces the implementation for the whole process; for start-up code only. */
export function setSha256(replacement: Sha256): void {
  implementation = replacement;
}

/** SHA-256 of the concatenated parts. */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  return implementation.bytes(parts.length === 1 ? parts[0]! : concat(...parts));
}

/** Lower-case hex SHA-256 of bytes, or of the UTF-8 form of a text. */
export function sha256Hex(data: Uint8Array | string): string {
  return implementation.hex(data);
}
