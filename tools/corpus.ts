// npm run corpus [-- seed]: how much good and how much adversarial work the verification passes, by category group,
// and what refuses the rest. The corpora of test/host/verification/corpus; the same seed gives the same items.

import { CORPORA, corpusOf } from '../test/host/verification/corpus/corpus.ts';
import { ratesOf, tableOf } from '../test/host/verification/corpus/rates.ts';

const seed = Number(process.argv[2] ?? 1);
for (const name of CORPORA) {
  const items = corpusOf(name, seed);
  console.log(`corpus ${name}, seed ${seed}: ${items.length} items`);
  for (const line of tableOf(ratesOf(items))) console.log(line);
}
