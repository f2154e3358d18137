// Words with a special role in scoring, each with its classes.
// Keeps: these words get the first ids of every lexicon, in this order, so a class is looked up by id.

import { utf8 } from '../wire/bytes.ts';

/** Classes of words, as bits. */
export const STOP = 1;
export const CODE_KEYWORD = 2;
export const TEST_WORD = 4;
/** Classes of English function words, for filler/word-order.ts. */
export const DETERMINER = 8;
export const PREPOSITION = 16;
export const CONJUNCTION = 32;
export const MODAL = 64;
export const FINITE_VERB = 128;
export const SUBJECT = 256;
export const OBJECT = 512;
export const LINKER = 1024;
export const INFINITIVE = 2048;
export const OF = 4096;
export const TO = 8192;
/** Function words of the more widespread languages in Latin script. */
export const FUNCTION_WORD = 16384;
/** By language: English, German, French, Spanish, Italian, Portuguese, Dutch, Scandinavian, Indonesian, Swahili. */
const FUNCTION_WORDS = [
  'the a an of and to in is are was were be been it its this that these those for on with as at by from or but not no if so than then there here they them their we our us you your he she his her i me my who which what when where how all any each some such only also into out up down about over after before between during without has have had do does did can could will would should may might must one two',
  'der die das den dem des ein eine einen einem einer und oder aber nicht ist sind war waren wird werden hat haben in im an am auf aus bei mit nach von vom zu zum zur es er sie wir ihr ich sich auch nur noch wie als wenn dass so durch',
  'le la les un une des du de et ou mais ne pas est sont sur dans par pour avec sans ce cette ces il elle ils on nous vous je que qui au aux se sa son plus',
  'el los las una unos y o pero no es son en por para con sin este esta estos lo se su que del al como más muy',
  'il lo gli uno e ma non sono nel nella per con senza questo questa che si di da dei della più anche',
  'os as um uma não em no na nos nas do da dos das ao por com sem este esta que seu sua mais',
  'de het een en van niet zijn op te met voor door naar bij ook dat die er maar om uit',
  'og i på av til med for ikke som det den en et er å att och är inte ett från af at fra',
  'yang dan di ke dari untuk dengan ini itu tidak pada adalah akan atau',
  'na ya wa kwa ni katika la za cha hii hiyo',
];

/** The word lists of protocol 6.14, and those of the filler gates. */
const LISTS: readonly [number, string][] = [
  [
    STOP,
    'the and for with from that this are was you your our its into can will should must may please using use',
  ],
  [CODE_KEYWORD, 'function def class fn func const let import'],
  [TEST_WORD, 'test assert expect'],
  [DETERMINER, 'the a an every my your our their its his'],
  [PREPOSITION, 'of from into with at by for'],
  [CONJUNCTION, 'and or but'],
  [MODAL, 'can could will would should must may might'],
  [FINITE_VERB, 'is are was were has had'],
  [SUBJECT, 'he she they we'],
  [OBJECT, 'me him them us'],
  [LINKER, 'if because when where which who what how than then there although though'],
  [INFINITIVE, 'be been'],
  [OF, 'of'],
  [TO, 'to'],
  ...FUNCTION_WORDS.map((words): [number, string] => [FUNCTION_WORD, words]),
];

function collect(): Map<string, number> {
  const classes = new Map<string, number>();
  for (const [bit, words] of LISTS) {
    for (const word of words.split(' ')) classes.set(word, (classes.get(word) ?? 0) | bit);
  }
  return classes;
}
const CLASSES = collect();

/** All words with a separator after each. */
export const VOCABULARY = utf8(`${[...CLASSES.keys()].join(' ')} `);
/** Classes by id. */
export const CLASS_OF = Uint16Array.from(CLASSES.values());
