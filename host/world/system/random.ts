// Random bytes from the operating system's cryptographic generator.

import { randomBytes as nodeRandomBytes } from 'node:crypto';

/** `count` bytes that nobody can predict. */
export function randomBytes(count: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(nodeRandomBytes(count));
}
