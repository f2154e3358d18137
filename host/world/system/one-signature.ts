// One Ed25519 signature, checked at once by the machine's own library: for what only the two ends of a link or of a socket
// see. What nodes must agree about is verified by the rule of ZIP-215 (crypto/verifier.ts).

import { createPublicKey, verify } from 'node:crypto';

/** DER prefix of an Ed25519 public key (RFC 8410). */
const SPKI_HEAD = Uint8Array.from([48, 42, 48, 5, 6, 3, 43, 101, 112, 3, 33, 0]);

/** `key`: 32 bytes. */
export function isSignedBy(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const publicKey = createPublicKey({ key: Buffer.concat([SPKI_HEAD, key]), format: 'der', type: 'spki' });
  return verify(null, message, publicKey, signature);
}
