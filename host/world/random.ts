// The one source of randomness; everything else gets bytes from here or from its caller.

import { randomBytes as nodeRandomBytes } from 'node:crypto';

/** `count` bytes from the system's cryptographic generator. */
export function randomBytes(count: number): Uint8Array {
  return new Uint8Array(nodeRandomBytes(count));
}
