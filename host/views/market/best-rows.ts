// Merges sources of rows, each sorted by descending score, then by agent_id.
// The first row of a source is read only when its maximum score is reached, so unused sources cost nothing.

export interface RowSource {
  /** Upper bound of the scores of this source. */
  maxScore: number;
  /** Sorted. */
  rows: Iterator<number>;
  scoreOf(row: number): number;
}

interface Head {
  source: RowSource;
  score: number;
  /** NONE before the first row. */
  row: number;
}

const NONE = -1;

/** Up to `count` rows from rank `offset` (from 0) on, with their scores. */
export function bestRows(
  sources: readonly RowSource[],
  offset: number,
  count: number,
  compareIds: (a: number, b: number) => number,
): { row: number; score: number }[] {
  const heap = new Heads(compareIds);
  for (const source of sources) heap.push({ source, score: source.maxScore, row: NONE });
  const best: { row: number; score: number }[] = [];
  for (let rank = 0; rank < offset + count; ) {
    const head = heap.pop();
    if (!head) break;
    if (head.row !== NONE) {
      if (rank >= offset) best.push({ row: head.row, score: head.score });
      rank++;
    }
    const next = head.source.rows.next();
    if (next.done) continue;
    heap.push({ source: head.source, score: head.source.scoreOf(next.value), row: next.value });
  }
  return best;
}

/** A heap with the best head on top; a head without a row comes before others of the same score. */
class Heads {
  readonly #heads: Head[] = [];

  constructor(private readonly compareIds: (a: number, b: number) => number) {}

  #isBefore(a: Head, b: Head): boolean {
    if (a.score !== b.score) return a.score > b.score;
    if (a.row === NONE || b.row === NONE) return b.row !== NONE;
    return this.compareIds(a.row, b.row) < 0;
  }

  push(head: Head): void {
    const heads = this.#heads;
    let at = heads.length;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!this.#isBefore(head, heads[parent]!)) break;
      heads[at] = heads[parent]!;
      at = parent;
    }
    heads[at] = head;
  }

  pop(): Head | undefined {
    const heads = this.#heads;
    const top = heads[0];
    const last = heads.pop();
    if (heads.length === 0 || !last) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heads.length) break;
      if (child + 1 < heads.length && this.#isBefore(heads[child + 1]!, heads[child]!)) child++;
      if (!this.#isBefore(heads[child]!, last)) break;
      heads[at] = heads[child]!;
      at = child;
    }
    heads[at] = last;
    return top;
  }
}
