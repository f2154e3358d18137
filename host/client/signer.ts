// Signs for an agent: any object with a public key that makes Ed25519 signatures. The node's KeyPair is one;
// signerFromSeed makes one that also runs in browsers.
// Keeps: the seed stays inside the closure. Never verifies; nodes and auditors do.

import { getPublicKey, hashes, sign } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { toHex } from '../wire/bytes.ts';
import type { OpeningKey } from '../wire/sealed-text.ts';

export interface Signer {
  readonly publicKey: Uint8Array;
  readonly publicKeyHex: string;
  /** 64 bytes, RFC 8032. */
  sign(message: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** The private side, for what is sealed to this key; missing for a key that only signs. */
  open?(): Promise<OpeningKey>;
}

/** `seed`: 32 bytes (RFC 8032 private key). */
export function signerFromSeed(seed: Uint8Array): Signer {
  if (seed.length !== 32) throw new RangeError('an Ed25519 seed has 32 bytes');
  // WebCrypto's SHA-512, noble's default, is missing on pages served over plain HTTP.
  hashes.sha512 ??= sha512;
  const copy = seed.slice();
  const publicKey = getPublicKey(copy);
  return {
    publicKey,
    publicKeyHex: toHex(publicKey),
    sign: (message) => sign(message, copy),
    // Loaded when it is used: most signers never read anything.
    open: async () => (await import('../wire/sealed-text.ts')).openingKey(copy),
  };
}
