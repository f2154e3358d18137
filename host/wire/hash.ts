// SHA-256, the only hash function in use.
// Runs everywhere through @noble/hashes; a Node process may plug in its native implementation, which is several times
// faster. Both give the same bytes.

import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { concat, toHex, utf8 } from './bytes.ts';

type Sha256 = (data: Uint8Array) => Uint8Array;

let implementation: Sha256 = nobleSha256;

/** Replaces the implementation for the whole process; for start-up code only. */
export function setSha256(replacement: Sha256): void {
  implementation = replacement;
}

/** SHA-256 of the concatenated parts. */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  return implementation(parts.length === 1 ? parts[0]! : concat(...parts));
}

/** Lower-case hex SHA-256 of bytes, or of the UTF-8 form of a text. */
export function sha256Hex(data: Uint8Array | string): string {
  return toHex(implementation(typeof data === 'string' ? utf8(data) : data));
}
