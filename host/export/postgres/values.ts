// Values as PostgreSQL takes them: JSON that it can hold, and rows of COPY in text form.
// Keeps: whatever a stranger puts into a text can be written. PostgreSQL has no character 0 and no half characters: both
// become U+FFFD, in the database only.

/** Of a JSON text: an escaped character 0, or half of a surrogate pair; an even number of backslashes may come before it. */
const UNHELD = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/** A value as JSON that the type jsonb takes. */
export function heldJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('\\u') ? text.replace(UNHELD, '$1\\ufffd') : text;
}

/** The same in a text. */
const UNHELD_CHARS = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export const heldText = (text: string): string => text.replace(UNHELD_CHARS, '\ufffd');

export type Value = string | number | undefined;

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** What most texts have nothing of: then they are written as they are. */
const UNUSUAL = /[\0\\\t\n\r\ud800-\udfff]/;

function field(value: Value): string {
  if (value === undefined) return '\\N';
  if (typeof value === 'number') return String(value);
  if (!UNUSUAL.test(value)) return value;
  return heldText(value).replace(/[\\\t\n\r]/g, (char) => ESCAPES[char]!);
}

/** A line of COPY ... FROM STDIN. */
export const copyLine = (values: readonly Value[]): string => `${values.map(field).join('\t')}\n`;
