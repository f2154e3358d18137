// A page of several sorted lists, as if they were one: a row that is in many lists need not be in a list of all of them.

import type { SortedIndex } from './sorted-index.ts';

/** A place in a list, by its chunks. */
interface Place {
  chunks: readonly (readonly number[])[];
  chunk: number;
  row: number;
}

const headOf = ({ chunks, chunk }: Place): readonly number[] => chunks[chunk]!;

/**
 * Up to `count` rows from rank `offset` (0-based) on, of lists that share none. `compare`: that of the lists. Costs the number of
 * chunks before the page, and the rows of a chunk of each list.
 */
export function mergedSlice(
  lists: readonly SortedIndex[],
  compare: (a: number, b: number) => number,
  offset: number,
  count: number,
): number[] {
  const filled = lists.filter(({ size }) => size > 0);
  if (filled.length === 1) return filled[0]!.slice(offset, count);
  let places = filled.map((list): Place => ({ chunks: list.chunks(), chunk: 0, row: 0 }));
  const open = ({ chunks, chunk }: Place): boolean => chunk < chunks.length;
  const first = (rowOf: (place: Place) => number): Place =>
    places.reduce((least, place) => (compare(rowOf(place), rowOf(least)) < 0 ? place : least));

  let skip = offset;
  // What comes before the end of the chunk that ends first is in the head chunks alone.
  while (places.length > 0 && places.reduce((sum, place) => sum + headOf(place).length, 0) <= skip) {
    const ended = first((place) => headOf(place).at(-1)!);
    skip -= headOf(ended).length;
    ended.chunk += 1;
    places = places.filter(open);
  }
  const rows: number[] = [];
  while (places.length > 0 && rows.length < count) {
    const next = first((place) => headOf(place)[place.row]!);
    if (skip > 0) skip -= 1;
    else rows.push(headOf(next)[next.row]!);
    next.row += 1;
    if (next.row < headOf(next).length) continue;
    next.chunk += 1;
    next.row = 0;
    places = places.filter(open);
  }
  return rows;
}
