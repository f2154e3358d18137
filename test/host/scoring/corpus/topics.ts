// Reads the hand-written parts of the corpus: topics (a task and what good answers to it consist of) and filler.
// Keeps: text only; what becomes an item, and how it varies with the seed, is decided by whoever asks.

import { readFileSync } from 'node:fs';
import type { TaskContract } from '../../../../host/scoring/index.ts';

export interface Topic {
  readonly contract: TaskContract;
  /** Lines of prose, or blocks of code; an optional block may be left out. */
  readonly parts: readonly { readonly text: string; readonly isOptional: boolean }[];
  /** Row labels, columns as [name, range] and sources of a table, where there is one. */
  readonly rows: readonly string[];
  readonly columns: readonly (readonly [string, string])[];
  readonly sources: readonly string[];
}

/** Where the parts lie, seen from the project's folder. */
const FOLDER = 'test/host/scoring/corpus';
const read = (name: string): string => readFileSync(`${FOLDER}/${name}`, 'utf8');

function readTopic(section: string): Topic {
  const [title, ...lines] = section.split('\n');
  const marked = (mark: string): string[] =>
    lines.filter((line) => line.startsWith(`${mark} `)).map((line) => line.slice(mark.length + 1));
  const [category, description] = marked('--');
  const [rows] = marked('@rows');
  const body = lines.slice(lines.findLastIndex((line) => /^(\?\?|@\w+) /.test(line)) + 1);
  return {
    contract: {
      title: title!,
      description: description!,
      category: category!,
      success_criteria: marked('??'),
      required_checks: [],
    },
    parts: body.includes('%%') ? blocksOf(body) : linesOf(body),
    rows: rows?.split('|') ?? [],
    columns: marked('@col').map((line) => line.split(' ') as [string, string]),
    sources: marked('@source'),
  };
}

/** Code: blocks after `%%` (always there) or `%?` (optional). */
function blocksOf(lines: readonly string[]): Topic['parts'] {
  const starts = lines.flatMap((line, i) => (line === '%%' || line === '%?' ? [i] : []));
  return starts.map((start, k) => ({
    text: lines
      .slice(start + 1, starts[k + 1] ?? lines.length)
      .join('\n')
      .trimEnd(),
    isOptional: lines[start] === '%?',
  }));
}

/** Prose: each line a passage; headings and numbered steps always stay. */
function linesOf(lines: readonly string[]): Topic['parts'] {
  return lines
    .filter((line) => line.trim() !== '')
    .map((text) => ({ text, isOptional: !/^(#|\d+\. )/.test(text) }));
}

/** The topics of a file in order. */
export function topicsOf(file: string): Topic[] {
  return `\n${read(file)}`.split('\n== ').slice(1).map(readTopic);
}

/** What adversarial items are made of. */
export interface Filler {
  /** Sentences with `~` where a term goes. */
  readonly slots: readonly string[];
  readonly phrases: readonly string[];
  readonly prose: readonly string[];
  readonly lorem: readonly string[];
  readonly padding: readonly string[];
}

export function fillerOf(file: string): Filler {
  const sections = new Map(
    `\n${read(file)}`
      .split('\n== ')
      .slice(1)
      .map((section) => {
        const [name, ...lines] = section.trim().split('\n');
        return [name!, lines] as const;
      }),
  );
  const words = (name: string): string[] => sections.get(name)!.join(' ').split(' ');
  return {
    slots: sections.get('slots')!,
    phrases: sections.get('phrases')!,
    prose: sections.get('prose')!,
    lorem: words('lorem'),
    padding: words('padding'),
  };
}
