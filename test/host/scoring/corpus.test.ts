// pitfall V1: per category group at most 5 % of the adversarial items pass and at least 90 % of the good ones.
// The seed is fixed, so the items are; `npm run corpus -- --seed <seed>` prints the table for any other.

import { describe, expect, it } from 'vitest';
import { scoreSubmission } from '../../../host/scoring/index.ts';
import { corpusOf } from './corpus/corpus.ts';
import { ratesOf, tableOf } from './corpus/rates.ts';

const items = corpusOf('main', 1);
const rates = ratesOf(items);

describe('the corpus', () => {
  it('has two hundred good and two hundred adversarial items, in every group', () => {
    expect([...rates.keys()]).toEqual(['code', 'data', 'analysis', 'content', 'other']);
    expect(items.filter(({ isGood }) => isGood).length).toBeGreaterThanOrEqual(200);
    expect(items.filter(({ isGood }) => !isGood).length).toBeGreaterThanOrEqual(200);
    expect(new Set(items.map(({ content }) => content)).size).toBeGreaterThan(0.9 * items.length);
  });

  it.each([...rates])('%s: good work passes, filler does not', (_, rate) => {
    const table = tableOf(new Map([['rate', rate]])).join('\n');
    expect(rate.goodPassed / rate.good, table).toBeGreaterThanOrEqual(0.9);
    expect(rate.badPassed / rate.bad, table).toBeLessThanOrEqual(0.05);
  });

  it('most of it reaches the threshold and is refused by a filler gate', () => {
    const bad = items.filter(({ isGood }) => !isGood);
    const reaching = bad.filter(({ contract, content }) => {
      const { gates, pass } = scoreSubmission(contract, { result_content: content });
      return gates.threshold && !pass;
    });
    expect(reaching.length).toBeGreaterThan(bad.length / 2);
  });
});

it('good work with original parts is refused by a filler gate at most once in ten', () => {
  for (const [group, rate] of ratesOf(corpusOf('other', 1))) {
    const byFormulas = rate.lost.get('below_threshold') ?? 0;
    expect(rate.good - rate.goodPassed - byFormulas, group).toBeLessThanOrEqual(0.1 * rate.good);
  }
});
