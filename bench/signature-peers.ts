// What the module's signatures are measured against: libraries of this process, and ed25519-dalek in one of its own.

import { type KeyObject, verify } from 'node:crypto';
import { createRequire } from 'node:module';
import type { SignatureJob } from '../host/wire/bytes.ts';
import type { SuiteRun } from './row.ts';
import type { Dalek } from './signature-dalek.ts';

/** A signature with its key in the form of node:crypto. */
export interface Sample extends SignatureJob {
  key: KeyObject;
}

/** How many hold; of a side that measures itself, with its processor time in microseconds. */
export type Verdicts = (jobs: readonly Sample[]) => number | { good: number; cpuUs: number };

export interface Sodium {
  crypto_sign_verify_detached(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
}

export const count = (verdicts: Iterable<boolean | number>): number => {
  let good = 0;
  for (const verdict of verdicts) if (verdict) good++;
  return good;
};

export function loadSodium(run: SuiteRun): Sodium | undefined {
  try {
    return createRequire(import.meta.url)('sodium-native') as Sodium;
  } catch {
    run.say('  sodium-native is not installed: no rows against it');
    return undefined;
  }
}

/** Those that know no batches. */
export function singles(sodium: Sodium | undefined): Record<string, Verdicts> {
  const found: Record<string, Verdicts> = {
    'node:crypto': (jobs) => count(jobs.map((job) => verify(null, job.message, job.key, job.signature))),
  };
  if (sodium) {
    found['sodium-native'] = (jobs) =>
      count(jobs.map((job) => sodium.crypto_sign_verify_detached(job.signature, job.message, job.publicKey)));
  }
  return found;
}

/** Those that verify in batches of a size. `isKept`: keys are used again, so they are decoded beforehand. */
export const inBatchesOf = (
  dalek: readonly Dalek[],
  size: number,
  isKept: boolean,
): Record<string, Verdicts> =>
  Object.fromEntries(dalek.map((peer) => [peer.name, (jobs) => peer.time(jobs, size, isKept)]));
