// Verification on the calling thread: for tools, tests and machines where threads do not pay.

import { ServiceError } from '../errors.ts';
import { referenceVerifyMany } from './reference-verify.ts';
import type { SignatureVerifier, VerifyMany } from './verifier.ts';
import { newStats } from './verifier.ts';

export function createInlineVerifier(verifyMany: VerifyMany = referenceVerifyMany): SignatureVerifier {
  const stats = newStats();
  let isClosed = false;
  return {
    stats,
    async verify(job) {
      if (isClosed) throw new ServiceError('not_ready');
      const isGood = verifyMany([job])[0] === 1;
      stats.batches += 1;
      stats.verified += 1;
      if (!isGood) stats.refused += 1;
      return isGood;
    },
    async verifyAll(jobs) {
      if (isClosed) throw new ServiceError('not_ready');
      const verdicts = verifyMany(jobs);
      stats.batches += 1;
      stats.verified += jobs.length;
      for (const verdict of verdicts) if (verdict !== 1) stats.refused += 1;
      return verdicts;
    },
    async close() {
      isClosed = true;
    },
  };
}
