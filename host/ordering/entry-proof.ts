// Whether the signatures that an entry of a vertex stands on are good (protocol 12.8: every validator verifies them all).
// Keeps: which key must have signed follows from the facts before the entry's block, so that every node judges alike;
// the work is done before, in batches, for the key that was known then, and again only where that was another one.

import type { VerifyMany } from '../crypto/verifier.ts';
import { equalBytes } from '../wire/bytes.ts';
import { decodeEntry, entrySignatures, type OpenEntry, openEntry } from '../wire/entry.ts';

/** What is known of an entry's signatures before its block is executed. */
export interface EntryProof {
  /** The entry, when it has been opened already. */
  readonly open: OpenEntry | undefined;
  /** Are all its signatures good, its agent's or node's by this key. */
  holds(open: OpenEntry, key: Uint8Array): boolean;
}

function verifyAll(open: OpenEntry, key: Uint8Array, verify: VerifyMany): boolean {
  const jobs = entrySignatures(open, () => key);
  return jobs !== undefined && verify(jobs).every((isGood) => isGood === 1);
}

/** A verdict reached before, for the key that was known then. */
export class EarlyProof implements EntryProof {
  constructor(
    readonly open: OpenEntry,
    private readonly key: Uint8Array,
    private readonly isGood: boolean,
    private readonly verify: VerifyMany,
  ) {}

  holds(open: OpenEntry, key: Uint8Array): boolean {
    return equalBytes(key, this.key) ? this.isGood : verifyAll(open, key, this.verify);
  }
}

/** Nothing is known: the signatures are verified when the block is executed. */
export class LateProof implements EntryProof {
  readonly open: OpenEntry | undefined;

  constructor(
    private readonly verify: VerifyMany,
    open?: OpenEntry,
  ) {
    this.open = open;
  }

  holds(open: OpenEntry, key: Uint8Array): boolean {
    return verifyAll(open, key, this.verify);
  }
}

/** The verdict that was reached when the block was executed the first time. */
export class StoredProof implements EntryProof {
  readonly open = undefined;

  constructor(private readonly isGood: boolean) {}

  holds(): boolean {
    return this.isGood;
  }
}

/** An entry's bytes as they come, opened; undefined when they are none. */
export function openBytes(bytes: Uint8Array): OpenEntry | undefined {
  const entry = decodeEntry(bytes);
  return entry && openEntry(entry);
}
