// The verification rule of the network in plain JavaScript, one signature at a time: @noble/ed25519 with ZIP-215. For who
// checks a few signatures and has no module at hand.
// Keeps: the verdict of every other implementation, on every input.

import { hashes, verify } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import type { SignatureJob, VerifyMany } from './verifier.ts';

function verifyOne({ publicKey, message, signature }: SignatureJob): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  try {
    return verify(signature, message, publicKey, { zip215: true });
  } catch {
    return false;
  }
}

export const portableVerifyMany: VerifyMany = (jobs) => {
  // WebCrypto's SHA-512, noble's default, answers later, and is missing on pages served over plain HTTP.
  hashes.sha512 ??= sha512;
  return Uint8Array.from(jobs, (job) => (verifyOne(job) ? 1 : 0));
};
