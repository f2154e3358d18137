// Planted work whose verdict is known beforehand (protocol 7.7, canary): a task and a result, made of a seed.
// Keeps: a pure function of group and seed, so that a node that was started again finds its own canaries; the truth is
// that of the work as it reads, not of the score: good work answers the task, bad work answers another one, adversarial
// work repeats the task to look like an answer, an edge case is right but terse.

import type { CanaryType } from '../wire/canary.ts';
import { sha256 } from '../wire/hash.ts';
import { CANARY_TYPES } from '../wire/operations/cases.ts';
import { SUBJECTS, type Subject } from './canary-subjects.ts';
import type { GroupName } from './policy.ts';

/** Groups that canaries are made for: those with a verifier of their own. */
export type CanaryGroup = Exclude<GroupName, 'other'>;

export interface CanaryItem {
  type: CanaryType;
  /** What a verdict on it should be. */
  truth: boolean;
  title: string;
  description: string;
  success_criteria: string[];
  result_content: string;
}

/** Numbers out of a seed: a chain of hashes, so that every draw is unlike the one before. */
export class Draw {
  #state: Uint8Array;

  constructor(seed: Uint8Array) {
    this.#state = sha256(seed);
  }

  /** A number from 0 to n - 1; the bias of the remainder does not matter here. */
  below(n: number): number {
    this.#state = sha256(this.#state);
    return new DataView(this.#state.buffer, this.#state.byteOffset).getUint32(0) % n;
  }

  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}

/** The task's own words in place of an answer. */
const echo = (subject: Subject): string =>
  [subject.title, subject.description, ...subject.success_criteria, subject.title, subject.description].join(
    '. ',
  );

/** A canary for a group of categories. */
export function canaryItem(group: CanaryGroup, seed: Uint8Array): CanaryItem {
  const draw = new Draw(seed);
  const type = draw.one(CANARY_TYPES);
  const make = SUBJECTS[group];
  const { title, description, success_criteria, good, terse } = make(draw);
  const task = { title, description, success_criteria };
  switch (type) {
    case 'known_good':
      return { type, truth: true, ...task, result_content: good };
    case 'edge_case':
      return { type, truth: true, ...task, result_content: terse };
    case 'adversarial':
      return { type, truth: false, ...task, result_content: echo({ ...task, good, terse }) };
    case 'known_bad': {
      const others = (Object.keys(SUBJECTS) as CanaryGroup[]).filter((name) => name !== group);
      return { type, truth: false, ...task, result_content: SUBJECTS[draw.one(others)](draw).good };
    }
  }
}
