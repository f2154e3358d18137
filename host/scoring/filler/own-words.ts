// How much an output says in words that the task did not supply.

import type { Reading } from '../reading.ts';
import { CLASS_OF, FUNCTION_WORD, STOP } from '../vocabulary.ts';
import type { Text } from './text.ts';

const OWN_BYTES = 3;

/** Whether a word carries a meaning of the worker's own: three bytes, no digit, no small word, not of the task. */
function isOwnWord(reading: Reading, id: number): boolean {
  if (reading.isInTask(id) || reading.lexicon.lengthOf(id) < OWN_BYTES) return false;
  if (id < CLASS_OF.length && (CLASS_OF[id]! & (STOP | FUNCTION_WORD)) !== 0) return false;
  return !reading.lexicon.hasDigit(id);
}

/** Distinct words of the worker's own, and distinct terms of the task, in the output. */
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
