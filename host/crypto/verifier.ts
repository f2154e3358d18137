// The one interface behind which signatures are verified, and the rule behind it: ZIP-215 exactly
// (protocol 5.2).
// Keeps: a verdict for each signature of its own, so one bad signature never spoils those beside it.
// Keys of small order or odd encoding are the caller's to refuse (wire/public-key.ts): ZIP-215 takes
// them.

import type { SignatureJob } from '../wire/signature-job.ts';

export type { SignatureJob } from '../wire/signature-job.ts';

export interface VerifierStats {
  /** Signatures answered, and how many of them were bad. */
  verified: number;
  refused: number;
  /** Rounds of verification that answered them. */
  batches: number;
  /** Signatures accepted and not yet answered. */
  waiting: number;
  /** Signatures turned away because the queue was full. */
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
  /** Answers everything accepted so far, then frees threads. */
  close(): Promise<void>;
}

/** Verifies signatures one after another or as a batch: 1 for each good one, 0 for each bad one. */
export type VerifyMany = (jobs: readonly SignatureJob[]) => Uint8Array;

export function newStats(): VerifierStats {
  return { verified: 0, refused: 0, batches: 0, waiting: 0, overloaded: 0 };
}
