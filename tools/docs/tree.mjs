// The text files of the project that documents and citations are looked for in.
// Keeps: only the folders named here are read, so that data, builds and packages never count.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseMarkdown } from './markdown.mjs';

const FOLDERS = ['assembly', 'bench', 'docs', 'host', 'test', 'tools'];
const TEXTS = /\.(?:tsx?|mts|mjs|js|css|html|go|py|md)$/;
const SKIPPED = new Set(['node_modules', 'build']);
/** Tests of these checks: what they cite is made up. */
const MADE_UP = ['test/tools/check-docs.test.ts', 'test/tools/docs-tree.ts'];

/** The comment on a line of a source, or an empty text. */
export const commentIn = (line) => /(?:^\s*(?:\/\/|\/?\*)|\s\/\/\s)(.*)$/.exec(line)?.[1] ?? '';

function* walk(root, folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory()) yield path;
    else if (!SKIPPED.has(entry.name) && (folder !== '' || FOLDERS.includes(entry.name)))
      yield* walk(root, path);
  }
}

/**
 * The tree below `root`: `texts` by path, `documents` (Markdown, parsed) by path, `paths` of every file, and the
 * faults that the checks add. `totals` counts what was looked at, by name.
 */
export function readTree(root) {
  const paths = [...walk(root, '')].sort();
  const texts = new Map();
  const documents = new Map();
  for (const path of paths.filter((one) => TEXTS.test(one) && !MADE_UP.includes(one))) {
    const text = readFileSync(join(root, path), 'utf8');
    texts.set(path, text);
    if (path.endsWith('.md')) documents.set(path, parseMarkdown(text));
  }
  const faults = [];
  const totals = new Map();
  return {
    root,
    paths,
    texts,
    documents,
    faults,
    totals,
    has: (path) => existsSync(join(root, path)),
    /** One line of the report; `line` from 1, or undefined where a whole file is meant. */
    fault: (path, line, text) => faults.push(`${path}${line === undefined ? '' : `:${line}`}: ${text}`),
    count: (name, n = 1) => totals.set(name, (totals.get(name) ?? 0) + n),
  };
}
