// How much of an output is one pattern with the task's terms filled in.

import { shareBp } from '../policy.ts';
import { GRAM, SequenceSet } from '../sequence-set.ts';
import { maskedWords } from './pattern.ts';
import { NO_BREAK, type Text } from './text.ts';

/**
 * The output's four-word sequences within phrases, with terms and figures masked: their number, and the share that occurred
 * before. Sequences that are more than half masked say nothing and are left out.
 */
export function repetition(text: Text): { sequences: number; repeatedBp: number } {
  const { breaks, seed } = text;
  const masked = maskedWords(text, true);
  const known = new SequenceSet(masked, masked.length, seed);
  let sequences = 0;
  let repeated = 0;
  for (let i = 0; i + GRAM <= masked.length; i++) {
    let hidden = 0;
    let isPhrase = true;
    for (let k = 0; k < GRAM; k++) {
      if (masked[i + k]! < 0) hidden++;
      if (k > 0 && breaks[i + k] !== NO_BREAK) isPhrase = false;
    }
    if (!isPhrase || 2 * hidden > GRAM) continue;
    sequences++;
    if (!known.add(i, GRAM)) repeated++;
  }
  return { sequences, repeatedBp: sequences === 0 ? 0 : shareBp(repeated, sequences) };
}
