// Adversarial families that lean on real prose: harder ones, written after the gates and never used to make them.

import { asSentences, dressed, type Family, type Means, shuffled } from './adversaries.ts';
import { goodItem } from './good.ts';

/** The prose of a good answer to another task. */
function foreignProse({ topic, others, random }: Means): string {
  const { parts } = random.pick(others.filter((other) => other !== topic));
  return parts.map(({ text }) => text.replace(/<<(\d+)-\d+>>/g, '$1')).join(' ');
}

const NOUNS = 'garden engine letter window market bridge farmer captain recipe valley copper ladder'.split(
  ' ',
);
const ADJECTIVES = 'quiet bright narrow famous gentle hollow ancient clever bitter loyal sudden humble'.split(
  ' ',
);
const SENTENCES = [
  'The ~ of the + is *.',
  'A * + needs ~.',
  'Every + has its own ~, and some are *.',
  'We found ~ near the * +.',
  'Without ~ no + would be * for long.',
  'It was the + that gave us ~ in a * hour.',
];

const foreignAnswer: Family = (m) => {
  const { title, success_criteria } = m.topic.contract;
  return dressed(`${title}\n\n${foreignProse(m)}\n\n${success_criteria.map((c) => `- ${c}`).join('\n')}`, m);
};

const foreignSprinkled: Family = (m) => {
  const words = foreignProse(m).split(' ');
  for (const term of m.terms) words.splice(m.random.below(words.length), 0, term);
  return dressed(words.join(' '), m);
};

const nonsense: Family = (m) => {
  const sentences = shuffled(m.terms, m.random).map((term) =>
    m.random
      .pick(SENTENCES)
      .replace('~', term)
      .replace('+', m.random.pick(NOUNS))
      .replace('*', m.random.pick(ADJECTIVES)),
  );
  return dressed(sentences.join(' '), m);
};

const substituted: Family = (m) => {
  const terms = shuffled(m.terms, m.random);
  const words = foreignProse(m).split(' ');
  return dressed(
    words.map((w) => (w.length > 5 && m.random.below(2) > 0 ? (terms.pop() ?? w) : w)).join(' '),
    m,
  );
};

const reversed: Family = (m) => {
  const sentences = goodItem(m.topic, m.random).split(/(?<=[.!?])\s+/);
  const backwards = sentences.map(
    (s) =>
      `${s
        .replace(/[.!?]$/, '')
        .split(/\s+/)
        .reverse()
        .join(' ')}.`,
  );
  return dressed(backwards.join(' ').slice(0, 1600), m);
};

const underHeadings: Family = (m) => {
  const prose = foreignProse(m).split(/(?<=\.) /);
  const { description, success_criteria } = m.topic.contract;
  const chapters = success_criteria.map((c, i) => `${c}\n${prose.slice(i * 3, i * 3 + 3).join(' ')}`);
  return dressed(`${chapters.join('\n\n')}\n${description}`, m);
};

const wordPairs: Family = (m) => {
  const pairs = m.terms.flatMap((term) => [
    `${term} and ${m.random.pick(NOUNS)}`,
    `${m.random.pick(ADJECTIVES)} ${term}`,
  ]);
  return dressed(asSentences(shuffled(pairs, m.random).join(' ').split(' '), m.random), m);
};

const promise: Family = (m) => {
  const { title, description, success_criteria } = m.topic.contract;
  const soon = success_criteria.map(
    (c) => `As soon as I can I am going to show you that ${c}, and you will like it.`,
  );
  return dressed(
    `I will deliver the ${title} before long. ${soon.join(' ')} ${description} Please wait until then.`,
    m,
  );
};

export const HARDER_FAMILIES: Readonly<Record<string, Family>> = {
  'foreign answer': foreignAnswer,
  'foreign and sprinkled': foreignSprinkled,
  nonsense,
  'substituted nouns': substituted,
  'reversed answer': reversed,
  'foreign under headings': underHeadings,
  'word pairs': wordPairs,
  promise,
};
