// The command line: section 12.1 lists every command with its flags, and every command that an example shows exists.

import { codeIn, tablesOf } from './markdown.mjs';

const PATH = 'docs/protocol/node.md';
/** Flags that are described once for all client commands, or for all commands. */
const COMMON = ['json', 'help'];

export function checkCommands(tree, { commands }) {
  const names = commands.flatMap((command) => command.names);
  const said = new Map();
  const document = tree.documents.get(PATH) ?? { headings: [] };
  for (const row of tablesOf(document, '12.1', 'Command').flatMap((table) => table.rows)) {
    const flags = [...row.text.matchAll(/(?<![\w-])--([a-z][a-z0-9-]*)/g)].map((found) => found[1]);
    for (const name of codeIn(row.cells[0])) {
      if (!names.includes(name)) tree.fault(PATH, row.line, `command ${name} does not exist`);
      const command = name.split(' ')[0];
      const entry = said.get(command) ?? { names: new Set(), flags: new Map() };
      entry.names.add(name);
      for (const flag of flags) entry.flags.set(flag, row.line);
      said.set(command, entry);
    }
  }
  for (const command of commands) {
    const entry = said.get(command.name) ?? { names: new Set(), flags: new Map() };
    tree.count('commands', command.names.length);
    for (const name of command.names)
      if (!entry.names.has(name)) tree.fault(PATH, undefined, `command ${name} is not described`);
    const known = [...command.options, ...command.settings, ...COMMON];
    for (const [flag, line] of entry.flags)
      if (!known.includes(flag)) tree.fault(PATH, line, `${command.name} has no flag --${flag}`);
    const own = command.isClient ? command.options : [...command.options, ...command.settings];
    for (const flag of own)
      if (!COMMON.includes(flag) && entry.names.size > 0 && !entry.flags.has(flag))
        tree.fault(PATH, undefined, `flag --${flag} of ${command.name} is not described`);
  }
}

/** Words of a shell line that are a call of `vws`, without what is quoted. */
function* callsIn(text) {
  const line = text.replace(/\\\n/g, ' ').replace(/"[^"]*"|'[^']*'/g, 'x');
  for (const found of line.matchAll(/(?:^|[\s;&|(`$])(?:npx\s+)?vws\s+([^\n;&|)`#<>]*)/gm))
    yield found[1].trim().split(/\s+/);
}

function faultOf(commands, [name, ...rest]) {
  // Not a call: a placeholder, or prose that goes on behind the name of the program.
  if (!/^[a-z]+$/.test(name ?? '')) return undefined;
  const command = commands.find((one) => one.name === name);
  if (!command) return `vws has no command ${name}`;
  if (
    command.verbs.length > 0 &&
    rest[0] !== undefined &&
    /^[a-z]+$/.test(rest[0]) &&
    !command.verbs.includes(rest[0])
  )
    return `vws ${name} has no ${rest[0]}`;
  const known = [...command.options, ...command.settings, ...COMMON];
  for (const word of rest) {
    const flag = /^--([a-z0-9-]+)/.exec(word)?.[1];
    if (flag !== undefined && !known.includes(flag)) return `vws ${name} has no flag --${flag}`;
  }
  return undefined;
}

/** Calls in blocks tagged `sh`, and in backticks of the text. */
export function checkCalls(tree, { commands }) {
  const check = (path, line, text) => {
    for (const words of callsIn(text)) {
      tree.count('calls');
      const fault = faultOf(commands, words);
      if (fault) tree.fault(path, line, fault);
    }
  };
  for (const [path, document] of tree.documents) {
    for (const block of document.blocks.filter((one) => one.tag === 'sh'))
      check(path, block.line, block.text);
    for (const [i, line] of document.prose.entries())
      for (const code of codeIn(line)) if (/^(?:npx )?vws /.test(code)) check(path, i + 1, code);
  }
}
