// The challenges and replay jobs that one batch changes: read once, changed in memory, written once with their lists.
// Keeps: a case's document and lists change together, in the batch of the block that changed the case.

import type { ChallengeImage, JobImage } from '../../core/case-image.ts';
import type { Identities } from '../../execution/identity.ts';
import type { ChallengeDoc, JobDoc } from '../../store/case-documents.ts';
import { rowKey } from '../../store/prefixes.ts';
import type { WriteSet } from '../../store/write-set.ts';
import { toHex } from '../../wire/bytes.ts';
import { challengeCoreDoc, jobCoreDoc } from './case-core.ts';
import type { CaseIndex, CaseKind, CaseTerms } from './case-index.ts';
import { termsOfChallenge, termsOfJob } from './case-terms.ts';

/** The writing side of the case index. */
export type CaseIndexWriter = Pick<CaseIndex, 'add' | 'move' | 'flush'>;

interface LoadedCase<D> {
  id: Uint8Array;
  doc: D;
  /** The terms under which the lists have it; undefined for a new case. */
  terms: CaseTerms | undefined;
}

/** The cases of one kind that the batch changes. */
class CaseTable<D extends { number: number }> {
  readonly #loaded = new Map<string, LoadedCase<D>>();

  constructor(
    private readonly set: WriteSet,
    private readonly index: CaseIndexWriter,
    private readonly kind: CaseKind,
    private readonly termsOf: (doc: D) => CaseTerms,
  ) {}

  #key(id: Uint8Array): Uint8Array {
    return this.kind === 'challenges' ? rowKey.challenge(id) : rowKey.replayJob(id);
  }

  create(id: Uint8Array, doc: Omit<D, 'number'>): D {
    const full = { number: this.index.add(this.set, this.kind, id), ...doc } as D;
    this.#loaded.set(toHex(id), { id, doc: full, terms: undefined });
    return full;
  }

  find(id: Uint8Array): D | undefined {
    const known = this.#loaded.get(toHex(id));
    if (known) return known.doc;
    const doc = this.set.getJson<D>(this.#key(id));
    if (doc) this.#loaded.set(toHex(id), { id, doc, terms: this.termsOf(doc) });
    return doc;
  }

  /** The document of a case that must have one. */
  open(id: Uint8Array): D {
    const doc = this.find(id);
    if (!doc) throw new Error(`no document of ${this.kind} ${toHex(id)}`);
    return doc;
  }

  /** Writes the loaded cases; false if there were none. */
  flush(): boolean {
    for (const { id, doc, terms } of this.#loaded.values()) {
      this.set.putJson(this.#key(id), doc);
      this.index.move(this.kind, doc.number, terms, this.termsOf(doc));
    }
    const hasLoaded = this.#loaded.size > 0;
    this.#loaded.clear();
    return hasLoaded;
  }
}

export class CaseBook {
  readonly challenges: CaseTable<ChallengeDoc>;
  readonly jobs: CaseTable<JobDoc>;

  constructor(
    private readonly set: WriteSet,
    private readonly index: CaseIndexWriter,
    private readonly ids: Identities,
  ) {
    this.challenges = new CaseTable(set, index, 'challenges', termsOfChallenge);
    this.jobs = new CaseTable(set, index, 'jobs', termsOfJob);
  }

  /** Takes over the core's image of a challenge at the end of a block. */
  challenge(image: ChallengeImage): void {
    this.challenges.open(image.id).core = challengeCoreDoc(image);
  }

  /** Takes over the core's image of a job at the end of a block. */
  job(image: JobImage): void {
    const doc = this.jobs.open(image.id);
    doc.core = jobCoreDoc(image, this.ids);
    doc.executor = image.executor;
  }

  /** Writes all changes. */
  flush(): void {
    const changed = [this.challenges.flush(), this.jobs.flush()];
    if (changed.includes(true)) this.index.flush(this.set);
  }
}
