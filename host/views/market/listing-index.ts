// Listings in memory, for search, categories and discovery; only the documents of a page are read from the store.
// Rebuilt at start, updated after each batch. Texts of rows set with `later` are indexed afterwards, since that takes longest.
// Keeps: only active listings are rows; a row is in the text index or among those left; the values by which a row is sorted change only while it is in no list; inactive
// listings are only in the store.

import type { ListingDoc } from '../../store/market-documents.ts';
import { SortedIndex } from '../../store/sorted-index.ts';
import { grownFloats } from './columns.ts';
import type { RowSet } from './row-set.ts';
import { TextIndex } from './text-index.ts';
import { joinFields } from './text-tokens.ts';

/** Name of the lists over all categories; no category has an empty name. */
export const ANY = '';
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
  readonly text = new TextIndex();
  /** Called with a row before it is removed. */
  onRemove: (row: number) => void = () => {};
  readonly #rows = new Map<number, number>();
  readonly #agents: number[] = [];
  readonly #free: number[] = [];
  /** Rows whose texts are not indexed yet. */
  readonly #left = new Set<number>();
  readonly #category: (string | undefined)[] = [];
  readonly #lists = new Map<string, Lists>();
  #updatedAt = new Float64Array(16);
  #priceTok = new Float64Array(16);

  /** `compareAgents`: by agent_id. */
  constructor(private readonly compareAgents: (a: number, b: number) => number) {}

  /** All rows are below this. */
  get rowsEnd(): number {
    return this.#agents.length;
  }

  rowOf(agent: number): number | undefined {
    return this.#rows.get(agent);
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

  /** Rows whose texts are not indexed: until there are none, `text` does not find everything. */
  get textsLeft(): number {
    return this.#left.size;
  }

  /** Up to so many agents whose texts are left. */
  agentsLeft(most: number): number[] {
    const agents: number[] = [];
    for (const row of this.#left) if (agents.push(this.#agents[row]!) >= most) break;
    return agents;
  }

  /** Indexes the text of a listing that was left. */
  indexText(agent: number, doc: ListingDoc): void {
    const row = this.#rows.get(agent)!;
    if (this.#left.delete(row)) this.#addText(row, doc);
  }

  #addText(row: number, doc: ListingDoc): void {
    this.text.add(row, joinFields([doc.name, doc.description, ...doc.tags]));
  }

  /** Sets or replaces a listing; returns its row, or undefined if it is inactive. `later`: leaves its text for `indexText`. */
  set(agent: number, doc: ListingDoc, later = false): number | undefined {
    this.#remove(agent);
    if (!doc.active) return undefined;
    const row = this.#free.pop() ?? this.#agents.length;
    this.#updatedAt = grownFloats(this.#updatedAt, row);
    this.#priceTok = grownFloats(this.#priceTok, row);
    this.#rows.set(agent, row);
    this.#agents[row] = agent;
    this.#category[row] = doc.category;
    this.#updatedAt[row] = doc.updated_at;
    this.#priceTok[row] = doc.price_tok;
    if (later) this.#left.add(row);
    else this.#addText(row, doc);
    for (const category of [ANY, doc.category]) {
      const lists = this.#listsOf(category);
      lists.byUpdate.insert(row);
      lists.byId.insert(row);
    }
    return row;
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
    const row = this.#rows.get(agent);
    if (row === undefined) return;
    this.onRemove(row);
    for (const category of [ANY, this.#category[row]!]) {
      const { byUpdate, byId } = this.#lists.get(category)!;
      byUpdate.remove(row);
      byId.remove(row);
      if (byId.size === 0) this.#lists.delete(category);
    }
    if (!this.#left.delete(row)) this.text.remove(row);
    this.#rows.delete(agent);
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
