// Maintains the rankings of all categories: a row is in the ranking of its category and in that of all categories.
// Keeps: the sort keys of a row are stored here and change only while the row is in no ranking.

import { sortInSteps } from '../../store/sort-in-steps.ts';
import { grown } from '../columns.ts';
import { ANY, type ListingIndex } from './listing-index.ts';
import { type RankColumns, Ranking } from './ranking.ts';
import type { Standing } from './standing.ts';

export class Rankings {
  readonly #byCategory = new Map<string, Ranking>();
  /** By row; undefined if the row is in no ranking. */
  readonly #category: (string | undefined)[] = [];
  #base = new Uint16Array(16);
  #price = new Float64Array(16);
  readonly #columns: RankColumns;

  /** Subscribes to changes of both, which must be empty. */
  constructor(
    private readonly listings: ListingIndex,
    private readonly standing: Standing,
  ) {
    this.#columns = {
      price: (row) => this.#price[row]!,
      base: (row) => this.#base[row]!,
      compareIds: listings.compareRows,
    };
    listings.onRemove = (row) => {
      this.#take(row);
      standing.forget(row);
    };
    standing.onRead = (row) => {
      if (this.#category[row] !== undefined && this.#base[row] === standing.baseBp(row)) return;
      this.#take(row);
      this.#put(row);
    };
  }

  of(category: string): Ranking | undefined {
    return this.#byCategory.get(category);
  }

  /** Ranks all rows that were loaded at a start, in steps. `rows`: by agent_id. */
  *sortLoaded(rows: Uint32Array): Generator<void, void> {
    const ranked = Uint32Array.from(rows);
    for (const row of ranked) this.#read(row);
    yield;
    // Stable: of equal prices and bases, those in order of agent_id.
    yield* sortInSteps(
      ranked,
      (a, b) => this.#price[a]! - this.#price[b]! || this.#base[b]! - this.#base[a]!,
    );
    for (const [name, some] of this.listings.byCategory(ranked)) this.#ranking(name).fillSorted(some);
  }

  /** Takes over the sort keys of a row. */
  #read(row: number): string {
    const category = this.listings.categoryOf(row);
    this.#category[row] = category;
    this.#base = grown(this.#base, row);
    this.#price = grown(this.#price, row);
    this.#base[row] = this.standing.baseBp(row);
    this.#price[row] = this.listings.priceTok(row);
    return category;
  }

  #ranking(name: string): Ranking {
    const ranking = this.#byCategory.get(name) ?? new Ranking(this.#columns);
    this.#byCategory.set(name, ranking);
    return ranking;
  }

  #put(row: number): void {
    const category = this.#read(row);
    for (const name of [ANY, category]) this.#ranking(name).insert(row);
  }

  #take(row: number): void {
    const category = this.#category[row];
    if (category === undefined) return;
    for (const name of [ANY, category]) {
      const ranking = this.#byCategory.get(name)!;
      ranking.remove(row);
      if (ranking.size === 0) this.#byCategory.delete(name);
    }
    this.#category[row] = undefined;
  }
}
