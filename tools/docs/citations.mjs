// Citations: `protocol 6.14`, `consensus 5.13`, `pitfall D1`, `decision 8` name a heading, a row or a file that exists.
// Lists are read whole ("protocol 4.7, 4.8 and 7.6"), also over the end of a comment line. A name in quotes
// behind a number (`protocol 1.3 "hash fields"`) must occur in that section.

import { rangeOf } from './markdown.mjs';
import { commentIn } from './tree.mjs';

/** A chapter or a section. A whole number of 20 or more is none: something else is counted. */
const NUMBER = String.raw`(?:\d{1,2}(?:\.\d{1,2})+|1?\d)(?![\w%]|\.\d|,\d{3})`;
/** A further number of a list: of two parts, or one that nothing is counted with. */
const FURTHER = String.raw`(?:\d{1,2}(?:\.\d{1,2})+(?![\w%]|\.\d)|\d{1,2}(?=[),;.:"'\`|\]]|\s*$|\s+(?:and|to)\s))`;
const JOINT = String.raw`(?:,\s*(?:and\s+)?|\s+and\s+|\s+or\s+|\s+to\s+|\s*[–-]\s*)`;
const SECTIONS = new RegExp(
  String.raw`\b([Pp]rotocol|[Cc]onsensus)\s+(${NUMBER}(?:${JOINT}${FURTHER})*)(?:\s+"([^"]{2,60})")?`,
  'g',
);
const PITFALLS = new RegExp(String.raw`\b[Pp]itfalls?\s+([A-Z]\d{1,2}\b(?:${JOINT}[A-Z]\d{1,2}\b)*)`, 'g');
const DECISIONS_TAKEN = /\b[Dd]ecision\s+(\d{1,4})(?![\w.%])/g;

/** What begins a line of a comment or of prose and is no part of its sentence. */
const LEADER = /^\s*(?:\/\/+|\/?\*+|#+|>)?\s*/;

/** The text as one line, and the line of each place in it. */
function flatten(text) {
  const starts = [];
  let flat = '';
  for (const line of text.split('\n')) {
    starts.push(flat.length);
    flat += `${line.replace(LEADER, '')} `;
  }
  const lineAt = (place) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= place) low = middle;
      else high = middle;
    }
    return low + 1;
  };
  return { flat, lineAt };
}

/** Text of each numbered section, by `protocol 6.14` and `consensus 5.13`. */
function readSections(tree) {
  const sections = new Map();
  for (const [path, document] of tree.documents) {
    const kind = path.startsWith('docs/protocol/')
      ? 'protocol'
      : path === 'docs/consensus.md'
        ? 'consensus'
        : undefined;
    if (kind === undefined) continue;
    for (const heading of document.headings.filter((one) => one.number !== undefined)) {
      const name = `${kind} ${heading.number}`;
      if (sections.has(name)) tree.fault(path, heading.line, `${name} is the number of two sections`);
      const [from, to] = rangeOf(document, heading);
      sections.set(name, document.lines.slice(from - 1, to).join(' '));
    }
  }
  return sections;
}

const squeeze = (text) => text.replace(/\s+/g, ' ').toLowerCase();

/** Ids of the rows of docs/pitfalls.md. */
function readPitfalls(tree) {
  const tables = tree.documents.get('docs/pitfalls.md')?.tables ?? [];
  return new Set(tables.flatMap((table) => table.rows.map((row) => row.cells[0])));
}

/** A decision is named by its number: the files have one each, and their headings say the same. */
function readDecisions(tree) {
  const decisions = new Set();
  for (const [path, document] of tree.documents) {
    const [, digits] = /^docs\/decisions\/(\d{4})-/.exec(path) ?? [];
    if (digits === undefined) continue;
    const number = String(Number(digits));
    if (decisions.has(number)) tree.fault(path, undefined, `decision ${number} is the number of two files`);
    decisions.add(number);
    const [first] = document.lines;
    if (!first?.startsWith(`# ${number} `))
      tree.fault(path, 1, `the heading of decision ${number} begins with another number`);
  }
  return decisions;
}

export function checkCitations(tree) {
  const sections = readSections(tree);
  const pitfalls = readPitfalls(tree);
  const decisions = readDecisions(tree);
  for (const [path, text] of tree.texts) {
    const { flat, lineAt } = flatten(text);
    for (const found of flat.matchAll(SECTIONS)) {
      const numbers = found[2].match(/\d+(?:\.\d+)*/g);
      const line = lineAt(found.index);
      for (const number of numbers) {
        tree.count('citations');
        const name = `${found[1].toLowerCase()} ${number}`;
        if (!sections.has(name)) tree.fault(path, line, `${name} does not exist`);
      }
      const name = `${found[1].toLowerCase()} ${numbers.at(-1)}`;
      if (found[3] && sections.has(name) && !squeeze(sections.get(name)).includes(squeeze(found[3])))
        tree.fault(path, line, `${name} says nothing of "${found[3]}"`);
    }
    for (const found of flat.matchAll(PITFALLS)) {
      for (const id of found[1].match(/[A-Z]\d+/g)) {
        tree.count('citations');
        if (!pitfalls.has(id)) tree.fault(path, lineAt(found.index), `pitfall ${id} does not exist`);
      }
    }
    for (const found of flat.matchAll(DECISIONS_TAKEN)) {
      tree.count('citations');
      if (!decisions.has(String(Number(found[1]))))
        tree.fault(path, lineAt(found.index), `decision ${found[1]} does not exist`);
    }
  }
}

const DRAFTS = /\b(?:DECISIONS|PITFALLS|CONSENSUS)\b/g;
/** These two are also names in code, so they count in comments only. */
const DRAFTS_IN_COMMENTS = /\b(?:SPEC|DESIGN)\b/g;
/** Tells where each section of the drafts went; the check itself and its tests name them too. */
const MAY_NAME_DRAFTS = [
  'docs/protocol/README.md',
  'tools/docs/citations.mjs',
  'test/tools/check-docs.test.ts',
];

/** Citations of the drafts that the documents were made from: nobody who reads the repository can open those. */
export function findDrafts(tree) {
  const found = [];
  for (const [path, text] of tree.texts) {
    if (MAY_NAME_DRAFTS.includes(path)) continue;
    for (const [i, line] of text.split('\n').entries()) {
      const inComment = commentIn(line).match(DRAFTS_IN_COMMENTS) ?? [];
      const names = new Set([...(line.match(DRAFTS) ?? []), ...inComment]);
      for (const name of names) found.push({ path, line: i + 1, name });
    }
  }
  return found;
}
