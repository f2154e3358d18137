// Gates against filler: text that the formulas would pass although nobody did the work.
// Keeps: each gate is a limit on one figure of this folder. The limits leave room for honest work, as measured by
// `npm run corpus`; work too short for a figure to mean anything passes that gate.

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

/** Minimum number of original words for each term of the task. */
const MIN_OWN_WORDS_BP = 5000;
/** Minimum share of the found terms that original lines use. */
const MIN_CONTEXT_BP = 2500;
/** Limit for the share of repeated four-word sequences; applied from REPEATED_FROM sequences on. */
const MAX_REPEATED_BP = 4000;
const REPEATED_FROM = 20;
/**
 * Limits for the share of function words in running text; applied from SMALL_WORDS_FROM words on. Fewer mean a heap of
 * names, more mean padding.
 */
const MIN_SMALL_BP = 2500;
const MAX_SMALL_BP = 6000;
const SMALL_WORDS_FROM = 30;
/** Limit for the share of function words followed by a word that cannot follow; BROKEN_FREE mistakes are always allowed. */
const MAX_BROKEN_BP = 400;
const BROKEN_FREE = 1;
/** Minimum share of the task's neighbouring terms that are close in the output, too; applied from MET_FROM pairs on. */
const MIN_MET_BP = 1500;
const MET_FROM = 10;
/** Limit for the share of words that no language would write. */
const MAX_ODD_BP = 2000;

function hasOwnWords(text: Text): boolean {
  const { own, terms } = countOwnWords(text);
  return terms === 0 || shareBp(own, terms) >= MIN_OWN_WORDS_BP;
}

function hasOwnContext(text: Text): boolean {
  return termsInContextBp(text) >= MIN_CONTEXT_BP;
}

function isNotTemplated(text: Text): boolean {
  const { sequences, repeatedBp } = repetition(text);
  return sequences < REPEATED_FROM || repeatedBp < MAX_REPEATED_BP;
}

function isPlainLanguage(text: Text): boolean {
  const { words, smallBp, isForeign } = runningText(text);
  return words < SMALL_WORDS_FROM || isForeign || (smallBp >= MIN_SMALL_BP && smallBp <= MAX_SMALL_BP);
}

function isInOrder(text: Text): boolean {
  const { judged, broken } = wordOrder(text);
  return broken <= BROKEN_FREE || shareBp(broken, judged) < MAX_BROKEN_BP;
}

function areTermsTogether(text: Text): boolean {
  const { pairs, met } = neighbours(text);
  return pairs < MET_FROM || shareBp(met, pairs) >= MIN_MET_BP;
}

/** Gates by name; true: holds. */
const FILLER_GATES = {
  own_words: hasOwnWords,
  own_context: hasOwnContext,
  not_templated: isNotTemplated,
  plain_language: isPlainLanguage,
  word_order: isInOrder,
  terms_together: areTermsTogether,
  readable: (text) => oddWordsBp(text) < MAX_ODD_BP,
} as const satisfies Partial<Record<GateName, (text: Text) => boolean>>;

export type FillerGate = keyof typeof FILLER_GATES;
const NAMES = Object.keys(FILLER_GATES) as FillerGate[];

/**
 * Which filler gates hold. They judge only work that `isPassing` all other rules, so that failing work is reported by the
 * formulas alone. Without text to judge (only a URL) all hold.
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
