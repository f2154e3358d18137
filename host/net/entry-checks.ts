// Verifies the signatures of a vertex's entries on arrival, all of them in batches (protocol 12.8).
// Keeps: uses the keys that are known now; when the block is executed, a changed key is verified again (entry-proof.ts).

import type { SignatureVerifier, VerifyMany } from '../crypto/verifier.ts';
import type { Identities } from '../execution/identity.ts';
import { claimedKey } from '../execution/intake.ts';
import { decodeAndOpen, EarlyProof, type EntryProof, LateProof } from '../ordering/entry-proof.ts';
import { entrySignatures } from '../wire/entry.ts';
import { decodeEquivocation } from '../wire/equivocation.ts';

export class EntryChecks {
  constructor(
    private readonly ids: Identities,
    private readonly verifier: SignatureVerifier,
    /** For keys that are not known yet. */
    private readonly verifyNow: VerifyMany,
  ) {}

  prove(entries: readonly Uint8Array[]): Promise<EntryProof[]> {
    return Promise.all(entries.map((bytes) => this.#prove(bytes)));
  }

  async #prove(bytes: Uint8Array): Promise<EntryProof> {
    const open = decodeAndOpen(bytes);
    if (!open) {
      return new LateProof(this.verifyNow, undefined, decodeEquivocation(bytes) ? 'unknown' : 'bad');
    }
    const key = claimedKey(open, this.ids);
    const jobs = key && entrySignatures(open, () => key);
    if (!jobs) return new LateProof(this.verifyNow, open);
    const verdicts = await Promise.all(jobs.map((job) => this.verifier.verify(job)));
    return new EarlyProof(open, key, verdicts.every(Boolean), this.verifyNow);
  }
}
