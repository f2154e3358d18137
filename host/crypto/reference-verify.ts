// The reference implementation of the verification rule, with the platform's SHA-512. Correctness before speed; a faster
// implementation must give the same verdict on every input.

import { createHash } from 'node:crypto';
import { hashes } from '@noble/ed25519';
import { portableVerifyMany } from './portable-verify.ts';
import type { VerifyMany } from './verifier.ts';

hashes.sha512 = (message) => new Uint8Array(createHash('sha512').update(message).digest());

export const referenceVerifyMany: VerifyMany = portableVerifyMany;
