// Counts the original words of an output: those that the task did not supply.

import type { Reading } from '../reading.ts';
import { CLASS_OF, FUNCTION_WORD, STOP } from '../vocabulary.ts';
import type { Text } from './text.ts';

const OWN_BYTES = 3;

/** Whether a word is original and has meaning: at least three bytes, no digit, no function word, not from the task. */
function isOwnWord(reading: Reading, id: number): boolean {
  if (reading.isInTask(id) || reading.lexicon.lengthOf(id) < OWN_BYTES) return false;
  if (id < CLASS_OF.length && (CLASS_OF[id]! & (STOP | FUNCTION_WORD)) !== 0) return false;
  return !reading.lexicon.hasDigit(id);
}

/** Distinct original words and distinct terms of the task in the output. */
export function countOwnWords({ reading }: Text): { own: number; terms: number } {
  let own = 0;
  let terms = 0;
  for (let id = 0; id < reading.lexicon.count; id++) {
    if (!reading.isInOutput(id)) continue;
    if (reading.isTerm(id)) terms++;
    else if (isOwnWord(reading, id)) own++;
  }
  return { own, terms };
}
