// The texts of `vws help` and `vws <command> --help`, generated from the tables.
// Keeps: no flag, variable or default is written here; help shows exactly what the tables contain.

import { type Setting, settingsOf } from '../config/settings.ts';
import { columns } from './columns.ts';
import type { Command, CommandGroup } from './command.ts';
import { EXIT_MEANINGS } from './exit-code.ts';

/** The output of `vws help`. */
export function generalHelp(groups: readonly CommandGroup[]): string {
  const lines = [
    'vws: a settlement node and its client. Agents post work, do it, have it verified and get paid.',
    '',
    'Usage: vws <command> [flags]',
  ];
  for (const group of groups) {
    lines.push('', `${group.title}:`);
    lines.push(...columns(group.commands.map((command) => [command.name, command.summary])));
  }
  lines.push(
    '',
    'Amounts: an integer is micro-units (2500000), the suffix t means tokens (2.5t); 1t = 1000000.',
    'Settings: a flag overrides its variable, a variable the configuration file, the file the default.',
    'Switches in variables: true, 1, on or false, 0, off.',
    '',
    'Exit codes:',
    ...columns(EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning])),
    '',
    'Quick start:  vws try        Help on a command:  vws <command> --help',
  );
  return lines.join('\n');
}

/** Characters of a line at most. */
const PAGE_WIDTH = 110;
const INDENT = '\n       ';

/** The line of usage, with breaks behind a word or between verbs. */
function usageOf(text: string): string {
  const lines = [''];
  for (const part of text.split(/(?<=[ |])/)) {
    const line = lines.at(-1) as string;
    if (line.length + part.trimEnd().length <= PAGE_WIDTH - INDENT.length)
      lines[lines.length - 1] = line + part;
    else lines.push(part);
  }
  return lines.map((line) => line.trimEnd()).join(INDENT);
}

/** The output of `vws <command> --help`. */
export function commandHelp(command: Command): string {
  const rows = command.settings ? settingsOf(command.settings) : [];
  const required = command.options
    .filter((option) => option.isRequired)
    .map((option) => ` --${option.name} <${option.value}>`);
  const word = command.words === undefined ? '' : ` [${command.words}]`;
  const flags = rows.filter((row) => row.flag !== undefined);
  const variables = rows.filter((row) => row.flag === undefined);
  const lines = [
    `vws ${command.name}: ${command.summary}`,
    '',
    usageOf(`Usage: vws ${command.name}${required.join('')}${word} [flags]`),
    '',
    command.about,
    '',
    'Flags:',
    ...columns([
      ...command.options.map((option) => [
        `--${option.name}${option.value === undefined ? '' : ` <${option.value}>`}`,
        option.help + (option.isRequired ? ' (required)' : ''),
      ]),
      ...flags.map((row) => [`--${row.flag}${placeholderOf(row)}`, settingText(row, command)]),
      ['--help, -h', 'show this text'],
    ]),
  ];
  if (variables.length > 0) {
    lines.push(
      '',
      'Environment:',
      ...columns(variables.map((row) => [row.env ?? '', settingText(row, command)])),
    );
  }
  lines.push('', 'Examples:', ...command.examples.map((example) => `  ${example}`));
  return lines.join('\n');
}

const PLACEHOLDERS: Readonly<Record<Setting['kind'], string>> = {
  switch: '',
  integer: ' <n>',
  choice: ' <word>',
  days: ' <full|n>',
  address: ' <host:port>',
  addresses: ' <host:port,...>',
  list: ' <item,...>',
  path: ' <path>',
  text: ' <text>',
  url: ' <url>',
  tokens: ' <tokens>',
  params: '',
};

function placeholderOf(row: Setting): string {
  return PLACEHOLDERS[row.kind];
}

/** Help, choices, variable, default and chain restriction in one text. */
function settingText(row: Setting, { defaults }: Command): string {
  const notes = [];
  if (row.choices) notes.push(row.choices.join(' | '));
  if (row.flag !== undefined && row.env !== undefined) notes.push(row.env);
  const own = (defaults as Readonly<Record<string, string>> | undefined)?.[row.name];
  const fallback = own ?? row.defaultNote ?? row.fallback;
  if (fallback !== undefined) notes.push(`default ${fallback}`);
  if (row.testnetOnly === '*' || row.testnetOnly === 'true') notes.push('testnet only');
  else if (row.testnetOnly !== undefined) notes.push(`${row.testnetOnly}: testnet only`);
  return notes.length === 0 ? row.help : `${row.help} [${notes.join('; ')}]`;
}
