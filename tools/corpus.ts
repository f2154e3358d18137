// npm run corpus: scores the corpora of deliveries of the tests.

import { CORPORA, corpusOf } from '../test/host/scoring/corpus/corpus.ts';
import { ratesOf, tableOf } from '../test/host/scoring/corpus/rates.ts';
import { optionsOf } from './options.ts';

const { seed } = optionsOf({
  name: 'corpus',
  about:
    'how much good and how much adversarial work the verification accepts, by category group, and which checks ' +
    'refuse the rest.',
  options: {
    seed: { kind: 'seed', fallback: 1, help: 'the same seed gives the same items' },
  },
});
for (const name of CORPORA) {
  const items = corpusOf(name, seed);
  console.log(`corpus ${name}, seed ${seed}: ${items.length} items`);
  for (const line of tableOf(ratesOf(items))) console.log(line);
}
