// Adversarial items: what somebody sends who wants the money without the work, by family.
// Keeps: each family knows the task and the formulas of protocol 6.14, not the gates beside them.

import type { GroupName } from '../../../../host/scoring/policy.ts';
import type { SeededRandom } from '../../../../tools/load/seeded-random.ts';
import { goodItem } from './good.ts';
import type { Filler, Topic } from './topics.ts';

/** All that a family may use. */
export interface Means {
  readonly topic: Topic;
  /** Words of three letters and more of the task. */
  readonly terms: readonly string[];
  readonly filler: Filler;
  /** Topics with prose answers, to borrow from. */
  readonly others: readonly Topic[];
  readonly group: GroupName;
  readonly random: SeededRandom;
}
export type Family = (means: Means) => string;

const taskText = ({ contract: c }: Topic): string =>
  [c.title, c.description, ...c.success_criteria].join('. ');

export function termsOf(topic: Topic): string[] {
  return [
    ...new Set(
      taskText(topic)
        .toLowerCase()
        .match(/[a-z]{3,}/g) ?? [],
    ),
  ];
}

export function shuffled<T>(items: readonly T[], random: SeededRandom): T[] {
  const all = [...items];
  for (let i = all.length - 1; i > 0; i--) {
    const k = random.below(i + 1);
    [all[i], all[k]] = [all[k]!, all[i]!];
  }
  return all;
}

/** Words as sentences of six to fourteen, in paragraphs. */
export function asSentences(words: readonly string[], random: SeededRandom): string {
  let text = '';
  for (let at = 0; at < words.length; ) {
    const some = words.slice(at, at + random.between(6, 14));
    at += some.length;
    const sentence = some.join(' ');
    const gap = text === '' ? '' : random.below(4) === 0 ? '\n\n' : ' ';
    text += `${gap}${sentence[0]!.toUpperCase()}${sentence.slice(1)}.`;
  }
  return text;
}

/** Adds what the verifier of a group counts, so that a text fails only for what it says. */
export function dressed(text: string, { group, random }: Means): string {
  if (group === 'code') {
    const comment = text
      .replace(/[()[\]{}]/g, '')
      .replace(/^/gm, '// ')
      .replace(/(.{150}\S*) /g, '$1\n// ');
    return `${comment}\nfunction main() { return ${random.below(100)}; }\ntest('main', () => expect(main()));`;
  }
  if (group === 'data' || group === 'analysis') {
    const numbers = Array.from({ length: 12 }, () => random.between(10, 9999));
    const sources = [1, 2, 3, 4].map((n) => `https://source${n}.example/${random.below(1000)}`);
    if (random.below(2) === 0) return JSON.stringify({ summary: text, values: numbers, sources });
    return `# Results\n\n${text}\n\n- Values: ${numbers.join(', ')}\n- Sources: ${sources.join(' ')} [1] [2]`;
  }
  return group === 'content' ? `# Result\n\n${text}` : text;
}

const templated: Family = (m) => {
  const terms = shuffled(m.terms, m.random);
  const sentences = terms.map((term) => m.random.pick(m.filler.slots).replace('~', term));
  return dressed(sentences.join(' '), m);
};

const copiedTask: Family = (m) =>
  dressed(`${taskText(m.topic)}.\n\n${shuffled(m.filler.phrases, m.random).slice(0, 8).join(' ')}`, m);

const shuffledTask: Family = (m) => {
  const words = taskText(m.topic).match(/[\w'-]+/g) ?? [];
  const padding = Array.from({ length: 30 }, () => m.random.pick(m.filler.padding));
  return dressed(asSentences(shuffled([...words, ...padding], m.random), m.random), m);
};

const shuffledAnswer: Family = (m) => {
  const words = goodItem(m.topic, m.random).match(/[\w'-]+/g) ?? [];
  return dressed(asSentences(shuffled(words, m.random).slice(0, 220), m.random), m);
};

const keywordList: Family = (m) => {
  const list = (): string => shuffled(m.terms, m.random).join(', ');
  return dressed(`${m.random.pick(m.filler.phrases)} Keywords: ${list()}. Also: ${list()}.`, m);
};

const repeated: Family = (m) => {
  const paragraph = `${m.random.pick(m.filler.phrases)} It covers ${m.terms.join(' and ')}.`;
  return dressed(Array.from({ length: m.random.between(3, 6) }, () => paragraph).join('\n\n'), m);
};

const loremTerms: Family = (m) => {
  const words = [...m.terms, ...m.terms, ...Array.from({ length: 90 }, () => m.random.pick(m.filler.lorem))];
  return dressed(asSentences(shuffled(words, m.random), m.random), m);
};

const randomCode: Family = (m) => {
  const tokens = [
    'function',
    'const',
    'let',
    '=',
    '=>',
    '{',
    '}',
    '(',
    ')',
    ';',
    'return',
    '+',
    '[',
    ']',
    'x1',
    '42',
    '//',
  ];
  const lines = Array.from({ length: 24 }, () => {
    const parts = [m.random.pick(m.terms), ...Array.from({ length: 6 }, () => m.random.pick(tokens))];
    return shuffled([...parts, m.random.pick(m.terms)], m.random).join(' ');
  });
  let text = `${lines.join('\n')}\n// test ${m.terms.join(' ')}\n`;
  for (const [open, close] of ['()', '[]', '{}']) {
    const lacking = text.split(open!).length - text.split(close!).length;
    text += (lacking > 0 ? close! : open!).repeat(Math.abs(lacking));
  }
  return text;
};

const hollowJson: Family = (m) => {
  const members = m.terms.map((term) => [term, m.random.pick(['', null, [], {}, 0, true])]);
  const numbers = Array.from({ length: 10 }, (_, i) => i + 1);
  const sources = ['http://a', 'http://b', 'http://c', 'http://d'];
  return JSON.stringify({ ...Object.fromEntries(members), numbers, sources, ok: 'function test(){}' });
};

const numberList: Family = (m) => {
  const numbers = Array.from({ length: 30 }, (_, i) => 10 * i + m.random.below(10));
  return `# ${m.terms.join(' ')}\n\n${numbers.map((n, i) => `- ${n} [${(i % 4) + 1}]`).join('\n')}\n= test.`;
};

const unicodeJunk: Family = (m) => {
  const junk = (): string =>
    Array.from({ length: m.random.between(3, 9) }, () =>
      String.fromCodePoint(
        m.random.pick([0x2190, 0x2500, 0x1f300, 0x1d400, 0x0e00, 0x3100]) + m.random.below(80),
      ),
    ).join('');
  return dressed(
    asSentences(
      m.terms.flatMap((term) => [junk(), term, junk()]),
      m.random,
    ),
    m,
  );
};

const sprinkled: Family = (m) => {
  const words = shuffled(m.filler.prose, m.random).join(' ').split(' ');
  for (const term of m.terms) words.splice(m.random.below(words.length), 0, term);
  return dressed(words.join(' '), m);
};

const footer: Family = (m) => {
  const prose = shuffled(m.filler.prose, m.random).slice(0, 8).join(' ');
  return dressed(`${prose}\n\nTags: ${m.terms.join(' ')}.`, m);
};

const claims: Family = (m) => {
  const { contract } = m.topic;
  const done = contract.success_criteria.map(
    (c) => `- ${c}: ${m.random.pick(['done', 'yes', 'fulfilled', 'ok'])}.`,
  );
  const phrases = shuffled(m.filler.phrases, m.random).slice(0, 5);
  return dressed(
    `${phrases.join(' ')}\n\nTask: ${contract.title}. ${contract.description}\n\n${done.join('\n')}`,
    m,
  );
};

const reordered: Family = (m) => {
  const pieces = taskText(m.topic)
    .split(/[.,:;]\s*|\band\b/)
    .filter((piece) => piece.trim() !== '');
  return dressed(`${shuffled([...pieces, ...pieces], m.random).join('. ')}.`, m);
};

const hollowTable: Family = (m) => {
  const head = shuffled(m.terms, m.random);
  const lines = Array.from({ length: 6 }, (_, row) =>
    head.map((_, i) => (i === 0 ? `http://x${row}` : row + 1)),
  );
  return [head, ...lines].map((cells) => cells.join(',')).join('\n');
};

const offTopic: Family = (m) => dressed(shuffled(m.filler.prose, m.random).join(' '), m);

const wordStrings: Family = (m) => {
  const lines = m.terms.map((term, i) => `const v${i} = "${term}";`);
  return `// test\nfunction main() {\n${lines.join('\n')}\nreturn v0;\n}\n// https://a.example [1] [2] [3].`;
};

/** The families that the gates were made against. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  templated,
  'copied task': copiedTask,
  'shuffled task': shuffledTask,
  'shuffled answer': shuffledAnswer,
  'keyword list': keywordList,
  'repeated paragraph': repeated,
  'lorem and terms': loremTerms,
  'random code': randomCode,
  'hollow json': hollowJson,
  'number list': numberList,
  'unicode junk': unicodeJunk,
  'sprinkled prose': sprinkled,
  'prose with tags': footer,
  claims,
  'reordered task': reordered,
  'hollow table': hollowTable,
  'off topic': offTopic,
  'terms in strings': wordStrings,
};

const chain: Family = (m) => {
  const words = `${taskText(m.topic)} ${m.filler.phrases.join(' ')} ${taskText(m.topic)}`.split(/\s+/);
  const out: string[] = [m.random.pick(words)];
  for (let i = 0; i < 160; i++) {
    const last = out[out.length - 1];
    const next = words.filter((_, k) => words[k - 1] === last);
    out.push(next.length > 0 && m.random.below(5) > 0 ? m.random.pick(next) : m.random.pick(words));
  }
  return dressed(asSentences(out, m.random), m);
};

const ticked: Family = (m) =>
  dressed(
    m.terms
      .map((term) => `- ${term}: ${m.random.pick(['handled', 'included', 'checked', 'see above'])}`)
      .join('\n'),
    m,
  );

const questions: Family = (m) => {
  const asks = ['What is', 'How does one do', 'Why is there', 'Where is', 'Who needs', 'When is'];
  return dressed(m.terms.map((term) => `${m.random.pick(asks)} ${term}?`).join(' '), m);
};

const tickTable: Family = (m) => {
  const lines = m.terms.map((term, i) => `| ${i + 1} | ${term} | ok | [${(i % 5) + 1}] |`);
  return `| no | item | state | ref |\n|---|---|---|---|\n${lines.join('\n')}\nfunction test(): const = done.`;
};

const blob: Family = (m) => {
  const part = (): string => Buffer.from(m.random.bytes(m.random.between(12, 30))).toString('base64');
  return dressed(
    asSentences(
      m.terms.flatMap((term) => [part(), term]),
      m.random,
    ),
    m,
  );
};

const doubled: Family = (m) => {
  const { contract } = m.topic;
  const lines = contract.success_criteria.map((c) => `${m.random.pick(m.filler.phrases)} ${c}, indeed ${c}.`);
  return dressed(`${contract.title}! ${lines.join(' ')} ${shuffled(m.terms, m.random).join(' ')}.`, m);
};

/** Families that were not looked at while the gates were made. */
export const OTHER_FAMILIES: Readonly<Record<string, Family>> = {
  'word chain': chain,
  'ticked terms': ticked,
  questions,
  'table of ticks': tickTable,
  'random blobs': blob,
  'doubled criteria': doubled,
};
