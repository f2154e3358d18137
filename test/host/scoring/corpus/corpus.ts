// The corpus: good and adversarial items over all category groups, from hand-written parts and a seed.
// Keeps: the same seed gives the same items. `main` is what the gates were made with; `other`, with parts and families
// of its own, and `harder` only measure them.

import type { TaskContract } from '../../../../host/scoring/index.ts';
import { type GroupName, groupOf } from '../../../../host/scoring/policy.ts';
import { SeededRandom } from '../../../../tools/load/seeded-random.ts';
import { FAMILIES, type Family, OTHER_FAMILIES, termsOf } from './adversaries.ts';
import { goodItem } from './good.ts';
import { HARDER_FAMILIES } from './harder.ts';
import { fillerOf, type Topic, topicsOf } from './topics.ts';

export interface Item {
  readonly contract: TaskContract;
  readonly content: string;
  readonly group: GroupName;
  readonly isGood: boolean;
  /** `good`, or the family of an adversarial item. */
  readonly family: string;
}
export const CORPORA = ['main', 'other', 'harder'] as const;
export type CorpusName = (typeof CORPORA)[number];

const GROUPS: readonly GroupName[] = ['code', 'data', 'analysis', 'content', 'other'];
/** Good items of each topic, and adversarial ones of each topic and family. */
const GOOD_EACH = 10;
const BAD_EACH = 1;
const FAMILIES_OF: Readonly<Record<CorpusName, Readonly<Record<string, Family>>>> = {
  main: FAMILIES,
  other: { ...FAMILIES, ...OTHER_FAMILIES },
  harder: HARDER_FAMILIES,
};
/** Groups whose answers are prose. */
const PROSE: readonly GroupName[] = ['content', 'other'];
const proseTopics = (): Topic[] => PROSE.flatMap((group) => topicsOf(`${group}.txt`));

function itemsOf(topic: Topic, name: CorpusName, random: SeededRandom): Item[] {
  const { contract } = topic;
  const group = groupOf(contract.category).name;
  const filler = fillerOf(name === 'main' ? 'filler.txt' : 'filler-other.txt');
  const families = Object.entries(FAMILIES_OF[name]);
  const good = Array.from({ length: GOOD_EACH }, () => ({
    contract,
    content: goodItem(topic, random),
    group,
    isGood: true,
    family: 'good',
  }));
  const means = { topic, terms: termsOf(topic), filler, others: proseTopics(), group, random };
  const bad = families.flatMap(([family, make]) =>
    Array.from({ length: BAD_EACH }, () => ({
      contract,
      content: make(means),
      group,
      isGood: false,
      family,
    })),
  );
  return [...good, ...bad];
}

/** All items of a corpus. `seed`: any integer. */
export function corpusOf(name: CorpusName, seed: number): Item[] {
  const random = new SeededRandom(seed);
  return GROUPS.flatMap((group) =>
    topicsOf(name === 'main' ? `${group}.txt` : `${group}-other.txt`).flatMap((topic) =>
      itemsOf(topic, name, random),
    ),
  );
}
