// Maintains the rankings of all categories: a row is in the ranking of its category and in that of all categories.
// Keeps: the sort keys of a row are stored here and change only while the row is in no ranking.

import { grownFloats, grownShorts } from './columns.ts';
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

  /** Subscribes to changes of both. Rows already listed must have a standing. */
  constructor(
    private readonly listings: ListingIndex,
    private readonly standing: Standing,
  ) {
    this.#columns = {
      price: (row) => this.#price[row]!,
      base: (row) => this.#base[row]!,
      compareIds: listings.compareRows,
    };
    for (const chunk of listings.inIdOrder(ANY)) for (const row of chunk) this.#put(row);
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

  #put(row: number): void {
    const category = this.listings.categoryOf(row);
    this.#category[row] = category;
    this.#base = grownShorts(this.#base, row);
    this.#price = grownFloats(this.#price, row);
    this.#base[row] = this.standing.baseBp(row);
    this.#price[row] = this.listings.priceTok(row);
    for (const name of [ANY, category]) {
      const ranking = this.#byCategory.get(name) ?? new Ranking(this.#columns);
      this.#byCategory.set(name, ranking);
      ranking.insert(row);
    }
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
