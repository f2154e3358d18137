// Planted work with a known verdict (protocol 7.7, canary): a task and a result, generated from a seed.
// Keeps: a pure function of group and seed, so that a restarted node recognizes its own canaries. The truth depends on
// the work itself, not on its score: good work answers the task, bad work answers another one, adversarial work repeats
// the task to look like an answer, an edge case is right but terse.

import { CANARY_TYPES, type CanaryType } from '../wire/canary.ts';
import { type CanaryGroup, SUBJECTS, type Subject } from './canary-subjects.ts';
import { SeededDraw } from './seeded-draw.ts';

export interface CanaryItem {
  type: CanaryType;
  /** The correct verdict. */
  truth: boolean;
  title: string;
  description: string;
  success_criteria: string[];
  result_content: string;
}

/** The task's text in place of an answer. */
const echo = (subject: Subject): string =>
  [subject.title, subject.description, ...subject.success_criteria, subject.title, subject.description].join(
    '. ',
  );

/** A canary for a group of categories. */
export function canaryItem(group: CanaryGroup, seed: Uint8Array): CanaryItem {
  const draw = new SeededDraw(seed);
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
