// Are the signatures of an entry good (protocol 12.8: every validator verifies all of them).
// Keeps: the state before the entry's block decides which key must have signed, so every node judges alike. Verification
// happens earlier, in batches, with the key known at that time; it is repeated only if the key was another one.

import type { VerifyMany } from '../crypto/verifier.ts';
import { equalBytes } from '../wire/bytes.ts';
import { decodeEntry, entrySignatures, type OpenEntry, openEntry } from '../wire/entry.ts';

/** What is known about an entry's signatures before its block is executed. */
export interface EntryProof {
  /** The entry, if it was already opened. */
  readonly open: OpenEntry | undefined;
  /** By what was known on arrival; `bad`: it is no request, or badly signed by the key of its agent. */
  readonly verdict: 'good' | 'bad' | 'unknown';
  /** Are all its signatures good, if this is the key of its agent or node. */
  holds(open: OpenEntry, key: Uint8Array): boolean;
}

function verifyAll(open: OpenEntry, key: Uint8Array, verify: VerifyMany): boolean {
  const jobs = entrySignatures(open, () => key);
  return jobs !== undefined && verify(jobs).every((isGood) => isGood === 1);
}

/** Are all verdicts from `from` to `to` good. A view of them for each entry would cost more than the question. */
export function areGood(verdicts: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (verdicts[i] !== 1) return false;
  return true;
}

/** Verified on arrival, with the key that was known then. */
export class EarlyProof implements EntryProof {
  readonly verdict: EntryProof['verdict'];

  constructor(
    readonly open: OpenEntry,
    private readonly key: Uint8Array,
    private readonly isGood: boolean,
    private readonly verify: VerifyMany,
  ) {
    this.verdict = isGood ? 'good' : 'bad';
  }

  holds(open: OpenEntry, key: Uint8Array): boolean {
    return equalBytes(key, this.key) ? this.isGood : verifyAll(open, key, this.verify);
  }
}

/** Not verified yet: done when the block is executed. */
export class LateProof implements EntryProof {
  readonly open: OpenEntry | undefined;

  constructor(
    private readonly verify: VerifyMany,
    open?: OpenEntry,
    readonly verdict: EntryProof['verdict'] = 'unknown',
  ) {
    this.open = open;
  }

  holds(open: OpenEntry, key: Uint8Array): boolean {
    return verifyAll(open, key, this.verify);
  }
}

/** The stored result of the first execution, for a replay. */
export class StoredProof implements EntryProof {
  readonly open = undefined;
  readonly verdict = 'unknown';

  constructor(private readonly isGood: boolean) {}

  holds(): boolean {
    return this.isGood;
  }
}

/** Decodes and opens an entry; undefined if the bytes are not one. */
export function decodeAndOpen(bytes: Uint8Array): OpenEntry | undefined {
  const entry = decodeEntry(bytes);
  return entry && openEntry(entry);
}
