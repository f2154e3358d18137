// One verification thread of the pool: takes packed jobs, gives back a verdict for each.

import { unpackJobs } from './job-codec.ts';
import { referenceVerifyMany } from './reference-verify.ts';
import type { VerifyMany } from './verifier.ts';

const verifyMany: VerifyMany = referenceVerifyMany;

export default function work(packed: Uint8Array): Uint8Array {
  return verifyMany(unpackJobs(packed));
}
