// A sorted source made of rows and their scores. Sorts plain numbers; only rows that are actually read are compared by id.

import type { RowSource } from './best-rows.ts';
import { BP } from './discovery-score.ts';

/** A source has fewer rows than this. */
const ROWS_END = 2 ** 26;

/** `scores[i]` is that of `rows[i]`. */
export function scoredSource(
  rows: readonly number[],
  scores: readonly number[],
  compareIds: (a: number, b: number) => number,
): RowSource {
  const keys = Float64Array.from(scores, (score, i) => (BP - score) * ROWS_END + i).sort();
  const scoreAt = (place: number): number => BP - Math.floor(keys[place]! / ROWS_END);
  let score = keys.length > 0 ? scoreAt(0) : 0;
  function* inOrder(): Generator<number> {
    for (let from = 0; from < keys.length; ) {
      score = scoreAt(from);
      let end = from + 1;
      while (end < keys.length && scoreAt(end) === score) end++;
      const tied = Array.from(keys.subarray(from, end), (key) => rows[key % ROWS_END]!);
      yield* tied.sort(compareIds);
      from = end;
    }
  }
  // The caller reads the score of a row right after the row.
  return { maxScore: score, rows: inOrder(), scoreOf: () => score };
}
