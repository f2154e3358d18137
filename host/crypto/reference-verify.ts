// The reference implementation of the verification rule: @noble/ed25519 with ZIP-215, one signature at
// a time. Correctness before speed; a faster implementation must give the same verdict on every input.

import { createHash } from 'node:crypto';
import * as ed from '@noble/ed25519';
import type { SignatureJob, VerifyMany } from './verifier.ts';

// @noble/ed25519 has no synchronous SHA-512.
ed.hashes.sha512 = (message) => new Uint8Array(createHash('sha512').update(message).digest());

function verifyOne({ publicKey, message, signature }: SignatureJob): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  try {
    return ed.verify(signature, message, publicKey, { zip215: true });
  } catch {
    return false;
  }
}

export const referenceVerifyMany: VerifyMany = (jobs) =>
  Uint8Array.from(jobs, (job) => (verifyOne(job) ? 1 : 0));
