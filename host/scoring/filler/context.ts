// Which of the task's terms an output uses in original lines, as opposed to lists, copies and repetitions.

import { BP, shareBp } from '../policy.ts';
import { GRAM, SequenceSet } from '../sequence-set.ts';
import { maskedWords } from './pattern.ts';
import { LINE, type Text } from './text.ts';

/** Shorter lines are labels. Single letters are not counted: they are names or remains of an escape sequence. */
const MIN_WORDS = 3;
/** A line with a larger share of terms is a list of keywords. */
const MAX_TERMS_BP = 6000;
/** A line with a larger share of words inside sequences of the task is a copy. */
const MAX_COPIED_BP = 5000;

/** For each word of the output: 1 if it is part of a four-word sequence of the task. */
function copiedWords({ reading, words }: Text): Uint8Array {
  const copied = new Uint8Array(words.length);
  for (let i = 0; i + GRAM <= words.length; i++) {
    if (reading.taskGrams.has(words, i, GRAM)) copied.fill(1, i, i + GRAM);
  }
  return copied;
}

/** Whether words[from, to) say something besides the terms they contain. */
function isOwnLine({ reading, words }: Text, copied: Uint8Array, from: number, to: number): boolean {
  let size = 0;
  let terms = 0;
  let taken = 0;
  for (let i = from; i < to; i++) {
    const id = words[i]!;
    if (!reading.lexicon.isLetter(id)) size++;
    if (reading.isTerm(id)) terms++;
    taken += copied[i]!;
  }
  return size >= MIN_WORDS && terms * BP <= MAX_TERMS_BP * size && taken * BP <= MAX_COPIED_BP * (to - from);
}

/**
 * Share of the found terms that also occur in an original line, 100 % when no term is found. A line that differs from an
 * earlier one only in its terms is not original.
 */
export function termsInContextBp(text: Text): number {
  const { reading, words, breaks, seed } = text;
  const masked = maskedWords(text, false);
  const copied = copiedWords(text);
  const lines = new SequenceSet(masked, masked.length, seed);
  const inContext = new Uint8Array(reading.lexicon.count);
  for (let from = 0; from < words.length; ) {
    let to = from + 1;
    while (to < words.length && breaks[to]! < LINE) to++;
    if (lines.add(from, to - from) && isOwnLine(text, copied, from, to)) {
      for (let i = from; i < to; i++) inContext[words[i]!] = 1;
    }
    from = to;
  }
  let found = 0;
  let used = 0;
  for (let id = 0; id < reading.lexicon.count; id++) {
    if (!reading.isTerm(id) || !reading.isInOutput(id)) continue;
    found++;
    used += inContext[id]!;
  }
  return found === 0 ? BP : shareBp(used, found);
}
