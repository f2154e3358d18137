// Verifies the signatures of a vertex's entries on arrival, all of them in batches (protocol 12.8).
// Keeps: uses the keys that are known now; when the block is executed, a changed key is verified again (entry-proof.ts).

import type { SignatureVerifier, VerifyMany } from '../crypto/verifier.ts';
import type { Identities } from '../execution/identity.ts';
import { claimedKey } from '../execution/intake.ts';
import { areGood, decodeAndOpen, EarlyProof, type EntryProof, LateProof } from '../ordering/entry-proof.ts';
import type { SignatureJob } from '../wire/bytes.ts';
import { entrySignatures, type OpenEntry } from '../wire/entry.ts';
import { decodeEquivocation } from '../wire/equivocation.ts';

/** An entry whose signatures are among those that are being verified. */
interface Opened {
  open: OpenEntry;
  key: Uint8Array;
  from: number;
  to: number;
}

export class EntryChecks {
  constructor(
    private readonly ids: Identities,
    private readonly verifier: SignatureVerifier,
    /** For keys that are not known yet. */
    private readonly verifyNow: VerifyMany,
  ) {}

  /** Together with the signature of their vertex, `seal`. Errors: as `SignatureVerifier.verifyAll`. */
  async prove(
    seal: SignatureJob,
    entries: readonly Uint8Array[],
  ): Promise<{ isGood: boolean; proofs: EntryProof[] }> {
    const jobs: SignatureJob[] = [seal];
    const opened = entries.map((bytes) => this.#open(bytes, jobs));
    const verdicts = await this.verifier.verifyAll(jobs);
    const proofs = opened.map((one) => {
      if (one instanceof LateProof) return one;
      return new EarlyProof(one.open, one.key, areGood(verdicts, one.from, one.to), this.verifyNow);
    });
    return { isGood: verdicts[0] === 1, proofs };
  }

  /** Adds the signatures of an entry to `jobs`; late, if nobody is known yet who must have signed. */
  #open(bytes: Uint8Array, jobs: SignatureJob[]): LateProof | Opened {
    const open = decodeAndOpen(bytes);
    if (!open) {
      return new LateProof(this.verifyNow, undefined, decodeEquivocation(bytes) ? 'unknown' : 'bad');
    }
    const key = claimedKey(open, this.ids);
    const own = key && entrySignatures(open, () => key);
    if (!own) return new LateProof(this.verifyNow, open);
    const from = jobs.length;
    for (const job of own) jobs.push(job);
    return { open, key, from, to: jobs.length };
  }
}
