// What signs for an agent: any object that has the public key and makes Ed25519 signatures.
// The node's own KeyPair is one; signerFromSeed makes one that also runs in a browser.
// Keeps: the seed stays inside the closure. Never verifies; that is the node's and light client's.

import { getPublicKey, hashes, sign } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { toHex } from '../wire/bytes.ts';

export interface Signer {
  readonly publicKey: Uint8Array;
  readonly publicKeyHex: string;
  /** 64 bytes, RFC 8032. */
  sign(message: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/** `seed`: 32 bytes (RFC 8032 private key). */
export function signerFromSeed(seed: Uint8Array): Signer {
  if (seed.length !== 32) throw new RangeError('an Ed25519 seed has 32 bytes');
  // WebCrypto's SHA-512, noble's default, is missing on pages served over plain http.
  hashes.sha512 ??= sha512;
  const own = seed.slice();
  const publicKey = getPublicKey(own);
  return { publicKey, publicKeyHex: toHex(publicKey), sign: (message) => sign(message, own) };
}
