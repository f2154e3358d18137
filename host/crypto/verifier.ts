// The interface of signature verification; the rule is exactly ZIP-215 (protocol 5.2).
// Keeps: each signature has its own verdict, so a bad one never affects others.
// Callers must refuse keys of small order or non-canonical encoding (wire/public-key.ts): ZIP-215 accepts them.

import type { SignatureJob } from '../wire/bytes.ts';

export type { SignatureJob } from '../wire/bytes.ts';

export interface VerifierStats {
  /** Signatures answered, and how many of them were bad. */
  verified: number;
  refused: number;
  /** Batches that answered them. */
  batches: number;
  /** Signatures accepted and not yet answered. */
  waiting: number;
  /** Signatures refused because the queue was full. */
  overloaded: number;
}

export interface SignatureVerifier {
  readonly stats: Readonly<VerifierStats>;
  /**
   * True when the signature is good. Wrong lengths are a bad signature, not an error. The job's bytes
   * must not change before the answer. Errors: 503 `overloaded` when the queue is full, `not_ready`
   * after `close`.
   */
  verify(job: SignatureJob): Promise<boolean>;
  /** Of many that are of use together only: one promise for all. Errors: as `verify`, if any of them is refused. */
  verifyAll(jobs: readonly SignatureJob[]): Promise<Uint8Array>;
  /** Answers everything accepted so far, then frees threads. */
  close(): Promise<void>;
}

/** Verifies signatures one after another or as a batch: 1 for each good one, 0 for each bad one. */
export type VerifyMany = (jobs: readonly SignatureJob[]) => Uint8Array;

export function newStats(): VerifierStats {
  return { verified: 0, refused: 0, batches: 0, waiting: 0, overloaded: 0 };
}
