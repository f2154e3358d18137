// Fifteen forms of work for the corpus of deliveries: what each task asks, the honest answer in a language, and a false answer of
// the same form. Figures come from the seed, so two tasks of one form have different right answers.

import type { SeededRandom } from '../../tools/load/seeded-random.ts';
import { type Language, NOTICE } from './languages.ts';

/** A task with its honest answer, and a wrong one that looks like it. */
export interface Made {
  title: string;
  description: string;
  category: string;
  honest: string;
  /** What is wrong about it: invented, wrong figures, wrong code. */
  wrong: string;
}

const fill = (text: string, a: number, b: number, place: string, day: string): string =>
  text.replace('$a', String(a)).replace('$b', String(b)).replace('$p', place).replace('$d', day);

const shifted = (text: string): string => text.replace(/\d+/g, (n) => String(Number(n) * 3 + 7));
const sum = (numbers: readonly number[]): number => numbers.reduce((all, n) => all + n, 0);

function rowsOf(l: Language, random: SeededRandom): [string, string, number][] {
  return l.places.map((place) => [place, random.pick(l.days), random.between(11, 90)]);
}

const asData = (rows: readonly (readonly unknown[])[]): string =>
  rows.map((row) => row.join('; ')).join(' / ');

function table(
  l: Language,
  random: SeededRandom,
  line: (cells: readonly unknown[]) => string,
  head: string[],
): Made {
  const rows = rowsOf(l, random);
  const total = sum(rows.map((row) => row[2]));
  const lines = (cells: readonly (readonly unknown[])[], last: number): string =>
    [...head, ...cells.map(line), line([l.words[3], '', last])].join('\n');
  const invented = rows.map(([place, day]) => [place, day, random.between(100, 900)]);
  return {
    title: `Table of ships (${l.name})`,
    description: `A table with ${l.words.slice(0, 3).join(', ')} and their sum, in ${l.name}, of: ${asData(rows)}`,
    category: 'data',
    honest: lines(rows, total),
    wrong: lines(invented, total),
  };
}

/** By name: how a task of the form is made. */
export const FORMS: Readonly<Record<string, (l: Language, random: SeededRandom) => Made>> = {
  report(l, random) {
    const [a, b] = [random.between(100, 400), random.between(5, 60)];
    const [p, d] = [random.pick(l.places), random.pick(l.days)];
    const honest = l.report.map((text) => fill(text, a, b, p, d)).join(' ');
    const description = `Four sentences in ${l.name} from: ${a} ships, ${b} at night, ${b} hours, ${p}, ${d}, ${a} more than before.`;
    return { title: 'Report of the week', description, category: 'writing', honest, wrong: shifted(honest) };
  },
  translation: (l, random) => ({
    title: `Translate into ${l.name}`,
    description: `Translate into ${l.name}: "${NOTICE}" (case ${random.between(100, 999)})`,
    category: 'translation',
    honest: l.notice,
    wrong: l.steps.join(' '),
  }),
  json(l, random) {
    const made = table(l, random, (cells) => JSON.stringify(cells), []);
    const asJson = (text: string): string =>
      JSON.stringify({ [l.words[2]]: text.split('\n').map((line) => JSON.parse(line)) });
    return { ...made, title: 'JSON of ships', honest: asJson(made.honest), wrong: asJson(made.wrong) };
  },
  csv: (l, random) => table(l, random, (cells) => cells.join(','), [l.words.slice(0, 3).join(',')]),
  markdown: (l, random) =>
    table(l, random, (cells) => `| ${cells.join(' | ')} |`, [
      `| ${l.words.slice(0, 3).join(' | ')} |`,
      '|---|---|---|',
    ]),
  diff(l, random) {
    const [from, to] = [random.between(2, 9), random.between(10, 99)];
    const patch = (line: number, minus: number, plus: number): string =>
      `--- a/wait.py\n+++ b/wait.py\n@@ -${line},2 +${line},2 @@\n-WAIT_HOURS = ${minus}\n+WAIT_HOURS = ${plus}\n NOTICE = "${l.notice}"`;
    return {
      title: 'Patch of a constant',
      description: `A unified diff of wait.py (lines 7 and 8: WAIT_HOURS = ${from}, NOTICE = "${l.notice}") that sets WAIT_HOURS to ${to}.`,
      category: 'code',
      honest: patch(7, from, to),
      wrong: patch(3, to, from),
    };
  },
  regex(l, random) {
    const day = random.pick(l.days);
    const digits = random.between(2, 6);
    return {
      title: 'A regular expression',
      description: `A regular expression for "${day}", a blank and ${digits} digits, and nothing else.`,
      category: 'code',
      honest: `^${day} [0-9]{${digits}}$`,
      wrong: `^${day}?.*[0-9]+`,
    };
  },
  haiku: (l, random) => ({
    title: `Three lines in ${l.name}`,
    description: `A poem of three lines in ${l.name} about a gull and the tide, for page ${random.between(10, 99)}.`,
    category: 'writing',
    honest: l.haiku.join('\n'),
    wrong: `${l.places.slice(0, 3).join('\n')}`,
  }),
  short: (l, random) => ({
    title: l.asked[0],
    description: `${l.asked[0]} (${random.between(100, 999)})`,
    category: 'question',
    honest: l.asked[1],
    wrong: l.asked[2],
  }),
  file: (l, random) => ({
    title: `A scan by its hash (${l.name})`,
    description: `The scanned timetable of ${random.pick(l.places)}, page ${random.between(1, 99)}, as a file with its SHA-256.`,
    category: 'data',
    honest: `timetable ${l.places.join(' ')} ${random.between(1, 1e9)}`,
    wrong: '',
  }),
  code(l, random) {
    const [rate, free] = [random.between(2, 9), random.between(1, 5)];
    const body = (formula: string): string =>
      `# ${l.notice}\ndef fee(hours):\n    """${l.words.join(', ')}"""\n    return ${formula}`;
    return {
      title: 'A function',
      description: `A Python function fee(hours): ${rate} for each hour above ${free}, never less than 0. Comments in ${l.name}.`,
      category: 'code',
      honest: body(`max(0, hours - ${free}) * ${rate}`),
      wrong: body(`hours * ${rate + 1} - ${free}`),
    };
  },
  steps(l, random) {
    const numbered = (steps: readonly string[]): string =>
      steps.map((step, i) => `${i + 1}. ${step}`).join('\n');
    return {
      title: `Instructions in ${l.name}`,
      description: `Four numbered steps in ${l.name}: how to change the seal of pipe ${random.between(1, 99)}.`,
      category: 'writing',
      honest: numbered(l.steps),
      wrong: numbered([...l.steps].reverse()),
    };
  },
  letter(l, random) {
    const [a, b] = [random.between(100, 400), random.between(5, 60)];
    const written = (text: string): string => `${l.letter[0]}\n\n${text}\n\n${l.letter[1]}`;
    const honest = written(`${l.notice} ${fill(l.report[0]!, a, b, '', '')}`);
    const description = `A letter in ${l.name} to Ms Hale: the bridge is closed on Sunday, the ferry takes its tickets; ${a} ships, ${b} at night.`;
    return { title: 'A letter', description, category: 'writing', honest, wrong: shifted(honest) };
  },
  sql(l, random) {
    const least = random.between(10, 90);
    const query = (condition: string): string =>
      `SELECT place AS "${l.words[0]}", SUM(ships) AS "${l.words[3]}" FROM calls WHERE ${condition} GROUP BY place;`;
    return {
      title: 'A query',
      description: `SQL: ships by place from calls(place, day, ships), days with at least ${least} only, columns named in ${l.name}.`,
      category: 'code',
      honest: query(`ships >= ${least}`),
      wrong: query(`ships < ${least} OR 1 = 1`),
    };
  },
  sum(l, random) {
    const numbers = Array.from({ length: 5 }, () => random.between(100, 999));
    const shown = (result: number): string => `${l.words[3]}: ${numbers.join(' + ')} = ${result}`;
    return {
      title: `${l.words[3]}?`,
      description: `Add ${numbers.join(', ')} and show the sum in ${l.name}.`,
      category: 'math',
      honest: shown(sum(numbers)),
      wrong: shown(sum(numbers) + random.between(1, 99)),
    };
  },
};
