// The corpus of deliveries before judges: its variety, that nobody pays or is slashed for form, and how often panels err.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { Court, PANELS, type PanelSize } from '../../tools/judges/court.ts';
import { termsOf, trial } from '../../tools/judges/trial.ts';
import { DISHONESTIES, deliveries, EACH } from './deliveries.ts';
import { FORMS } from './forms.ts';
import { LANGUAGES } from './languages.ts';

const module = new WebAssembly.Module(readFileSync('build/core.wasm'));
const ITEMS = deliveries();
const HONEST = ITEMS.filter((item) => item.isHonest);
const TOKEN = 1_000_000;

describe('the corpus of deliveries', () => {
  test('has 200 honest and 200 dishonest ones in 12 languages and 15 forms, all different', () => {
    expect([HONEST.length, ITEMS.length]).toEqual([EACH, 2 * EACH]);
    expect([LANGUAGES.length, Object.keys(FORMS).length]).toEqual([12, 15]);
    for (const isHonest of [true, false]) {
      const part = ITEMS.filter((item) => item.isHonest === isHonest);
      expect(new Set(part.map(({ language, form }) => `${language} ${form}`)).size).toBe(12 * 15);
    }
    expect(new Set(ITEMS.map(({ kind }) => kind)).size).toBe(1 + DISHONESTIES.length);
    expect(new Set(ITEMS.map(({ task }) => task.description)).size).toBeGreaterThan(380);
    expect(deliveries()).toEqual(ITEMS);
    expect(deliveries(2)).not.toEqual(ITEMS);
  });

  test('no honest delivery fails a fact, whatever its language and form', () => {
    const failed = HONEST.filter((item) => (termsOf(item).submitFlags! & abi.SUBMIT_FACTS_HOLD) === 0);
    expect(failed).toEqual([]);
  });
});

test('0 honest workers are slashed for form: silent posters pay them, silent judges split, nobody loses stake', () => {
  const court = new Court(module, 9);
  const { chain } = court;
  const staked = (): number => chain.state.agent(chain.index('worker'))!.staked;
  const before = staked();
  const isPaidBySilence = (item: (typeof ITEMS)[number]): boolean => item.task.delivered === 'content';
  const tasks = HONEST.map((item) => court.delivered({ ...termsOf(item), budget: TOKEN }));
  chain.run([], 0, chain.params.review_default_secs + 1);
  const unpaid = HONEST.filter((item, i) => isPaidBySilence(item) && court.shareOf(tasks[i]!) !== 1);
  expect(unpaid).toEqual([]);
  for (const item of HONEST.filter((_, i) => i % 10 === 0)) {
    expect(court.judge(termsOf(item), 3, () => undefined).share).toBe(0.5);
  }
  expect(staked()).toBe(before);
});

test('five judges who are right nine times in ten, each by itself, come to less than 2 % wrong outcomes', () => {
  const rates = trial(module, { accuracyBp: 9000, kind: 'independent', size: 5 });
  expect(rates.otherSizes).toBe(0);
  expect((rates.honestUnpaid + rates.dishonestPaid) / 2).toBeLessThan(0.02);
  expect(rates.slashedHonest).toBe(0);
});

test.each([1, 3] as const)('a panel of %i decides as its judges say, right or wrong', (size: PanelSize) => {
  const court = new Court(module, PANELS[size].judges);
  const [item] = HONEST;
  for (const forWorker of [true, false]) {
    const { share, isSlashed, panel } = court.judge(termsOf(item!), size, () => ({ forWorker, ground: 0 }));
    expect([share, isSlashed, panel.length]).toEqual([forWorker ? 1 : 0, false, size]);
  }
});
