// Two columns of text for the terminal: help shows names and their meanings in them.

const WIDTH = 100;
const MAX_LEFT = 34;

/** Two columns; the second is wrapped at the page width. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const left = Math.min(MAX_LEFT, Math.max(...rows.map(([name = '']) => name.length)));
  const indent = ' '.repeat(left + 4);
  return rows.flatMap(([name = '', text = '']) => {
    const [first = '', ...more] = wrap(text, WIDTH - left - 4);
    const isLong = name.length > left;
    const head = `  ${name.padEnd(left)}`;
    return isLong
      ? [`  ${name}`, indent + first, ...more.map((line) => indent + line)]
      : [`${head}  ${first}`.trimEnd(), ...more.map((line) => indent + line)];
  });
}

/** Lines of at most `width` characters, unless a word is longer. */
export function wrap(text: string, width = WIDTH): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
