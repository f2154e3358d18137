// Counts what passes: by category group, by gate, by family.

import { scoreSubmission } from '../../../../host/scoring/index.ts';
import type { Item } from './corpus.ts';

export interface Rate {
  good: number;
  goodPassed: number;
  bad: number;
  badPassed: number;
  /** Adversarial items by the first reason that refused them. */
  readonly caughtBy: Map<string, number>;
  /** Adversarial items that passed, by family. */
  readonly leaks: Map<string, number>;
  /** Good items that failed, by first reason. */
  readonly lost: Map<string, number>;
}

const count = (map: Map<string, number>, key: string): void => void map.set(key, (map.get(key) ?? 0) + 1);

function addItem(rate: Rate, item: Item): void {
  const { pass, reasonCodes } = scoreSubmission(item.contract, { result_content: item.content });
  const reason = (reasonCodes[0] ?? '').replace('gate_failed:', '');
  if (item.isGood) {
    rate.good++;
    if (pass) rate.goodPassed++;
    else count(rate.lost, reason);
  } else {
    rate.bad++;
    if (pass) rate.badPassed++;
    if (pass) count(rate.leaks, item.family);
    else count(rate.caughtBy, reason);
  }
}

/** Rates by category group, in the order of the items. */
export function ratesOf(items: readonly Item[]): Map<string, Rate> {
  const rates = new Map<string, Rate>();
  for (const item of items) {
    let rate = rates.get(item.group);
    if (rate === undefined) {
      const maps = { caughtBy: new Map(), leaks: new Map(), lost: new Map() };
      rate = { good: 0, goodPassed: 0, bad: 0, badPassed: 0, ...maps };
      rates.set(item.group, rate);
    }
    addItem(rate, item);
  }
  return rates;
}

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;
const listed = (map: ReadonlyMap<string, number>): string =>
  [...map].map(([key, times]) => `${key} ${times}`).join(', ') || '-';

/** The rates as lines for people. */
export function tableOf(rates: ReadonlyMap<string, Rate>): string[] {
  return [...rates].flatMap(([group, r]) => [
    `${group.padEnd(9)} good ${percent(r.goodPassed, r.good)} of ${r.good}; adversarial ${percent(r.badPassed, r.bad)} of ${r.bad}`,
    `          refused by: ${listed(r.caughtBy)}`,
    `          passed: ${listed(r.leaks)}; good refused by: ${listed(r.lost)}`,
  ]);
}
