// A sorted list of small integers (row numbers of a table) with access by rank: leaderboards, pending lists.
// Derived from state, built at a start, never stored. Insert, remove and rank cost about O(sqrt n): rows are in chunks of
// at most CHUNK, found by binary search; a page costs its size plus a walk over chunk lengths. A row that comes after all
// others is appended at once.
// Keeps: rows are in the order of `compare`, which must be a strict total order. Before a row's place in that order
// changes, remove the row.

const CHUNK = 512;

export class SortedIndex {
  #chunks: number[][] = [[]];
  #size = 0;

  constructor(private readonly compare: (a: number, b: number) => number) {}

  get size(): number {
    return this.#size;
  }

  /** The first chunk whose last row is not before `row`, or the last chunk. */
  #chunkFor(row: number): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const mid = (low + high) >>> 1;
      const chunk = this.#chunks[mid]!;
      if (this.compare(chunk[chunk.length - 1]!, row) < 0) low = mid + 1;
      else high = mid;
    }
    return low;
  }

  #placeIn(chunk: number[], row: number): number {
    let low = 0;
    let high = chunk.length;
    while (low < high) {
      const mid = (low + high) >>> 1;
      if (this.compare(chunk[mid]!, row) < 0) low = mid + 1;
      else high = mid;
    }
    return low;
  }

  insert(row: number): void {
    this.#size++;
    const end = this.#chunks.at(-1)!;
    if (end.length === 0 || this.compare(end[end.length - 1]!, row) < 0) {
      if (end.length < CHUNK) end.push(row);
      else this.#chunks.push([row]);
      return;
    }
    const at = this.#chunkFor(row);
    const chunk = this.#chunks[at]!;
    chunk.splice(this.#placeIn(chunk, row), 0, row);
    if (chunk.length > CHUNK) this.#chunks.splice(at + 1, 0, chunk.splice(CHUNK >>> 1));
  }

  /** Removes a row; false if it is not present. */
  remove(row: number): boolean {
    if (this.#size === 0) return false;
    const at = this.#chunkFor(row);
    const chunk = this.#chunks[at]!;
    const place = this.#placeIn(chunk, row);
    if (chunk[place] !== row) return false;
    chunk.splice(place, 1);
    this.#size--;
    if (chunk.length === 0 && this.#chunks.length > 1) this.#chunks.splice(at, 1);
    return true;
  }

  /** Builds from rows already in order, O(n). */
  fillSorted(all: Uint32Array | readonly number[]): void {
    this.#chunks = [];
    const size = CHUNK >>> 1;
    for (let i = 0; i < all.length; i += size) this.#chunks.push(Array.from(all.slice(i, i + size)));
    if (this.#chunks.length === 0) this.#chunks.push([]);
    this.#size = all.length;
  }

  /** All rows in order, in chunks; valid until the next change. */
  chunks(): readonly (readonly number[])[] {
    return this.#chunks;
  }

  /** Up to `count` rows from rank `offset` (0-based) on. */
  slice(offset: number, count: number): number[] {
    const out: number[] = [];
    let skip = offset;
    for (const chunk of this.#chunks) {
      if (skip >= chunk.length) {
        skip -= chunk.length;
        continue;
      }
      for (let i = skip; i < chunk.length && out.length < count; i++) out.push(chunk[i]!);
      skip = 0;
      if (out.length >= count) break;
    }
    return out;
  }
}
