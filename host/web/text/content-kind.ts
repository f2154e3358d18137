// What kind of text a delivery is, so that it can be shown as such.
// Keeps: nothing of it is ever run, loaded or taken as markup; what is in doubt is plain text, and the delivery as it was
// handed in is always at hand.

import { type Image, imageOf } from './image.ts';

export type Content =
  | { kind: 'text' }
  | { kind: 'image'; image: Image }
  | { kind: 'code' }
  | { kind: 'JSON'; text: string }
  | { kind: 'table'; head: string[]; rows: string[][] };

/** Longer ones are shown as they are: laying them out would hold the page up. */
const MAX_CHARS = 200_000;
const MAX_COLUMNS = 20;
const MAX_ROWS = 200;
const MIN_ROWS = 2;

/** Blanks in front of the lines that a JSON text becomes: in deep nesting far more than the text itself. */
const MAX_INDENT = 2_000_000;

function isTooDeep(text: string): boolean {
  let depth = 0;
  let indent = 0;
  let isString = false;
  for (let i = 0; i < text.length && indent <= MAX_INDENT; i++) {
    const c = text[i]!;
    if (isString && c === '\\') i++;
    else if (c === '"') isString = !isString;
    else if (!isString && (c === '[' || c === '{')) indent += 2 * ++depth;
    else if (!isString && (c === ']' || c === '}')) indent += 2 * --depth;
    else if (!isString && c === ',') indent += 2 * depth;
  }
  return indent > MAX_INDENT;
}

function asJson(text: string): Content | undefined {
  if (!/^\s*[[{]/.test(text) || isTooDeep(text)) return undefined;
  try {
    return { kind: 'JSON', text: JSON.stringify(JSON.parse(text), undefined, 2) };
  } catch {
    return undefined;
  }
}

/** One line of comma or tab separated values; quotes as in RFC 4180. Undefined if a quote is not closed. */
function cellsOf(line: string, separator: string): string[] | undefined {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let i = 0; i < line.length; i++) {
    const c = line[i]!;
    if (isQuoted && c === '"' && line[i + 1] === '"') {
      cell += c;
      i++;
    } else if (c === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted;
    else if (c === separator && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else cell += c;
  }
  return isQuoted ? undefined : [...cells, cell];
}

/** Every line has as many cells as the first, and at least two. */
function asTable(text: string): Content | undefined {
  const lines = text.trim().split(/\r?\n/);
  if (lines.length < MIN_ROWS || lines.length > MAX_ROWS + 1) return undefined;
  for (const separator of ['\t', ',', ';']) {
    const rows = lines.map((line) => cellsOf(line, separator));
    const width = rows[0]?.length ?? 0;
    if (width < 2 || width > MAX_COLUMNS || rows.some((row) => row?.length !== width)) continue;
    const [head, ...body] = rows as string[][];
    // Sentences with commas are no table: heads are short and differ.
    if (head!.some((name) => name.trim().length > 40) || new Set(head).size !== width) continue;
    return { kind: 'table', head: head!, rows: body };
  }
  return undefined;
}

const CODE =
  /^(?:#!|```|(?:import|export|from|def|class|fn|func|function|package|use|const|let|var|#include)\b)/m;

export function contentOf(text: string, category: string): Content {
  const image = imageOf(text);
  if (image) return { kind: 'image', image };
  if (text.length > MAX_CHARS) return { kind: 'text' };
  const found = asJson(text) ?? asTable(text);
  if (found) return found;
  return { kind: category === 'code' || CODE.test(text) ? 'code' : 'text' };
}
