// Gates against filler: work that the formulas would pass although nobody did it.
// Keeps: each gate is a limit on one figure of this folder. Limits leave honest work room, as measured by
// `npm run corpus`; short work, of which little can be said, is let through where a figure needs some length.

import type { GateName } from '../../wire/check-names.ts';
import { shareBp } from '../policy.ts';
import type { Work } from '../verifiers.ts';
import { termsInContextBp } from './context.ts';
import { countOwnWords } from './own-words.ts';
import { runningText } from './phrases.ts';
import { oddWordsBp } from './scripts.ts';
import { repetition } from './templates.ts';
import { type Text, textOf } from './text.ts';
import { neighbours } from './together.ts';
import { wordOrder } from './word-order.ts';

/** Least words of the worker's own for each term of the task. */
const OWN_WORDS_BP = 5000;
/** Least share of the terms found that sentences of the worker's own use. */
const CONTEXT_BP = 2500;
/** Most of the four-word sequences that may have occurred before, from so many on. */
const REPEATED_BP = 4000;
const REPEATED_FROM = 20;
/** Share of small words in running text, from so many words on: fewer are a heap of names, more are padding. */
const MIN_SMALL_BP = 2500;
const MAX_SMALL_BP = 6000;
const SMALL_WORDS_FROM = 30;
/** Most small words with a successor that cannot follow them: a share, and one slip is free. */
const BROKEN_BP = 400;
const BROKEN_FREE = 1;
/** Least share of the task's neighbouring terms that meet, from so many pairs on. */
const MET_BP = 1500;
const MET_FROM = 10;
/** Most words that no language would write. */
const ODD_BP = 2000;

function hasOwnWords(text: Text): boolean {
  const { own, terms } = countOwnWords(text);
  return terms === 0 || shareBp(own, terms) >= OWN_WORDS_BP;
}

function hasOwnContext(text: Text): boolean {
  return termsInContextBp(text) >= CONTEXT_BP;
}

function isNotTemplated(text: Text): boolean {
  const { sequences, repeatedBp } = repetition(text);
  return sequences < REPEATED_FROM || repeatedBp < REPEATED_BP;
}

function isPlainLanguage(text: Text): boolean {
  const { words, smallBp, isForeign } = runningText(text);
  return words < SMALL_WORDS_FROM || isForeign || (smallBp >= MIN_SMALL_BP && smallBp <= MAX_SMALL_BP);
}

function isInOrder(text: Text): boolean {
  const { judged, broken } = wordOrder(text);
  return broken <= BROKEN_FREE || shareBp(broken, judged) < BROKEN_BP;
}

function areTermsTogether(text: Text): boolean {
  const { pairs, met } = neighbours(text);
  return pairs < MET_FROM || shareBp(met, pairs) >= MET_BP;
}

/** Gates by name; true: holds. */
const FILLER_GATES = {
  own_words: hasOwnWords,
  own_context: hasOwnContext,
  not_templated: isNotTemplated,
  plain_language: isPlainLanguage,
  word_order: isInOrder,
  terms_together: areTermsTogether,
  readable: (text) => oddWordsBp(text) < ODD_BP,
} as const satisfies Partial<Record<GateName, (text: Text) => boolean>>;

export type FillerGate = keyof typeof FILLER_GATES;
const NAMES = Object.keys(FILLER_GATES) as FillerGate[];

/**
 * Which filler gates hold. They judge only what `isPassing` by everything else: a second look, so that what fails
 * anyway is reported by the formulas alone. Without text to judge (a bare address) all hold.
 */
export function fillerGates({ reading, output }: Work, isPassing: boolean): Record<FillerGate, boolean> {
  const held: Partial<Record<FillerGate, boolean>> = {};
  if (!isPassing) {
    for (const name of NAMES) held[name] = true;
    return held as Record<FillerGate, boolean>;
  }
  const text = textOf(reading, output);
  for (const name of NAMES) held[name] = FILLER_GATES[name](text);
  return held as Record<FillerGate, boolean>;
}
