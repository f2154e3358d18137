// Markdown as far as the checks need it: headings with their numbers and anchors, tables, fenced blocks, prose.
// Lines are numbered from 1. Nothing inside a fenced block is a heading, a table, a link or prose.

const FENCE = /^\s*(`{3,}|~{3,})\s*(.*)$/;
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;

/** The anchor of a heading by GitHub's rule; `taken` counts the ones before it, since repeats are numbered. */
function anchorOf(title, taken) {
  const plain = title.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  const slug = plain.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-');
  const count = taken.get(slug) ?? 0;
  taken.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

/** Cells of a table row; a pipe in a cell is written `\|`. */
function cellsOf(line) {
  const inner = line.trim().replace(/^\||(?<!\\)\|$/g, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** Splits fenced blocks from the rest; the lines of a block are empty in `prose`. */
function splitBlocks(lines) {
  const blocks = [];
  const prose = [...lines];
  for (let i = 0; i < lines.length; i++) {
    const open = FENCE.exec(lines[i]);
    if (!open) continue;
    const isEnd = (line) => line.trim().startsWith(open[1]) && line.trim().replace(/[`~]/g, '') === '';
    let end = i + 1;
    while (end < lines.length && !isEnd(lines[end])) end++;
    const indent = lines[i].length - lines[i].trimStart().length;
    const [tag = '', ...marks] = open[2].trim().split(/\s+/);
    const body = lines.slice(i + 1, end).map((line) => line.slice(Math.min(indent, line.search(/\S|$/))));
    blocks.push({ tag, marks, line: i + 1, end: end + 1, text: `${body.join('\n')}\n` });
    prose.fill('', i, end + 1);
    i = end;
  }
  return { blocks, prose };
}

function readHeadings(prose) {
  const headings = [];
  const taken = new Map();
  for (const [i, line] of prose.entries()) {
    const found = HEADING.exec(line);
    if (!found) continue;
    const number = /^(\d+(?:\.\d+)*)\.?(?=\s)/.exec(found[2])?.[1];
    headings.push({
      level: found[1].length,
      title: found[2],
      number,
      anchor: anchorOf(found[2], taken),
      line: i + 1,
    });
  }
  return headings;
}

/** Tables: `lead` is the last line of text before one, as in `**Agent**`. */
function readTables(prose) {
  const tables = [];
  let lead = '';
  for (let i = 0; i < prose.length; i++) {
    const isTable = prose[i].startsWith('|') && /^\|[\s:|-]+\|$/.test((prose[i + 1] ?? '').trim());
    if (!isTable) {
      if (prose[i].trim() !== '') lead = prose[i].trim();
      continue;
    }
    const table = { lead, line: i + 1, head: cellsOf(prose[i]), rows: [] };
    for (i += 2; prose[i]?.startsWith('|'); i++)
      table.rows.push({ line: i + 1, text: prose[i], cells: cellsOf(prose[i]) });
    tables.push(table);
  }
  return tables;
}

export function parseMarkdown(text) {
  const lines = text.split('\n');
  const { blocks, prose } = splitBlocks(lines);
  return { lines, prose, blocks, headings: readHeadings(prose), tables: readTables(prose) };
}

/** First and last line of the section under a heading, its subsections included. */
export function rangeOf(document, heading) {
  const next = document.headings.find((one) => one.line > heading.line && one.level <= heading.level);
  return [heading.line, next ? next.line - 1 : document.lines.length];
}

/** Tables in the section of a number whose first column has this name. */
export function tablesOf(document, number, head) {
  const heading = document.headings.find((one) => one.number === number);
  if (!heading) return [];
  const [from, to] = rangeOf(document, heading);
  return document.tables.filter((table) => table.line >= from && table.line <= to && table.head[0] === head);
}

/** Texts in backticks, in order. */
export const codeIn = (text) => [...text.matchAll(/`([^`]+)`/g)].map((found) => found[1]);
