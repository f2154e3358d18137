// Good items: answers put together from a topic's hand-written parts, with figures and selection by seed.

import type { SeededRandom } from '../../../../tools/load/seeded-random.ts';
import type { Topic } from './topics.ts';

/** Fills in `<<least-most>>`. */
function withFigures(text: string, random: SeededRandom): string {
  return text.replace(
    /<<(\d+)-(\d+)>>/g,
    (_, a: string, b: string) => `${random.between(Number(a), Number(b))}`,
  );
}

/** Parts in their order; optional ones may be missing, at most one of `every`. */
function selection(topic: Topic, random: SeededRandom, every: number): string[] {
  return topic.parts
    .filter(({ isOptional }) => !isOptional || random.below(every) > 0)
    .map(({ text }) => withFigures(text, random));
}

/** Passages as paragraphs of two to four; headings, list items and steps stand on lines of their own. */
export function paragraphs(passages: readonly string[], random: SeededRandom): string {
  let text = '';
  let left = 0;
  for (const passage of passages) {
    const isLine = /^(#|- |\d+[.:])/.test(passage);
    if (isLine || text.endsWith('\n')) {
      text += (text === '' || text.endsWith('\n') ? '' : '\n\n') + passage + (isLine ? '\n' : '');
      left = random.between(1, 3);
    } else {
      text += (text === '' ? '' : left > 0 ? ' ' : '\n\n') + passage;
      left = left > 0 ? left - 1 : random.between(1, 3);
    }
  }
  return text.trimEnd();
}

interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

function tableOf(topic: Topic, random: SeededRandom): Table {
  const rows = topic.rows.filter(() => random.below(8) > 0);
  const figure = (range: string): number => {
    const [least, most] = range.split('-').map(Number);
    return random.between(least!, most!);
  };
  return {
    head: ['name', ...topic.columns.map(([name]) => name)],
    rows: rows.map((row) => [row, ...topic.columns.map(([, range]) => figure(range))]),
  };
}

function asJson(table: Table, passages: readonly string[], sources: readonly string[]): string {
  const rows = table.rows.map((row) => Object.fromEntries(row.map((cell, i) => [table.head[i]!, cell])));
  return JSON.stringify({ rows, notes: passages, sources }, null, 2);
}

function asCsv(table: Table, sources: readonly string[]): string {
  const lines = table.rows.map((row, i) => [...row, sources[i % sources.length]!].join(','));
  return [[...table.head, 'source'].join(','), ...lines].join('\n');
}

function asReport(
  topic: Topic,
  table: Table,
  passages: readonly string[],
  sources: readonly string[],
): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  return [
    `# ${topic.contract.title}`,
    [line(table.head), line(table.head.map(() => '---')), ...table.rows.map(line)].join('\n'),
    passages.join(' '),
    `Sources:\n${sources.map((source, i) => `[${i + 1}] ${source}`).join('\n')}`,
  ].join('\n\n');
}

/** One good answer to a topic's task. */
export function goodItem(topic: Topic, random: SeededRandom): string {
  if (topic.columns.length === 0) {
    const passages = selection(topic, random, topic.parts.some(({ text }) => text.includes('\n')) ? 3 : 8);
    const isCode = topic.parts.some(({ text }) => text.includes('\n'));
    if (isCode) return passages.join('\n\n');
    // Most people put the task's title above what they hand in.
    const hasHeading = passages[0]!.startsWith('#') || random.below(6) === 0;
    return paragraphs(hasHeading ? passages : [`# ${topic.contract.title}`, ...passages], random);
  }
  const table = tableOf(topic, random);
  const passages = selection(topic, random, 8);
  const sources = topic.sources.map((source) => withFigures(source, random));
  const form = random.below(5);
  // A bare table has no room for what the criteria ask beyond figures, so it is the rarest form.
  if (form === 0 && topic.contract.category === 'data') return asCsv(table, sources);
  return form < 3 ? asReport(topic, table, passages, sources) : asJson(table, passages, sources);
}
