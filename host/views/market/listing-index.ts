// Listings in memory, for search, categories and discovery; only the documents of a page are read from the store.
// Built at a start (`load`, `sortLoaded`, then the texts, which take longest), updated after each batch.
// Keeps: only active listings are rows; a row is in the text index or waits for that; the values by which a row is sorted
// change only while it is in no list; inactive listings are only in the store.

import type { ListingDoc } from '../../store/market-documents.ts';
import { sortInSteps } from '../../store/sort-in-steps.ts';
import { SortedIndex } from '../../store/sorted-index.ts';
import { grown } from '../columns.ts';
import type { RowSet } from './row-set.ts';
import { TextIndex } from './text-index.ts';
import { joinFields } from './text-tokens.ts';

/** Name of the lists over all categories; no category has an empty name. */
export const ANY = '';
/** The text of a row: in the index; not yet, since the start; not yet, since it changed. */
const INDEXED = 0;
const LOADED = 1;
const CHANGED = 2;
/** Sorting one found row costs as much as this many steps through the sorted list of all rows. */
const SORT_COST = 200;

export interface Page {
  /** Agent indexes. */
  agents: number[];
  total: number;
}

/** Active listings of one category, or of all. */
interface Lists {
  byUpdate: SortedIndex;
  byId: SortedIndex;
}

export class ListingIndex {
  readonly text: TextIndex;
  /** Called with a row before it is removed. */
  onRemove: (row: number) => void = () => {};
  /** By agent: row + 1, 0 for none. */
  #rows = new Uint32Array(16);
  /** By row. */
  #agents = new Uint32Array(16);
  #rowsEnd = 0;
  readonly #free: number[] = [];
  /** By row: INDEXED, LOADED or CHANGED. */
  #texts = new Uint8Array(16);
  #loadedCount = 0;
  /** By row: one text for all rows of a category. */
  readonly #category: (string | undefined)[] = [];
  readonly #categories = new Map<string, string>();
  readonly #lists = new Map<string, Lists>();
  #updatedAt = new Float64Array(16);
  #priceTok = new Float64Array(16);

  /** `compareAgents`: by agent_id. `seed`: of the hashes of texts, which no stranger may know. */
  constructor(
    private readonly compareAgents: (a: number, b: number) => number,
    seed = 0,
  ) {
    this.text = new TextIndex(seed);
  }

  /** All rows are below this. */
  get rowsEnd(): number {
    return this.#rowsEnd;
  }

  rowOf(agent: number): number | undefined {
    const row = this.#rows[agent];
    return row ? row - 1 : undefined;
  }

  agentOf(row: number): number {
    return this.#agents[row]!;
  }

  categoryOf(row: number): string {
    return this.#category[row]!;
  }

  priceTok(row: number): number {
    return this.#priceTok[row]!;
  }

  readonly #byUpdate = (a: number, b: number): number =>
    this.#updatedAt[b]! - this.#updatedAt[a]! || this.compareAgents(this.#agents[a]!, this.#agents[b]!);
  /** By agent_id. */
  readonly compareRows = (a: number, b: number): number =>
    this.compareAgents(this.#agents[a]!, this.#agents[b]!);

  /** Rows whose texts are not indexed since the start: until there are none, `text` does not find everything. */
  get textsLeft(): number {
    return this.#loadedCount;
  }

  /** Is the text of an agent's listing among those. */
  isTextLeft(agent: number): boolean {
    const row = this.rowOf(agent);
    return row !== undefined && this.#texts[row] === LOADED;
  }

  /** Indexes the text of a listing that is not indexed yet; nothing for one that there is no more. `doc`: as it is now. */
  indexText(agent: number, doc: ListingDoc): void {
    const row = this.rowOf(agent);
    if (row === undefined || this.#texts[row] === INDEXED) return;
    this.#mark(row, INDEXED);
    this.text.add(row, joinFields([doc.name, doc.description, ...doc.tags]));
  }

  #mark(row: number, text: number): void {
    if (this.#texts[row] === LOADED) this.#loadedCount -= 1;
    if (text === LOADED) this.#loadedCount += 1;
    this.#texts[row] = text;
  }

  /** Sets or replaces a listing, text included; returns its row, or undefined if it is inactive. */
  set(agent: number, doc: ListingDoc): number | undefined {
    const row = this.list(agent, doc);
    this.indexText(agent, doc);
    return row;
  }

  /** As `set`, but that nothing is found by its text before `indexText`. */
  list(agent: number, doc: ListingDoc): number | undefined {
    this.#remove(agent);
    if (!doc.active) return undefined;
    const row = this.#newRow(agent, doc);
    this.#mark(row, CHANGED);
    for (const category of [ANY, doc.category]) {
      const lists = this.#listsOf(category);
      lists.byUpdate.insert(row);
      lists.byId.insert(row);
    }
    return row;
  }

  #newRow(agent: number, doc: ListingDoc): number {
    const row = this.#free.pop() ?? this.#rowsEnd++;
    this.#updatedAt = grown(this.#updatedAt, row);
    this.#priceTok = grown(this.#priceTok, row);
    this.#agents = grown(this.#agents, row);
    this.#texts = grown(this.#texts, row);
    this.#rows = grown(this.#rows, agent);
    this.#rows[agent] = row + 1;
    this.#agents[row] = agent;
    this.#category[row] = this.#oneText(doc.category);
    this.#updatedAt[row] = doc.updated_at;
    this.#priceTok[row] = doc.price_tok;
    return row;
  }

  /** The same text for all listings of a category, whichever document it was read from. */
  #oneText(category: string): string {
    const known = this.#categories.get(category);
    if (known === undefined) this.#categories.set(category, category);
    return known ?? category;
  }

  /** Adds a listing at a start: in no list before `sortLoaded`, its text left. Returns its row, or undefined if it is inactive. */
  load(agent: number, doc: ListingDoc): number | undefined {
    if (!doc.active) return undefined;
    const row = this.#newRow(agent, doc);
    this.#mark(row, LOADED);
    return row;
  }

  /** Puts all rows, which `load` has added, into the lists, in steps. Returns them by agent_id. */
  *sortLoaded(): Generator<void, Uint32Array<ArrayBuffer>> {
    const byId = Uint32Array.from({ length: this.#rowsEnd }, (_, row) => row);
    yield* sortInSteps(byId, this.compareRows);
    const byUpdate = byId.slice();
    // Stable: of equal times, those in order of agent_id.
    yield* sortInSteps(byUpdate, (a, b) => this.#updatedAt[b]! - this.#updatedAt[a]!);
    for (const [category, rows] of this.byCategory(byId)) this.#listsOf(category).byId.fillSorted(rows);
    yield;
    for (const [category, rows] of this.byCategory(byUpdate))
      this.#listsOf(category).byUpdate.fillSorted(rows);
    return byId;
  }

  /** Rows by category and for ANY, in the order in which they are given. */
  byCategory(rows: Uint32Array): Map<string, Uint32Array | number[]> {
    const found = new Map<string, Uint32Array | number[]>();
    const lists = new Map<string, number[]>();
    for (const row of rows) {
      const category = this.categoryOf(row);
      const list = lists.get(category);
      if (list) list.push(row);
      else lists.set(category, [row]);
    }
    if (rows.length > 0) found.set(ANY, rows);
    for (const [category, list] of lists) found.set(category, list);
    return found;
  }

  #listsOf(category: string): Lists {
    let lists = this.#lists.get(category);
    if (!lists) {
      lists = { byUpdate: new SortedIndex(this.#byUpdate), byId: new SortedIndex(this.compareRows) };
      this.#lists.set(category, lists);
    }
    return lists;
  }

  #remove(agent: number): void {
    const row = this.rowOf(agent);
    if (row === undefined) return;
    this.onRemove(row);
    for (const category of [ANY, this.#category[row]!]) {
      const { byUpdate, byId } = this.#lists.get(category)!;
      byUpdate.remove(row);
      byId.remove(row);
      if (byId.size === 0) this.#lists.delete(category);
    }
    if (this.#texts[row] === INDEXED) this.text.remove(row);
    this.#mark(row, INDEXED);
    this.#rows[agent] = 0;
    this.#category[row] = undefined;
    this.#free.push(row);
  }

  /** Active listings by category. */
  categories(offset: number, size: number): { counts: Record<string, number>; total: number } {
    const counts: Record<string, number> = Object.create(null);
    let at = 0;
    for (const [category, { byId }] of this.#lists) {
      if (category === ANY) continue;
      if (at >= offset && at < offset + size) counts[category] = byId.size;
      at += 1;
    }
    return { counts, total: at };
  }

  /** Rows of a category (ANY: all) by agent_id, in chunks. */
  *inIdOrder(category: string): Generator<readonly number[]> {
    const list = this.#lists.get(category)?.byId;
    if (list) yield* list.chunks();
  }

  /** Active listings that contain a text, newest update first, ties by agent_id (protocol 4.6). */
  search(query: string, category: string, offset: number, count: number): Page {
    const list = this.#lists.get(category)?.byUpdate;
    if (!list) return { agents: [], total: 0 };
    if (query === '') return this.#page(list.slice(offset, count), list.size);
    const found = this.text.containing(query);
    const foundCount = found.count;
    if (foundCount * SORT_COST < list.size) {
      const sorted = this.#sorted(found, category);
      return this.#page(sorted.slice(offset, offset + count), sorted.length);
    }
    return this.#walk(list, found, offset, count, category === ANY ? foundCount : undefined);
  }

  #page(rows: readonly number[], total: number): Page {
    return { agents: rows.map((row) => this.#agents[row]!), total };
  }

  #sorted(found: RowSet, category: string): number[] {
    const rows: number[] = [];
    found.forEach((row) => {
      if (category === ANY || this.#category[row] === category) rows.push(row);
    });
    return rows.sort(this.#byUpdate);
  }

  /** A page of the found rows in the order of a list. Counts them unless their number is `known`. */
  #walk(list: SortedIndex, found: RowSet, offset: number, count: number, known: number | undefined): Page {
    const rows: number[] = [];
    let seen = 0;
    for (const chunk of list.chunks()) {
      for (const row of chunk) {
        if (!found.has(row)) continue;
        if (seen >= offset && rows.length < count) rows.push(row);
        seen++;
      }
      if (known !== undefined && seen >= offset + count) break;
    }
    return this.#page(rows, known ?? seen);
  }
}
