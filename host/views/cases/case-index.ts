// Lists of challenges and replay jobs, for GET /v1/challenges and /v1/replay/jobs.
// Keeps: every combination of a route's filters has its own ranked list, so every page is exact and its cost depends on
// the page size only. Lists are updated in the batch that changes a document.

import type { CaseTotals } from '../../store/case-documents.ts';
import { hasWholeLog, readHistory } from '../../store/history.ts';
import { rowKey } from '../../store/prefixes.ts';
import { RankedLists } from '../../store/ranked-lists.ts';
import { readJson, type WriteSet } from '../../store/write-set.ts';
import type { Store } from '../../world/store.ts';

const TOTALS_KEY = rowKey.totals('cases');
/** High bits of the first byte of list names, next to the mask of terms; list names of tasks use smaller values. */
export const CASE_NUMBERS = { challenges: 0x40, jobs: 0x80 } as const;
export type CaseKind = keyof typeof CASE_NUMBERS;

/** Terms in the order of the filters; each is a string with one byte per character and a fixed length. */
export type CaseTerms = readonly (string | undefined)[];

interface CasePage {
  ids: Uint8Array[];
  total: number;
}

/** Name of the list of a set of terms. */
function nameOf(kind: CaseKind, terms: CaseTerms): string {
  let mask: number = CASE_NUMBERS[kind];
  let bytes = '';
  for (const [i, term] of terms.entries()) {
    if (term === undefined) continue;
    mask |= 1 << i;
    bytes += term;
  }
  return String.fromCharCode(mask) + bytes;
}

/** Names of all lists that contain a case with these terms, including the list of all cases. */
function namesOf(kind: CaseKind, terms: CaseTerms): Set<string> {
  const names = new Set<string>();
  for (let chosen = 0; chosen < 1 << terms.length; chosen++) {
    names.add(
      nameOf(
        kind,
        terms.map((term, i) => (chosen & (1 << i) ? term : undefined)),
      ),
    );
  }
  return names;
}

export class CaseIndex {
  readonly #lists: RankedLists;
  readonly #totals: CaseTotals;

  constructor(private readonly store: Store) {
    this.#lists = new RankedLists(store, hasWholeLog(readHistory(store)));
    this.#totals = readJson<CaseTotals>(store.get(TOTALS_KEY)) ?? { challenges: 0, jobs: 0 };
  }

  get totals(): Readonly<CaseTotals> {
    return this.#totals;
  }

  /** Adds a new case; returns its number among the cases of its kind. */
  add(set: WriteSet, kind: CaseKind, id: Uint8Array): number {
    const number = this.#totals[kind]++;
    set.put(rowKey.caseId(CASE_NUMBERS[kind], number), id);
    return number;
  }

  /** Moves a case from the lists of `before` to those of `after`. */
  move(kind: CaseKind, number: number, before: CaseTerms | undefined, after: CaseTerms): void {
    const from = before ? namesOf(kind, before) : new Set<string>();
    const to = namesOf(kind, after);
    for (const list of from) if (!to.has(list)) this.#lists.change(list, number, false);
    for (const list of to) if (!from.has(list)) this.#lists.change(list, number, true);
  }

  /** Writes the lists and totals that changed. */
  flush(set: WriteSet): void {
    this.#lists.flush(set);
    set.putJson(TOTALS_KEY, this.#totals);
  }

  /** Ids of the cases that match a filter, newest first. */
  page(kind: CaseKind, filter: CaseTerms, offset: number, count: number): CasePage {
    const list = nameOf(kind, filter);
    const numbers = this.#lists.page(list, offset, count);
    const ids = this.store.getMany(numbers.map((n) => rowKey.caseId(CASE_NUMBERS[kind], n)));
    // A node with a short history has dropped cases of tasks that are over.
    return { ids: ids.flatMap((id) => id ?? []), total: this.#lists.size(list) };
  }
}
