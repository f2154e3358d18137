// An output's words, with everything masked that a template would fill in.

import type { Text } from './text.ts';

/** The mask of every term of the task, and of every word with a digit. Ids of words are never negative. */
const TERM = -1;
const FIGURE = -2;

/** For each word of the output its id or its mask. Words with digits are masked only if `masksFigures`. */
export function maskedWords({ reading, words }: Text, masksFigures: boolean): Int32Array {
  const { lexicon } = reading;
  return words.map((id) => {
    if (reading.isTerm(id)) return TERM;
    return masksFigures && lexicon.hasDigit(id) ? FIGURE : id;
  });
}
