// The challenges and replay jobs that one group of blocks changes: read once, changed in memory, written once with
// their lists.
// Keeps: a case's document and lists move together, in the batch of the block that moved the case.

import type { ChallengeImage, JobImage } from '../../core/case-image.ts';
import type { Identities } from '../../execution/identity.ts';
import type { ChallengeDoc, JobDoc } from '../../store/case-documents.ts';
import { keyOf } from '../../store/prefixes.ts';
import type { WriteSet } from '../../store/write-set.ts';
import { toHex } from '../../wire/bytes.ts';
import { challengeCoreDoc, jobCoreDoc } from './case-core.ts';
import type { CaseIndex, CaseKind, CaseTerms } from './case-index.ts';
import { termsOfChallenge, termsOfJob } from './case-terms.ts';

/** What is told of cases to those who list them. */
export type CaseSums = Pick<CaseIndex, 'add' | 'move' | 'flush'>;

interface Held<D> {
  id: Uint8Array;
  doc: D;
  /** As the lists have it; undefined for a new case. */
  terms: CaseTerms | undefined;
}

/** Cases of one kind under change. */
class Shelf<D extends { number: number }> {
  readonly #held = new Map<string, Held<D>>();

  constructor(
    private readonly set: WriteSet,
    private readonly index: CaseSums,
    private readonly kind: CaseKind,
    private readonly termsOf: (doc: D) => CaseTerms,
  ) {}

  #key(id: Uint8Array): Uint8Array {
    return keyOf(this.kind === 'challenges' ? 'H' : 'Y', id);
  }

  create(id: Uint8Array, doc: Omit<D, 'number'>): D {
    const full = { number: this.index.add(this.set, this.kind, id), ...doc } as D;
    this.#held.set(toHex(id), { id, doc: full, terms: undefined });
    return full;
  }

  find(id: Uint8Array): D | undefined {
    const known = this.#held.get(toHex(id));
    if (known) return known.doc;
    const doc = this.set.getJson<D>(this.#key(id));
    if (doc) this.#held.set(toHex(id), { id, doc, terms: this.termsOf(doc) });
    return doc;
  }

  /** A case that has a document. */
  open(id: Uint8Array): D {
    const doc = this.find(id);
    if (!doc) throw new Error(`no document of ${this.kind} ${toHex(id)}`);
    return doc;
  }

  /** Writes what is held; whether there was anything. */
  flush(): boolean {
    for (const { id, doc, terms } of this.#held.values()) {
      this.set.putJson(this.#key(id), doc);
      this.index.move(this.kind, doc.number, terms, this.termsOf(doc));
    }
    const hasHeld = this.#held.size > 0;
    this.#held.clear();
    return hasHeld;
  }
}

export class CaseBook {
  readonly challenges: Shelf<ChallengeDoc>;
  readonly jobs: Shelf<JobDoc>;

  constructor(
    private readonly set: WriteSet,
    private readonly index: CaseSums,
    private readonly ids: Identities,
  ) {
    this.challenges = new Shelf(set, index, 'challenges', termsOfChallenge);
    this.jobs = new Shelf(set, index, 'jobs', termsOfJob);
  }

  /** What the core says of a challenge at the end of a block. */
  challenge(image: ChallengeImage): void {
    this.challenges.open(image.id).core = challengeCoreDoc(image);
  }

  /** What the core says of a job at the end of a block. */
  job(image: JobImage): void {
    const doc = this.jobs.open(image.id);
    doc.core = jobCoreDoc(image, this.ids);
    doc.executor = image.executor;
  }

  /** Writes what changed. */
  flush(): void {
    const changed = [this.challenges.flush(), this.jobs.flush()];
    if (changed.includes(true)) this.index.flush(this.set);
  }
}
