// A stable sort of many rows in short steps, so that a node serves meanwhile: runs are sorted, then merged, twice as long each
// time. Runs that follow each other already are not merged, so rows that are alike cost one look each.
// Keeps: the order is that of Array.sort with the same comparison, which must not change before the last step.

/** Rows that are sorted at once. */
const RUN = 512;
/** Rows that are moved in a step: some 1 ms with a cheap comparison. */
const MOVED = 8192;

type Compare = (a: number, b: number) => number;
type Rows = Uint32Array<ArrayBuffer>;

/** Sorts in place. Each yield is the end of a step. */
export function* sortInSteps(rows: Rows, compare: Compare): Generator<void, void> {
  for (let from = 0, moved = 0; from < rows.length; from += RUN) {
    rows.subarray(from, from + RUN).sort(compare);
    moved += RUN;
    if (moved % MOVED === 0) yield;
  }
  let [from, to] = [rows, new Uint32Array(rows.length > RUN ? rows.length : 0)];
  for (let size = RUN; size < rows.length; size *= 2) {
    for (let at = 0; at < rows.length; at += 2 * size) {
      const middle = Math.min(at + size, rows.length);
      yield* merged(from, to, at, middle, Math.min(middle + size, rows.length), compare);
    }
    [from, to] = [to, from];
  }
  if (from !== rows) rows.set(from);
}

/** Merges two runs that lie one behind the other. */
function* merged(
  from: Rows,
  to: Rows,
  begin: number,
  middle: number,
  end: number,
  compare: Compare,
): Generator<void, void> {
  if (middle === end || compare(from[middle - 1]!, from[middle]!) <= 0) {
    to.set(from.subarray(begin, end), begin);
    return;
  }
  let [left, right] = [begin, middle];
  for (let at = begin; at < end; at++) {
    const isLeft = right === end || (left < middle && compare(from[left]!, from[right]!) <= 0);
    to[at] = isLeft ? from[left++]! : from[right++]!;
    if (at % MOVED === 0) yield;
  }
}
