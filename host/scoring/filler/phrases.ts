// The running text of an output: the share of function words in its longer phrases.

import { shareBp } from '../policy.ts';
import { CLASS_OF, FUNCTION_WORD } from '../vocabulary.ts';
import { NO_BREAK, type Text } from './text.ts';

/** Shorter phrases are headings, cells, labels and code. */
const PHRASE_WORDS = 6;
/** A larger share of words outside ASCII means a language that the vocabulary may not contain. */
const FOREIGN_BP = 300;

interface RunningText {
  /** Words in phrases of at least six words. */
  readonly words: number;
  readonly smallBp: number;
  /** Whether more than 3 % of these words have letters outside ASCII. */
  readonly isForeign: boolean;
}

export function runningText({ reading, words, breaks }: Text): RunningText {
  let total = 0;
  let small = 0;
  let foreign = 0;
  for (let from = 0; from < words.length; ) {
    let to = from + 1;
    while (to < words.length && breaks[to] === NO_BREAK) to++;
    if (to - from >= PHRASE_WORDS) {
      total += to - from;
      for (let i = from; i < to; i++) {
        const id = words[i]!;
        if (id < CLASS_OF.length && (CLASS_OF[id]! & FUNCTION_WORD) !== 0) small++;
        else if (!reading.lexicon.isAscii(id)) foreign++;
      }
    }
    from = to;
  }
  if (total === 0) return { words: 0, smallBp: 0, isForeign: false };
  return { words: total, smallBp: shareBp(small, total), isForeign: shareBp(foreign, total) > FOREIGN_BP };
}
