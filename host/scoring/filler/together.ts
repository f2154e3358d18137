// Whether terms that are neighbours in the task are also close to each other in the output.
// Terms scattered over unrelated text all occur, but each of them alone.

import type { Text } from './text.ts';

/** Two terms meet when they are at most this many words apart. */
const NEAR_WORDS = 4;

interface Neighbours {
  /** Distinct pairs of neighbouring terms of the task that both occur in the output. */
  readonly pairs: number;
  /** Pairs of these that meet in the output. */
  readonly met: number;
}

export function neighbours({ reading, words }: Text): Neighbours {
  const terms = reading.taskWords.filter((id) => reading.isTerm(id));
  // Ids of a task's words stay below 2^14, so a pair is a safe integer.
  const keyOf = (a: number, b: number): number => Math.min(a, b) * reading.lexicon.count + Math.max(a, b);
  const apart = new Set<number>();
  for (let i = 1; i < terms.length; i++) {
    const [a, b] = [terms[i - 1]!, terms[i]!];
    if (a !== b && reading.isInOutput(a) && reading.isInOutput(b)) apart.add(keyOf(a, b));
  }
  const pairs = apart.size;
  for (let i = 0; i < words.length && apart.size > 0; i++) {
    if (!reading.isTerm(words[i]!)) continue;
    for (let k = Math.max(0, i - NEAR_WORDS); k < i; k++) apart.delete(keyOf(words[k]!, words[i]!));
  }
  return { pairs, met: pairs - apart.size };
}
