// Whether the function words of English are in possible positions: "the of" or "a is" shows random word order.
// Keeps: only pairs within a phrase and ends of sentences are judged. Other languages hardly contain such pairs and so
// are not affected.

import * as vocabulary from '../vocabulary.ts';
import { NO_BREAK, SENTENCE, type Text } from './text.ts';

const { CLASS_OF, DETERMINER, PREPOSITION, CONJUNCTION, MODAL, FINITE_VERB, SUBJECT } = vocabulary;
const { OBJECT, LINKER, INFINITIVE, OF, TO } = vocabulary;

const VERB = MODAL | FINITE_VERB;
/** For each class the classes that cannot follow it. */
const BARRED: readonly (readonly [number, number])[] = [
  [DETERMINER, DETERMINER | PREPOSITION | CONJUNCTION | VERB | SUBJECT | OBJECT | LINKER | INFINITIVE | TO],
  [PREPOSITION, VERB | SUBJECT | INFINITIVE | OF],
  [TO, VERB | SUBJECT | OF | TO],
  [CONJUNCTION, CONJUNCTION],
  [MODAL, VERB | OBJECT | OF | TO],
  [FINITE_VERB, VERB],
  [SUBJECT, DETERMINER | SUBJECT | OBJECT | OF],
  [INFINITIVE, SUBJECT | VERB | INFINITIVE],
];
/** Classes that cannot end a sentence; single letters there are names. */
const NO_END = DETERMINER | CONJUNCTION;
const JUDGED = BARRED.reduce((all, [from]) => all | from, 0);
const classOf = (id: number): number => (id < CLASS_OF.length ? CLASS_OF[id]! : 0);

interface WordOrder {
  /** Function words with a successor in the same phrase, or at the end of a sentence. */
  readonly judged: number;
  /** Those of them in an impossible position. */
  readonly broken: number;
}

export function wordOrder({ reading: { lexicon }, words, breaks }: Text): WordOrder {
  let judged = 0;
  let broken = 0;
  for (let i = 1; i < words.length; i++) {
    const first = classOf(words[i - 1]!);
    if ((first & JUDGED) === 0) continue;
    if (breaks[i] === NO_BREAK) {
      judged++;
      const next = classOf(words[i]!);
      if (BARRED.some(([from, barred]) => (first & from) !== 0 && (next & barred) !== 0)) broken++;
    } else if (breaks[i] === SENTENCE && (first & NO_END) !== 0 && lexicon.lengthOf(words[i - 1]!) > 1) {
      judged++;
      broken++;
    }
  }
  return { judged, broken };
}
